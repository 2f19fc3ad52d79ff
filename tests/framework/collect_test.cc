// SPDX-License-Identifier: Apache-2.0
// collect() over real pipes (COLLECT-001 to COLLECT-014); the cap's arithmetic is in
// text_cap_test.cc.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/time.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "sandproof/errors.h"
#include "sandproof/process.h"
#include "tests/framework/support_fake_flavor.h"
#include "tests/framework/support_threads.h"

namespace sandproof {
namespace {

using namespace std::chrono_literals;

class CollectTest : public FakeFlavorTest {
 protected:
  /// A command that has written these, and ended.
  std::unique_ptr<Process> ended(std::string_view out, std::string_view err, int code = 0) {
    auto process = exec();
    command().write(Stream::kOut, out);
    command().write(Stream::kErr, err);
    command().finish(code);
    return process;
  }
};

CollectOptions with_cap(std::int64_t max_chars, bool raw = false) {
  CollectOptions options;
  options.max_chars = max_chars;
  options.raw = raw;
  return options;
}

CollectOptions within(std::chrono::milliseconds timeout) {
  CollectOptions options;
  options.timeout = timeout;
  return options;
}

template <typename Call>
std::string lost_text(const Call& call) {
  try {
    call();
  } catch (const SandboxLostError& error) {
    return error.what();
  }
  return "nothing was lost";
}

TEST_F(CollectTest, ReturnsBothStreamsTheStatusAndTheFlags) {
  const Output output = ended("a\nb\n", "e\n", 3)->collect();
  Output expected;
  expected.out = "a\nb\n";
  expected.err = "e\n";
  expected.status = ExitStatus::exited(3);
  expected.out_bytes = 4;
  expected.err_bytes = 2;
  EXPECT_EQ(output, expected);
}

TEST_F(CollectTest, DrainsBothStreamsAtOnce) {
  const std::string text = numbered_lines(1 << 20).substr(0, 1 << 20);
  std::mt19937 random(3);
  for (int round = 0; round < 3; ++round) {
    const auto process = exec();
    std::jthread writer([&] {
      std::size_t at[2] = {0, 0};
      while (at[0] < text.size() || at[1] < text.size()) {
        const std::size_t which = random() % 2;
        const std::string piece = text.substr(std::min(at[which], text.size()), random() % 100'000);
        command().write(which == 0 ? Stream::kOut : Stream::kErr, piece);
        at[which] += piece.size();
      }
      command().finish();
    });
    const Output output = process->collect();
    EXPECT_TRUE(output.out == text);
    EXPECT_TRUE(output.err == text);
    EXPECT_FALSE(output.out_truncated || output.err_truncated);
  }
}

struct CapRow {
  std::string bytes;
  std::int64_t max_chars;
  bool raw;
  std::string kept;
  bool truncated;
};

TEST_F(CollectTest, KeepsWholeLinesUpToTheCap) {
  const std::vector<CapRow> rows = {
      {"", 0, false, "", false},
      {"\n", 0, false, "", true},
      {"ab\ncd\n", 6, false, "ab\ncd\n", false},
      {"ab\ncd\n", 5, false, "ab\n", true},
      {"ab\ncdefg\nh\n", 6, false, "ab\n", true},
      {"ab\ncd", 5, false, "ab\ncd", false},
      {"abcdefgh\nc\n", 4, false, "", true},
      {"\xC3\xA9\xC3\xA9\n", 3, false, "\xC3\xA9\xC3\xA9\n", false},
      {"\xC3\xA9\xC3\xA9\n", 3, true, "", true},
      {"\xC3\xA9\xC3\xA9\n", 5, true, "\xC3\xA9\xC3\xA9\n", false},
      // BUGS.md #38: the end cuts a character.
      {"ab\xE2\x82", 3, false, "ab\xEF\xBF\xBD", false},
      {"ab\xE2\x82", 2, false, "", true},
      {"ab\xE2\x82", 4, true, "ab\xE2\x82", false},
      {"ab\xE2\x82", 3, true, "", true},
      {"\xFF\xFE\n", 3, false, "\xEF\xBF\xBD\xEF\xBF\xBD\n", false},
      {"\xFF\xFE\n", 3, true, "\xFF\xFE\n", false},
      {std::string("a\0\n", 3), 3, true, std::string("a\0\n", 3), false},
  };
  for (const CapRow& row : rows) {
    SCOPED_TRACE(testing::PrintToString(row.bytes) + " with " + std::to_string(row.max_chars));
    const Output output = ended(row.bytes, row.bytes)->collect(with_cap(row.max_chars, row.raw));
    EXPECT_EQ(output.out, row.kept);
    EXPECT_EQ(output.err, row.kept);
    EXPECT_EQ(output.out_truncated, row.truncated);
    EXPECT_EQ(output.err_truncated, row.truncated);
    EXPECT_EQ(output.out_bytes, row.bytes.size());
  }
}

// BUGS.md #47: past the cap and at the deadline at once, each stream keeps what fits.
TEST_F(CollectTest, ADeadlinePastTheCapKeepsWhatFitsOfBothStreams) {
  constexpr std::int64_t kCap = 65'536;
  std::string flood;
  while (flood.size() < 2'000'000) flood += "y\n";
  const auto process = exec();
  // Taken by the poller before the time runs.
  command().write(Stream::kOut, flood);
  command().write(Stream::kErr, "boom\n");
  CollectOptions options = with_cap(kCap);
  options.timeout = 30ms;
  const Output output = process->collect(options);
  EXPECT_TRUE(output.timed_out);
  EXPECT_EQ(output.status.integer(), 137);
  EXPECT_TRUE(output.out == flood.substr(0, kCap));
  EXPECT_TRUE(output.out_truncated);
  EXPECT_EQ(output.out_bytes, flood.size());
  EXPECT_EQ(output.err, "boom\n");
  EXPECT_FALSE(output.err_truncated);
}

TEST_F(CollectTest, TheFlagsAreIndependent) {
  const Output output = ended("a\nb\n", "e\n")->collect(with_cap(3));
  EXPECT_EQ(output.out, "a\n");
  EXPECT_TRUE(output.out_truncated);
  EXPECT_EQ(output.err, "e\n");
  EXPECT_FALSE(output.err_truncated);
}

/// Whole lines, a prefix of the output, for any cap around the ends of the lines.
TEST_F(CollectTest, TheResultIsThePrefixThatFits) {
  const std::string text = numbered_lines(1000);
  for (std::int64_t cap = 0; cap < 200; cap += 7) {
    std::string expected;
    for (std::size_t at = 0;;) {
      const std::size_t end = text.find('\n', at) + 1;
      if (end > static_cast<std::size_t>(cap)) break;
      expected = text.substr(0, at = end);
    }
    const Output output = ended(text, "")->collect(with_cap(cap));
    EXPECT_EQ(output.out, expected) << cap;
    EXPECT_TRUE(output.out_truncated);
  }
}

TEST_F(CollectTest, PastTheCapTheCommandIsNotBlockedAndItsStatusIsItsOwn) {
  const std::string text = numbered_lines(8 << 20);
  const auto process = exec();
  std::jthread writer([&] {
    command().write(Stream::kErr, text);
    command().write(Stream::kOut, text);
    command().finish(9);
  });
  const Output output = process->collect(with_cap(100));
  EXPECT_EQ(output.status, ExitStatus::exited(9));
  EXPECT_EQ(output.out_bytes, text.size());
  EXPECT_EQ(output.err_bytes, text.size());
  EXPECT_LE(output.out.size(), 100u);
  EXPECT_TRUE(output.out_truncated);
}

TEST_F(CollectTest, TheSecondCallIsRefused) {
  const auto process = ended("a\n", "");
  process->collect();
  EXPECT_THROW(process->collect(), AlreadyCollectedError);
  EXPECT_THROW(process->collect(), AlreadyCollectedError);
}

TEST_F(CollectTest, OfTwoThreadsOneGetsTheOutput) {
  for (int round = 0; round < 50; ++round) {
    const auto process = exec();
    std::atomic<int> got = 0;
    std::atomic<int> refused = 0;
    std::jthread writer([&] {
      command().write(Stream::kOut, "a\n");
      command().finish();
    });
    on_threads(2, [&](std::size_t) {
      try {
        got += process->collect().out == "a\n" ? 1 : 100;
      } catch (const AlreadyCollectedError&) {
        ++refused;
      }
    });
    EXPECT_EQ(got, 1);
    EXPECT_EQ(refused, 1);
  }
}

TEST_F(CollectTest, BadOptionsAreRefusedAndDoNotCount) {
  const auto process = ended("a\n", "");
  EXPECT_THROW(process->collect(with_cap(-1)), InvalidArgumentError);
  EXPECT_THROW(process->collect(with_cap(std::int64_t{1} << 40)), InvalidArgumentError);
  EXPECT_THROW(process->collect(within(-1ms)), InvalidArgumentError);
  EXPECT_THROW(process->collect(within(kLargestTimeout + 1ms)), InvalidArgumentError);
  EXPECT_EQ(process->collect().out, "a\n");
}

TEST_F(CollectTest, ReturnsWhatReadersHaveLeft) {
  const auto process = ended("one\ntwo\nthree\n", "e\n", 4);
  std::string line;
  ASSERT_TRUE(process->out().next(line));
  std::byte byte{};
  ASSERT_EQ(process->read_some(Stream::kOut, {&byte, 1}), 1u);
  EXPECT_EQ(all_lines(process->err()), std::vector<std::string>{"e\n"});
  const Output output = process->collect();
  EXPECT_EQ(output.out, "wo\nthree\n");
  EXPECT_EQ(output.out_bytes, 9u);
  EXPECT_EQ(output.err, "");
  EXPECT_EQ(output.err_bytes, 0u);
  EXPECT_EQ(output.status, ExitStatus::exited(4));
}

TEST_F(CollectTest, ABrokenStreamKillsTheCommandAndIsThrownWithWhatCame) {
  const auto process = exec();
  command().write(Stream::kOut, "a\nrest");
  command().write(Stream::kErr, "e\n");
  command().break_stream(Stream::kOut, std::errc::connection_reset);
  std::string first;
  try {
    process->collect();
    FAIL() << "a broken stream was collected";
  } catch (const SandboxLostError& error) {
    first = error.what();
    EXPECT_NE(first.find("stdout of process 1 of " + session().id()), std::string::npos) << first;
    ASSERT_NE(error.partial(), nullptr);
    EXPECT_EQ(error.partial()->out, "a\nrest");
    EXPECT_EQ(error.partial()->err, "e\n");
    EXPECT_EQ(error.partial()->out_end, StreamEnd::kBroken);
  }
  EXPECT_EQ(command().kills(), 1);
  EXPECT_EQ(process->wait().integer(), 137);
  EXPECT_EQ(lost_text([&] { process->collect(); }), first);
}

TEST_F(CollectTest, OfTwoBrokenStreamsTheErrorOfStdoutIsThrown) {
  // Stdout still has bytes to be taken when the other's error is seen.
  const std::string text = numbered_lines(200'000);
  const auto process = exec();
  std::jthread writer([&] {
    command().break_stream(Stream::kErr, std::errc::broken_pipe);
    command().write(Stream::kOut, text);
    command().break_stream(Stream::kOut, std::errc::connection_reset);
  });
  writer.join();
  const std::string lost = lost_text([&] { process->collect(); });
  EXPECT_NE(lost.find("stdout of"), std::string::npos) << lost;
}

TEST_F(CollectTest, ABrokenStreamIsThrownAlsoWhenTheKillFails) {
  settings_.set("drain_grace", 0.0);
  backend_->on_exec = [](const auto& command) {
    command->on_kill = [] { throw BackendError("no way"); };
  };
  const auto process = exec();
  command().break_stream(Stream::kErr, std::errc::connection_reset);
  const std::string lost = lost_text([&] { process->collect(); });
  EXPECT_NE(lost.find("stderr of"), std::string::npos) << lost;
  command().die(ExitStatus::exited(0));
}

TEST_F(CollectTest, AtTheDeadlineTheTreeIsKilledAndWhatCameIsReturned) {
  const auto process = exec();
  command().write(Stream::kOut, "before\npartial");
  const Output output = process->collect(within(30ms));
  EXPECT_TRUE(output.timed_out);
  EXPECT_EQ(output.status.integer(), 137);
  EXPECT_TRUE(output.status.timed_out());
  EXPECT_EQ(output.out, "before\npartial");
  EXPECT_EQ(command().kills(), 1);
}

TEST_F(CollectTest, ADeadlineHoldsForACommandThatNeverStopsWriting) {
  in_step_ = true;  // So that every line is taken.
  const auto process = exec();
  std::jthread writer([&] {
    const std::string text = numbered_lines(4096);
    while (command().write(Stream::kOut, text)) {
    }
  });
  const Output output = process->collect(within(100ms));
  EXPECT_TRUE(output.timed_out);
}

TEST_F(CollectTest, ADeadlineThatFindsTheCommandEndedKillsNothing) {
  settings_.set("drain_grace", 0.2);
  const auto process = exec();
  command().write(Stream::kOut, "a\n");
  command().exit(ExitStatus::exited(0));  // Held by a descendant past the deadline.
  const Output output = process->collect(within(10ms));
  EXPECT_FALSE(output.timed_out);
  EXPECT_EQ(output.status, ExitStatus::exited(0));
  EXPECT_EQ(output.out, "a\n");
  EXPECT_EQ(output.out_end, StreamEnd::kHeldByDescendant);
  EXPECT_EQ(command().kills(), 0);
}

TEST_F(CollectTest, AKillAtTheDeadlineThatDoesNotWorkIsTold) {
  settings_.set("drain_grace", 0.0);
  backend_->on_exec = [](const auto& command) {
    command->on_kill = [] { throw BackendError("the engine is gone"); };
  };
  const auto process = exec();
  command().write(Stream::kOut, "before\n");
  try {
    process->collect(within(1ms));
    FAIL() << "the end of a command that runs was collected";
  } catch (const SandboxLostError& error) {
    EXPECT_NE(std::string(error.what()).find("the engine is gone"), std::string::npos);
    ASSERT_NE(error.partial(), nullptr);
    EXPECT_EQ(error.partial()->out, "before\n");
  }
  command().die(ExitStatus::exited(0));
}

TEST_F(CollectTest, SaysWhenADescendantHoldsTheStreams) {
  settings_.set("drain_grace", 0.05);
  const auto process = exec();
  command().write(Stream::kOut, "a\n");
  command().close(Stream::kErr);
  command().exit(ExitStatus::exited(2));
  const Output output = process->collect();
  EXPECT_EQ(output.out, "a\n");
  EXPECT_EQ(output.status, ExitStatus::exited(2));
  EXPECT_EQ(output.out_end, StreamEnd::kHeldByDescendant);
  EXPECT_EQ(output.err_end, StreamEnd::kComplete);
}

TEST_F(CollectTest, ALostStatusCarriesTheOutput) {
  const auto process = exec();
  command().write(Stream::kOut, "a\n");
  command().close(Stream::kOut);
  command().close(Stream::kErr);
  command().exit(ExitStatus::lost("the engine was restarted and knows nothing"));
  try {
    process->collect();
    FAIL() << "a lost status was collected";
  } catch (const SandboxLostError& error) {
    EXPECT_NE(std::string(error.what()).find("the engine was restarted and knows nothing"),
              std::string::npos)
        << error.what();
    ASSERT_NE(error.partial(), nullptr);
    EXPECT_EQ(error.partial()->out, "a\n");
    EXPECT_EQ(error.partial()->status,
              ExitStatus::lost("the engine was restarted and knows nothing"));
  }
}

TEST_F(CollectTest, TakesWhatCameBeforeIt) {
  const std::string text = numbered_lines(3 << 20);
  const auto process = exec();
  command().write(Stream::kOut, text);  // Read by the poller, into the spill file.
  command().finish();
  const Output output = process->collect(with_cap(std::int64_t{1} << 24));
  EXPECT_TRUE(output.out == text);
}

/// Signals without SA_RESTART, to any thread.
TEST_F(CollectTest, AStormOfSignalsLosesNothing) {
  struct sigaction old {};
  struct sigaction action {};
  action.sa_handler = [](int) {};
  ASSERT_EQ(::sigaction(SIGALRM, &action, &old), 0);
  const itimerval every{{0, 1000}, {0, 1000}};
  ASSERT_EQ(::setitimer(ITIMER_REAL, &every, nullptr), 0);
  const std::string text = numbered_lines(10 << 20);
  const auto process = exec();
  std::jthread writer([&] {
    command().write(Stream::kOut, text);
    command().finish(3);
  });
  const Output output = process->collect(with_cap(std::int64_t{1} << 26));
  writer.join();
  const itimerval never{};
  ASSERT_EQ(::setitimer(ITIMER_REAL, &never, nullptr), 0);
  ASSERT_EQ(::sigaction(SIGALRM, &old, nullptr), 0);
  EXPECT_TRUE(output.out == text);
  EXPECT_EQ(output.status, ExitStatus::exited(3));
  EXPECT_EQ(output.out_end, StreamEnd::kComplete);
}

/// The heap's share that is in use, without what the allocator keeps.
std::size_t heap_in_use() { return ::mallinfo2().uordblks + ::mallinfo2().hblkhd; }

/// Writes much; returns the most memory that was in use meanwhile.
std::size_t write_much(FakeCommand& command, const std::string& piece, std::size_t size) {
  std::size_t most = 0;
  for (std::size_t written = 0; written < size; written += piece.size()) {
    command.write(Stream::kOut, piece);
    most = std::max(most, heap_in_use());
  }
  command.finish();
  return most;
}

TEST_F(CollectTest, MemoryIsBoundedByTheCapWhateverTheCommandWrites) {
  constexpr std::size_t kWritten = 64 << 20;
  const std::string pieces[] = {numbered_lines(1 << 16), std::string(1 << 16, 'x')};
  for (const bool before : {true, false}) {
    for (const std::string& piece : pieces) {
      SCOPED_TRACE(piece.substr(0, 5) + (before ? ", before" : ", meanwhile"));
      const auto process = exec();
      const std::size_t at_start = heap_in_use();
      std::size_t most = 0;
      std::jthread writer([&] { most = write_much(command(), piece, kWritten); });
      if (before) writer.join();  // All of it is in the spill file when collect() begins.
      const Output output = process->collect();
      if (writer.joinable()) writer.join();
      EXPECT_TRUE(output.out_truncated);
      EXPECT_GT(output.out_bytes, kWritten - 1);
      // 4 bytes per code point of the cap, the beginning of a line as much again, and buffers.
      EXPECT_LT(std::max(most, heap_in_use()), at_start + (24 << 20));
    }
  }
}

}  // namespace
}  // namespace sandproof
