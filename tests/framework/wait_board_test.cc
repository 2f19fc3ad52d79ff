// SPDX-License-Identifier: Apache-2.0
// Wait records: what a reader sees, in this process and after the writer was killed.
#include "sandproof/wait_board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <latch>
#include <memory>
#include <optional>
#include <set>
#include <thread>

namespace sandproof {
namespace {

using namespace std::string_literals;
using testing::IsEmpty;

class WaitBoardTest : public testing::Test {
 public:
  ~WaitBoardTest() override {
    install_wait_board(nullptr);
    ::munmap(board_, sizeof(WaitBoard));
  }

 protected:
  WaitBoardTest() {
    void* const memory = ::mmap(nullptr, sizeof(WaitBoard), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("mmap");
    board_ = static_cast<WaitBoard*>(memory);
    install_wait_board(board_);
  }

  std::vector<WaitRecord> read() const { return read_wait_board(*board_); }

  static std::span<const std::byte> bytes(std::string_view text) {
    return std::as_bytes(std::span(text));
  }

  // What the board shows of an object that saw these texts.
  std::string last_bytes_after(const std::vector<std::string>& texts) const {
    const WaitScope scope("next", "object", Where::current());
    WaitObject object("object");
    for (const std::string& text : texts) object.saw(bytes(text));
    return read().at(0).last_bytes;
  }

  WaitBoard* board_ = nullptr;
};

TEST_F(WaitBoardTest, ARecordLivesAsLongAsItsScope) {
  EXPECT_THAT(read(), IsEmpty());
  {
    const WaitScope scope("wait", "process 7 of local-1", Where::current());
    const auto records = read();
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0].verb, "wait");
    EXPECT_EQ(records[0].object, "process 7 of local-1");
    EXPECT_THAT(records[0].file, testing::HasSubstr("wait_board_test.cc"));
    EXPECT_GT(records[0].line, 0u);
    EXPECT_EQ(records[0].thread, static_cast<std::uint32_t>(::syscall(SYS_gettid)));
    EXPECT_EQ(records[0].last_bytes, "");
    EXPECT_EQ(records[0].progress_ns, 0);
  }
  EXPECT_THAT(read(), IsEmpty());
}

TEST_F(WaitBoardTest, TheOldestComesFirst) {
  const WaitScope outer("collect", "a", Where::current());
  const WaitScope middle("wait", "b", Where::current());
  const auto inner = std::make_unique<WaitScope>("next", "c", Where::current());
  const auto records = read();
  ASSERT_EQ(records.size(), 3u);
  EXPECT_LE(records[0].since_ns, records[1].since_ns);
  EXPECT_LE(records[1].since_ns, records[2].since_ns);
  EXPECT_EQ(records[0].object, "a");
  EXPECT_EQ(records[2].object, "c");
}

TEST_F(WaitBoardTest, LongTextIsCut) {
  const WaitScope scope(std::string(100, 'v'), std::string(100, 'o'), Where::current());
  const auto records = read();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].verb, std::string(24, 'v'));
  EXPECT_EQ(records[0].object, std::string(80, 'o'));
}

TEST_F(WaitBoardTest, AReusedSlotShowsNothingOfTheTextBefore) {
  { const WaitScope scope("a long verb here", "a long object name", Where::current()); }
  const WaitScope scope("v", "", Where::current());
  const auto records = read();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].verb, "v");
  EXPECT_EQ(records[0].object, "");
}

TEST_F(WaitBoardTest, TextOfEveryLengthIsWhole) {
  for (std::size_t length = 0; length <= 24; ++length) {
    const WaitScope scope(std::string(length, 'x'), "", Where::current());
    EXPECT_EQ(read().at(0).verb, std::string(length, 'x'));
  }
}

TEST_F(WaitBoardTest, WithoutABoardNothingHappens) {
  install_wait_board(nullptr);
  const WaitScope scope("wait", "a", Where::current());
  WaitObject object("a");
  object.saw(bytes("x"));
  EXPECT_THAT(read(), IsEmpty());
  EXPECT_EQ(board_->progress.load(), 0u);
}

TEST_F(WaitBoardTest, MoreThanThereAreSlotsGoUnrecorded) {
  std::vector<std::unique_ptr<WaitScope>> scopes;
  for (std::size_t count = 0; count < kWaitSlots + 10; ++count) {
    scopes.push_back(std::make_unique<WaitScope>("wait", std::to_string(count), Where::current()));
  }
  EXPECT_EQ(read().size(), kWaitSlots);
  scopes.clear();
  EXPECT_THAT(read(), IsEmpty());
  std::vector<std::unique_ptr<WaitObject>> objects;
  for (std::size_t count = 0; count < kObjectSlots + 10; ++count) {
    objects.push_back(std::make_unique<WaitObject>(std::to_string(count)));
    objects.back()->saw(bytes("x"));
  }
  objects.clear();
  EXPECT_EQ(last_bytes_after({"again"}), "again");
}

