// SPDX-License-Identifier: Apache-2.0
// What is written to a command (EXEC-012, EXEC-013).
#include <gtest/gtest.h>

#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "sandproof/errors.h"
#include "tests/framework/support_fake_flavor.h"
#include "tests/framework/support_threads.h"

namespace sandproof {
namespace {

using namespace std::chrono_literals;

class StdinTest : public FakeFlavorTest {
 protected:
  /// A command that copies its input to its output, as `cat` does.
  static void echo(FakeCommand& command) {
    for (;;) {
      const std::string piece = command.read_input(1 << 16);
      if (piece.empty()) break;
      if (!command.write(Stream::kOut, piece)) break;
    }
    command.finish();
  }
};

TEST_F(StdinTest, WithoutAnInputNoPipeIsMade) {
  const auto process = exec();
  EXPECT_FALSE(command().request.wants_input);
  EXPECT_THROW(process->in(), InvalidArgumentError);
  command().finish();
}

TEST_F(StdinTest, AnInputIsRefusedWhereTheFlavorClaimsNone) {
  capabilities_ = {};
  EXPECT_THROW(exec(with_input(Stdin::bytes("a"))), UnsupportedError);
  EXPECT_EQ(backend_->execs(), 0);
}

TEST_F(StdinTest, BytesArriveExactlyAndThenTheEnd) {
  for (const std::string& bytes : {std::string(), std::string("a\0b\xFF\n", 5), std::string("x")}) {
    const auto process = exec(with_input(Stdin::bytes(bytes)));
    EXPECT_EQ(command().read_all_input(), bytes);
    command().finish();
    EXPECT_THROW(process->in(), InvalidArgumentError);
  }
}

TEST_F(StdinTest, BytesAreFedWhileNobodyWaits) {
  const std::string bytes = numbered_lines(1 << 20);
  const auto process = exec(with_input(Stdin::bytes(bytes)));
  EXPECT_TRUE(command().read_all_input() == bytes);
  command().finish();
}

TEST_F(StdinTest, SixteenMebibytesAreEchoedWithoutADeadlock) {
  const std::string bytes = numbered_lines(16 << 20);
  const auto process = exec(with_input(Stdin::bytes(bytes)));
  std::jthread cat([c = backend_->last()] { echo(*c); });
  CollectOptions options;
  options.max_chars = std::int64_t{1} << 26;
  EXPECT_TRUE(process->collect(options).out == bytes);
}

TEST_F(StdinTest, AWriterIsEchoedWithoutADeadlock) {
  const std::string bytes = numbered_lines(4 << 20);
  const auto process = exec(with_input(Stdin::pipe()));
  std::jthread cat([c = backend_->last()] { echo(*c); });
  EXPECT_TRUE(process->in().write(bytes));
  process->in().close();
  CollectOptions options;
  options.max_chars = std::int64_t{1} << 26;
  EXPECT_TRUE(process->collect(options).out == bytes);
}

TEST_F(StdinTest, AConversationTurnByTurn) {
  const auto process = exec(with_input(Stdin::pipe()));
  std::jthread cat([c = backend_->last()] { echo(*c); });
  std::string line;
  for (int i = 0; i < 200; ++i) {
    const std::string text = std::to_string(i) + "\n";
    ASSERT_TRUE(process->in().write(text));
    ASSERT_TRUE(process->out().next(line));
    EXPECT_EQ(line, text);
  }
  process->in().close();
  EXPECT_FALSE(process->out().next(line));
  EXPECT_EQ(process->wait(), ExitStatus::exited(0));
}

TEST_F(StdinTest, CloseIsSeenAsTheEndAndIsIdempotent) {
  const auto process = exec(with_input(Stdin::pipe()));
  EXPECT_TRUE(process->in().write("a"));
  EXPECT_TRUE(process->in().write(""));
  process->in().close();
  process->in().close();
  EXPECT_FALSE(process->in().write("b"));
  EXPECT_EQ(command().read_all_input(), "a");
  command().finish();
}

TEST_F(StdinTest, ACommandThatExitsEarlyEndsTheWriter) {
  const auto process = exec(with_input(Stdin::pipe()));
  std::jthread ender([&] {
    command().read_input(1000);
    command().close_input();
  });
  EXPECT_FALSE(process->in().write(std::string(4 << 20, 'x')));
  EXPECT_FALSE(process->in().write("more"));
  command().finish();
  EXPECT_EQ(process->wait(), ExitStatus::exited(0));
}

TEST_F(StdinTest, ACommandThatExitsWhileADescendantHoldsItsInputEndsTheWriter) {
  const auto process = exec(with_input(Stdin::pipe()));
  std::jthread ender([&] {
    command().read_input(1000);
    command().exit(ExitStatus::exited(0));
  });
  EXPECT_FALSE(process->in().write(std::string(4 << 20, 'x')));
  command().die(ExitStatus::exited(0));
}

TEST_F(StdinTest, BytesForACommandThatExitsEarlyAreForgotten) {
  const auto process = exec(with_input(Stdin::bytes(std::string(4 << 20, 'x'))));
  command().write(Stream::kOut, std::string(100, 'y') + "\n");
  command().close_input();
  command().finish(3);
  const Output output = process->collect();
  EXPECT_EQ(output.status, ExitStatus::exited(3));
  EXPECT_EQ(output.out.size(), 101u);
}

TEST_F(StdinTest, CloseEndsAWriterThatIsBlocked) {
  const auto process = exec(with_input(Stdin::pipe()));
  std::jthread closer([&] {
    command().read_input(1);
    process->in().close();
  });
  EXPECT_FALSE(process->in().write(std::string(4 << 20, 'x')));
  closer.join();
  // What the command still gets is the beginning, and then the end.
  EXPECT_LT(command().read_all_input().size(), std::size_t{4} << 20);
  command().finish();
}

TEST_F(StdinTest, WholeCallsOfTwoWritersDoNotMix) {
  const auto process = exec(with_input(Stdin::pipe()));
  constexpr std::size_t kPiece = 200'000;  // Does not fit the pipe.
  std::string got;
  std::jthread reader([&] { got = command().read_all_input(); });
  on_threads(3, [&](std::size_t i) {
    const std::string piece(kPiece, "abc"[i]);
    for (int times = 0; times < 10; ++times) EXPECT_TRUE(process->in().write(piece));
  });
  process->in().close();
  reader.join();
  ASSERT_EQ(got.size(), 30 * kPiece);
  for (std::size_t at = 0; at < got.size(); at += kPiece) {
    EXPECT_TRUE(got.compare(at, kPiece, std::string(kPiece, got[at])) == 0) << at;
  }
  command().finish();
}

TEST_F(StdinTest, DroppingTheHandleClosesTheInput) {
  exec(with_input(Stdin::pipe())).reset();
  EXPECT_EQ(command().read_all_input(), "");
  command().finish();
  EXPECT_TRUE(command().wait_for_hooks_gone());
}

TEST_F(StdinTest, CloseOfTheSessionEndsAWriterThatIsBlocked) {
  const auto process = exec(with_input(Stdin::pipe()));
  std::latch started(1);
  std::jthread writer([&] {
    started.count_down();
    EXPECT_FALSE(process->in().write(std::string(4 << 20, 'x')));
  });
  started.wait();
  session().close();
}

}  // namespace
}  // namespace sandproof
