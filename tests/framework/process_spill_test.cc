// SPDX-License-Identifier: Apache-2.0
// Output that nobody reads: into the file, up to the limit, and then the command is held back
// (STREAM-007, STREAM-008, STREAM-012, STREAM-013).
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "sandproof/errors.h"
#include "stream_buffer.h"
#include "tests/framework/support_fake_flavor.h"

namespace sandproof {
namespace {

using namespace std::chrono_literals;

class ProcessSpillTest : public FakeFlavorTest {
 protected:
  /// Writes more than fits and waits until the pump has said that it holds the command back.
  void write_too_much(const std::string& text) {
    process_ = exec();
    writer_ = std::jthread([this, text] {
      if (command().write(Stream::kOut, text)) command().finish();
    });
  }
  std::string wait_text() {
    try {
      process_->wait(20ms);
    } catch (const TimeoutError& error) {
      return error.what();
    }
    return "it has ended";
  }
  std::unique_ptr<Process> process_;
  std::jthread writer_;
};

TEST_F(ProcessSpillTest, AtTheLimitTheCommandIsHeldBackAndNothingIsLost) {
  settings_.set("spill_limit", std::int64_t{1 << 20});
  const std::string text = numbered_lines(4 << 20);
  write_too_much(text);
  ASSERT_TRUE(diagnostics_->wait_for("has reached spill_limit"));
  const std::string why = wait_text();
  EXPECT_NE(why.find("blocked on output: its stdout"), std::string::npos) << why;
  EXPECT_NE(why.find("spill_limit is reached"), std::string::npos) << why;
  EXPECT_TRUE(all_bytes(*process_, Stream::kOut, 5000) == text);
  EXPECT_EQ(process_->wait(), ExitStatus::exited(0));
  EXPECT_EQ(diagnostics_->count("is held back"), 1);
}

TEST_F(ProcessSpillTest, WithoutASpillLimitMemoryIsTheLimit) {
  settings_.set("spill_limit", std::int64_t{0});
  settings_.set("spill_dir", "/nonexistent/never/looked/at");
  const std::string text = numbered_lines(2 << 20);
  write_too_much(text);
  ASSERT_TRUE(diagnostics_->wait_for("has reached spill_limit"));
  EXPECT_TRUE(all_bytes(*process_, Stream::kOut, 5000) == text);
}

TEST_F(ProcessSpillTest, ADirectoryThatIsNoneHoldsTheCommandBackAndLosesNothing) {
  settings_.set("spill_dir", "/dev/null");
  const std::string text = numbered_lines(2 << 20);
  write_too_much(text);
  ASSERT_TRUE(diagnostics_->wait_for("cannot be put into a file"));
  const std::string why = wait_text();
  EXPECT_NE(why.find("cannot be put into a file in spill_dir"), std::string::npos) << why;
  EXPECT_TRUE(all_bytes(*process_, Stream::kOut, 5000) == text);
  EXPECT_EQ(diagnostics_->count("is held back"), 1);
}

TEST_F(ProcessSpillTest, AFullDiskHoldsTheCommandBackAndLosesNothing) {
  std::string directory = testing::TempDir() + "tiny-XXXXXX";
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  if (::mount("tiny", directory.c_str(), "tmpfs", 0, "size=256k") != 0) {
    std::filesystem::remove(directory);
    GTEST_SKIP() << "needs the right to mount a tmpfs";
  }
  settings_.set("spill_dir", directory);
  const std::string text = numbered_lines(4 << 20);
  write_too_much(text);
  EXPECT_TRUE(diagnostics_->wait_for("cannot be put into a file"));
  EXPECT_TRUE(all_bytes(*process_, Stream::kOut, 5000) == text);
  writer_.join();
  process_.reset();
  drop_session();
  EXPECT_TRUE(command().wait_for_hooks_gone());
  EXPECT_EQ(::umount2(directory.c_str(), MNT_DETACH), 0);
  std::filesystem::remove(directory);
}

TEST_F(ProcessSpillTest, AHeldBackCommandIsReadByCollectToo) {
  settings_.set("spill_limit", std::int64_t{100'000});
  const std::string text = numbered_lines(4 << 20);
  write_too_much(text);
  ASSERT_TRUE(diagnostics_->wait_for("has reached spill_limit"));
  const Output output = process_->collect();
  EXPECT_TRUE(output.out_truncated);
  EXPECT_EQ(output.out_bytes, text.size());
}

TEST_F(ProcessSpillTest, AHeldBackCommandThatHasExitedIsReadToItsEndByASlowReader) {
  settings_.set("spill_limit", std::int64_t{0});
  settings_.set("drain_grace", 0.0);
  process_ = exec();
  // As much as memory and the pipe hold: the exit comes while the stream is full.
  const std::string text = numbered_lines(StreamBuffer::kMemoryLimit + 32'000);
  ASSERT_TRUE(command().write(Stream::kOut, text));
  command().finish();
  ASSERT_TRUE(diagnostics_->wait_for("has reached spill_limit"));
  EXPECT_EQ(process_->wait(), ExitStatus::exited(0));
  EXPECT_FALSE(process_->out().end_state());
  EXPECT_TRUE(all_bytes(*process_, Stream::kOut, 1000) == text);
  EXPECT_EQ(process_->out().end_state(), StreamEnd::kComplete);
}

TEST_F(ProcessSpillTest, AHeldBackStreamCostsNoTurnsOfThePump) {
  settings_.set("spill_limit", std::int64_t{0});
  settings_.set("drain_grace", 0.0);
  process_ = exec();
  ASSERT_TRUE(command().write(Stream::kOut, std::string(StreamBuffer::kMemoryLimit + 32'000, 'x')));
  ASSERT_TRUE(diagnostics_->wait_for("has reached spill_limit"));
  // After the exit too, whose grace is long over, nothing is looked at until somebody reads.
  timespec before{};
  timespec after{};
  command().exit(ExitStatus::exited(0));
  EXPECT_EQ(process_->wait(), ExitStatus::exited(0));
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  EXPECT_FALSE(process_->err().end_state() == StreamEnd::kBroken);
  std::this_thread::sleep_for(200ms);  // sleep: what is measured is that nothing happens.
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  const double used = static_cast<double>(after.tv_sec - before.tv_sec) +
                      1e-9 * static_cast<double>(after.tv_nsec - before.tv_nsec);
  EXPECT_LT(used, 0.1);
}

TEST_F(ProcessSpillTest, DroppingTheHandleLetsAHeldBackCommandGoOn) {
  settings_.set("spill_limit", std::int64_t{0});
  write_too_much(numbered_lines(4 << 20));
  ASSERT_TRUE(diagnostics_->wait_for("has reached spill_limit"));
  process_.reset();
  EXPECT_TRUE(command().wait_for_hooks_gone());
}

TEST_F(ProcessSpillTest, OneStreamHeldBackLeavesTheOtherAlone) {
  settings_.set("spill_limit", std::int64_t{0});
  write_too_much(numbered_lines(4 << 20));
  ASSERT_TRUE(diagnostics_->wait_for("has reached spill_limit"));
  std::string line;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(command().write(Stream::kErr, "e\n"));
    ASSERT_TRUE(process_->err().next(line));
  }
  process_->kill();
  EXPECT_EQ(process_->wait().integer(), 137);
}

/// The reader's pace changes all the time, so that bytes go through memory, the file and the limit
/// in every order.
TEST_F(ProcessSpillTest, TheOrderIsExactWhateverTheReadersPace) {
  for (const std::int64_t limit : {0, 70'000, 1 << 20, 1 << 30}) {
    settings_.set("spill_limit", limit);
    drop_session();
    drop_sandbox();
    const std::string text = numbered_lines(6 << 20);
    write_too_much(text);
    std::string got;
    std::string buffer(100'000, '\0');
    for (std::size_t step = 1;; ++step) {
      const auto space = std::as_writable_bytes(std::span(buffer));
      const std::size_t count =
          process_->read_some(Stream::kOut, space.first(1 + (step * 7919) % buffer.size()));
      if (count == 0) break;
      got.append(buffer, 0, count);
      if (step % 16 == 0) std::this_thread::yield();
      // A wait lets the pump run without taking anything.
      if (step % 64 == 0 && !process_->exit_status()) {
        EXPECT_ANY_THROW(process_->wait(1ms));
      }
    }
    EXPECT_TRUE(got == text) << "limit " << limit;
    writer_.join();
  }
}

}  // namespace
}  // namespace sandproof