// ---- Objects --------------------------------------------------------------------------------

TEST_F(WaitBoardTest, LastBytesBelongToTheObjectOfTheSameName) {
  const WaitScope a("wait", "a", Where::current());
  const WaitScope b("wait", "b", Where::current());
  WaitObject object("b");
  object.saw(bytes("hello"));
  const auto records = read();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].last_bytes, "");
  EXPECT_EQ(records[1].last_bytes, "hello");
  EXPECT_GE(records[1].progress_ns, records[1].since_ns);
}

TEST_F(WaitBoardTest, LastBytesAreTheLastOfAllReads) {
  EXPECT_EQ(last_bytes_after({}), "");
  EXPECT_EQ(last_bytes_after({"", "a", "", "b", "c"}), "abc");
  std::string all;
  std::vector<std::string> texts;
  for (int count = 0; count < 100; ++count) {
    texts.push_back(std::to_string(count) + ",");
    all += texts.back();
    const std::size_t from = all.size() > kLastBytes ? all.size() - kLastBytes : 0;
    EXPECT_EQ(last_bytes_after(texts), all.substr(from));
  }
  EXPECT_EQ(last_bytes_after({std::string(1000, 'x') + "end"}), std::string(157, 'x') + "end");
  EXPECT_EQ(last_bytes_after({std::string(160, 'x'), "y"}), std::string(159, 'x') + "y");
}

TEST_F(WaitBoardTest, LastBytesArePrintable) {
  EXPECT_EQ(last_bytes_after({"a\nb\r\tc\x1b[2J\x7f\x07"}), "a\\nb\\r\\tc\\x1b[2J\\x7f\\x07");
  EXPECT_EQ(last_bytes_after({"\xC3", "\xA9|\xFF"}), "é|\uFFFD");
  EXPECT_EQ(last_bytes_after({"a\0b\0"s}), "ab");
}

TEST_F(WaitBoardTest, AReusedObjectSlotShowsNothingOfTheOneBefore) {
  EXPECT_EQ(last_bytes_after({"secret"}), "secret");
  EXPECT_EQ(last_bytes_after({}), "");
}

TEST_F(WaitBoardTest, ProgressCountsVerbsAndBytes) {
  { const WaitScope scope("wait", "a", Where::current()); }
  EXPECT_EQ(board_->progress.load(), 1u);
  WaitObject object("a");
  object.saw(bytes("12345"));
  object.saw({});
  EXPECT_EQ(board_->progress.load(), 6u);
}

// ---- Threads and processes ------------------------------------------------------------------

TEST_F(WaitBoardTest, ThreadsDoNotShareASlotAndAReaderSeesNoMixture) {
  constexpr int kThreads = 4;
  std::atomic<bool> stop{false};
  std::latch start(kThreads + 1);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      start.arrive_and_wait();
      for (int round = 0; !stop.load(); ++round) {
        const std::string text(static_cast<std::size_t>(1 + (round * 7 + thread) % 24),
                               static_cast<char>('a' + (round + thread) % 26));
        const WaitScope scope(text, text, Where::current());
        WaitObject object(text);
        object.saw(bytes(text));
      }
    });
  }
  start.arrive_and_wait();
  std::vector<WaitRecord> seen;
  for (int round = 0; round < 1000 || seen.size() < 100; ++round) {
    for (WaitRecord& record : read()) seen.push_back(std::move(record));
  }
  stop.store(true);
  threads.clear();
  for (const WaitRecord& record : seen) {
    ASSERT_EQ(record.verb, record.object) << "two claims of one slot are mixed";
    ASSERT_FALSE(record.verb.empty());
    ASSERT_EQ(record.verb, std::string(record.verb.size(), record.verb[0]));
  }
  EXPECT_THAT(read(), IsEmpty());
}

TEST_F(WaitBoardTest, ARecordSurvivesTheWritersDeath) {
  const pid_t child = ::fork();
  if (child == 0) {
    const WaitScope scope("collect", "process 7", Where::current());
    WaitObject object("process 7");
    object.saw(bytes("last words"));
    ::raise(SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto records = read();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].verb, "collect");
  EXPECT_EQ(records[0].object, "process 7");
  EXPECT_EQ(records[0].last_bytes, "last words");
}

// Last in the file, since it takes all that follows to another file.
constexpr const char* kEndOfLongFile = "0123456789012345678901234567890123456789/end.cc";

// clang-format off
#line 7 "/0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789/0123456789012345678901234567890123456789/end.cc"
constexpr Where kLongWhere = Where::current();
// clang-format on

TEST_F(WaitBoardTest, ALongFileNameKeepsItsEnd) {
  const WaitScope scope("wait", "a", kLongWhere);
  const auto records = read();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].file.size(), 120u);
  EXPECT_TRUE(records[0].file.ends_with(kEndOfLongFile)) << records[0].file;
  EXPECT_EQ(records[0].line, 7u);
}

}  // namespace
}  // namespace sandproof
