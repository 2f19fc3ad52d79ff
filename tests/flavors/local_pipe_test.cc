// SPDX-License-Identifier: Apache-2.0
// Pipes: what an end of file, a full pipe and a missing reader look like.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <string_view>
#include <vector>

#include "flavors/local/pipe.h"

namespace sandproof::local {
namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

bool sigpipe_is_pending() {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGPIPE) == 1;
}

TEST(PipeTest, BothEndsAreClosedOnExecFromBirth) {
  const Pipe pipe = make_pipe();
  EXPECT_EQ(::fcntl(pipe.read_end.get(), F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(::fcntl(pipe.write_end.get(), F_GETFD), FD_CLOEXEC);
  EXPECT_GT(pipe.read_end.get(), 2);
  EXPECT_GT(pipe.write_end.get(), 2);
}

TEST(PipeTest, OneEndCanBeNonBlockingAlone) {
  const Pipe pipe = make_pipe();
  set_nonblocking(pipe.read_end.get());
  EXPECT_NE(::fcntl(pipe.read_end.get(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_EQ(::fcntl(pipe.write_end.get(), F_GETFL) & O_NONBLOCK, 0);
}

TEST(PipeTest, ReadsWhatIsThereThenNothingThenTheEnd) {
  Pipe pipe = make_pipe();
  set_nonblocking(pipe.read_end.get());
  std::array<std::byte, 16> buffer{};
  EXPECT_EQ(read_pipe(pipe.read_end.get(), buffer).state, IoState::kAgain);
  EXPECT_EQ(write_pipe(pipe.write_end.get(), bytes("abc")).count, 3U);
  const IoResult result = read_pipe(pipe.read_end.get(), buffer);
  EXPECT_EQ(result.state, IoState::kReady);
  EXPECT_EQ(result.count, 3U);
  pipe.write_end.reset();
  EXPECT_EQ(read_pipe(pipe.read_end.get(), buffer).state, IoState::kEnd);
}

TEST(PipeTest, AFullPipeTakesNoMore) {
  const Pipe pipe = make_pipe();
  set_nonblocking(pipe.write_end.get());
  const std::vector<std::byte> much(std::size_t{1} << 20);
  EXPECT_EQ(write_pipe(pipe.write_end.get(), much).state, IoState::kReady);
  EXPECT_EQ(write_pipe(pipe.write_end.get(), much).state, IoState::kAgain);
}

// The default disposition of SIGPIPE would end this program.
TEST(PipeTest, AMissingReaderIsTheEndAndNoSignal) {
  Pipe pipe = make_pipe();
  pipe.read_end.reset();
  EXPECT_EQ(write_pipe(pipe.write_end.get(), bytes("x")).state, IoState::kEnd);
  EXPECT_FALSE(sigpipe_is_pending());
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_EQ(sigismember(&mask, SIGPIPE), 0);
}

TEST(PipeTest, ASigpipeThatWasPendingBeforeStays) {
  sigset_t sigpipe;
  sigset_t before;
  sigemptyset(&sigpipe);
  sigaddset(&sigpipe, SIGPIPE);
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &sigpipe, &before), 0);
  Pipe pipe = make_pipe();
  pipe.read_end.reset();
  EXPECT_EQ(write_pipe(pipe.write_end.get(), bytes("x")).state, IoState::kEnd);
  EXPECT_FALSE(sigpipe_is_pending()) << "it is the one of the write";
  pthread_kill(pthread_self(), SIGPIPE);
  EXPECT_EQ(write_pipe(pipe.write_end.get(), bytes("x")).state, IoState::kEnd);
  EXPECT_TRUE(sigpipe_is_pending()) << "it is somebody else's";
  const timespec now{};
  EXPECT_EQ(sigtimedwait(&sigpipe, nullptr, &now), SIGPIPE);
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
}

TEST(PipeTest, OtherTroubleIsAnError) {
  std::array<std::byte, 16> buffer{};
  const IoResult result = read_pipe(-1, buffer);
  EXPECT_EQ(result.state, IoState::kError);
  EXPECT_EQ(result.error.value(), EBADF);
}

}  // namespace
}  // namespace sandproof::local
