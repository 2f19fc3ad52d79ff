// SPDX-License-Identifier: Apache-2.0
// The exit status: every code, every signal, and real wait statuses.
#include "sandproof/exit_status.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <sstream>
#include <stdexcept>

#include "sandproof/errors.h"

namespace sandproof {
namespace {

TEST(ExitStatus, EveryCodeIsItsOwnInteger) {
  for (int code = 0; code <= 255; ++code) {
    const ExitStatus status = ExitStatus::exited(code);
    EXPECT_TRUE(status.is_exited());
    EXPECT_FALSE(status.is_signaled());
    EXPECT_FALSE(status.is_lost());
    EXPECT_EQ(status.code(), code);
    EXPECT_EQ(status.integer(), code);
    EXPECT_EQ(status.success(), code == 0);
    EXPECT_EQ(ExitStatus::from_wait_status(code << 8), status);
  }
}

TEST(ExitStatus, EverySignalIs128More) {
  for (int signal = 1; signal <= 64; ++signal) {
    const ExitStatus status = ExitStatus::signaled(signal);
    EXPECT_TRUE(status.is_signaled());
    EXPECT_FALSE(status.is_exited());
    EXPECT_EQ(status.signal(), signal);
    EXPECT_EQ(status.integer(), 128 + signal);
    EXPECT_FALSE(status.success());
    EXPECT_EQ(ExitStatus::from_wait_status(signal), status);
    EXPECT_EQ(ExitStatus::from_wait_status(signal | 0x80), status) << "with a core dump";
  }
}

TEST(ExitStatus, LostHasNoInteger) {
  const ExitStatus status = ExitStatus::lost("the pod is gone");
  EXPECT_TRUE(status.is_lost());
  EXPECT_EQ(status.integer(), std::nullopt);
  EXPECT_EQ(status.why(), "the pod is gone");
  EXPECT_FALSE(status.success());
}

TEST(ExitStatus, RefusesWhatIsNone) {
  EXPECT_THROW(ExitStatus::exited(-1), InvalidArgumentError);
  EXPECT_THROW(ExitStatus::exited(256), InvalidArgumentError);
  EXPECT_THROW(ExitStatus::signaled(0), InvalidArgumentError);
  EXPECT_THROW(ExitStatus::signaled(-9), InvalidArgumentError);
  EXPECT_THROW(ExitStatus::signaled(128), InvalidArgumentError);
  EXPECT_NO_THROW(ExitStatus::signaled(127));
}

TEST(ExitStatus, RefusesStoppedAndContinued) {
  EXPECT_THROW(ExitStatus::from_wait_status((SIGSTOP << 8) | 0x7F), InvalidArgumentError);
  EXPECT_THROW(ExitStatus::from_wait_status(0xFFFF), InvalidArgumentError);
}

TEST(ExitStatus, AccessorsBelongToTheirKind) {
  EXPECT_THROW(ExitStatus::lost("x").code(), std::logic_error);
  EXPECT_THROW(ExitStatus::signaled(9).code(), std::logic_error);
  EXPECT_THROW(ExitStatus::exited(137).signal(), std::logic_error);
  EXPECT_THROW(ExitStatus::lost("x").signal(), std::logic_error);
  EXPECT_THROW(ExitStatus::exited(0).why(), std::logic_error);
  EXPECT_THROW(ExitStatus::signaled(9).why(), std::logic_error);
}

TEST(ExitStatus, KindsWithOneIntegerDiffer) {
  EXPECT_EQ(ExitStatus::exited(137).integer(), ExitStatus::signaled(9).integer());
  EXPECT_NE(ExitStatus::exited(137), ExitStatus::signaled(9));
  EXPECT_NE(ExitStatus::lost("a"), ExitStatus::lost("b"));
  EXPECT_NE(ExitStatus::exited(0), ExitStatus::lost(""));
}

TEST(ExitStatus, TimedOutIsPartOfTheValue) {
  const ExitStatus plain = ExitStatus::signaled(9);
  const ExitStatus late = plain.with_timed_out();
  EXPECT_FALSE(plain.timed_out());
  EXPECT_TRUE(late.timed_out());
  EXPECT_NE(plain, late);
  EXPECT_EQ(late.integer(), 137);
  EXPECT_EQ(late, late.with_timed_out());
}

TEST(ExitStatus, Text) {
  EXPECT_EQ(ExitStatus::exited(3).to_string(), "exited(3)");
  EXPECT_EQ(ExitStatus::signaled(9).to_string(), "signaled(9)");
  EXPECT_EQ(ExitStatus::lost("why").to_string(), "lost(why)");
  EXPECT_EQ(ExitStatus::signaled(9).with_timed_out().to_string(), "signaled(9), timed out");
  std::ostringstream stream;
  stream << ExitStatus::exited(0);
  EXPECT_EQ(stream.str(), "exited(0)");
}

// What the kernel really gives, so that the arithmetic above is not its own judge.
ExitStatus status_of_child(int exit_code, int signal) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (signal != 0) ::raise(signal);
    ::_exit(exit_code);
  }
  int wait_status = 0;
  pid_t reaped = 0;
  do {
    reaped = ::waitpid(child, &wait_status, 0);
  } while (reaped < 0 && errno == EINTR);
  EXPECT_EQ(reaped, child);
  return ExitStatus::from_wait_status(wait_status);
}

TEST(ExitStatus, RealChildren) {
  EXPECT_EQ(status_of_child(0, 0), ExitStatus::exited(0));
  EXPECT_EQ(status_of_child(255, 0), ExitStatus::exited(255));
  EXPECT_EQ(status_of_child(0, SIGKILL), ExitStatus::signaled(SIGKILL));
}

}  // namespace
}  // namespace sandproof
