// SPDX-License-Identifier: Apache-2.0
// Text that fits its place, and when there are colours.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <optional>

#include "conformance/report/terminal.h"

namespace sandproof::conformance {
namespace {

/// Sets a variable for a scope; null unsets it.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = ::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) const {
    if (value == nullptr) {
      ::unsetenv(name_);
    } else {
      ::setenv(name_, value, 1);
    }
  }
  const char* name_;
  std::optional<std::string> before_;
};

/// The slave side of a new pseudo terminal.
class PseudoTerminal {
 public:
  PseudoTerminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    ::grantpt(master_);
    ::unlockpt(master_);
    slave_ = ::open(::ptsname(master_), O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  ~PseudoTerminal() {
    ::close(slave_);
    ::close(master_);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;
  int fd() const { return slave_; }

 private:
  int master_;
  int slave_ = -1;
};

TEST(Terminal, ColoursAreForTerminals) {
  const Variable term("TERM", "xterm");
  const Variable no_color("NO_COLOR", nullptr);
  const PseudoTerminal terminal;
  EXPECT_TRUE(describe_terminal(terminal.fd(), ColorMode::kAuto).color);
  EXPECT_TRUE(describe_terminal(terminal.fd(), ColorMode::kAuto).live);
  EXPECT_FALSE(describe_terminal(terminal.fd(), ColorMode::kNever).color);
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  EXPECT_FALSE(describe_terminal(ends[1], ColorMode::kAuto).color);
  EXPECT_FALSE(describe_terminal(ends[1], ColorMode::kAuto).live);
  EXPECT_TRUE(describe_terminal(ends[1], ColorMode::kAlways).color);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Terminal, NoColorIsHonoured) {
  const Variable term("TERM", "xterm");
  const Variable no_color("NO_COLOR", "1");
  const PseudoTerminal terminal;
  EXPECT_FALSE(describe_terminal(terminal.fd(), ColorMode::kAuto).color);
  EXPECT_TRUE(describe_terminal(terminal.fd(), ColorMode::kAuto).live);
}

TEST(Terminal, ADumbOneIsNotRewritten) {
  const Variable term("TERM", "dumb");
  const PseudoTerminal terminal;
  EXPECT_FALSE(describe_terminal(terminal.fd(), ColorMode::kAuto).live);
}

TEST(Terminal, SymbolsFollowTheLocale) {
  const Variable all("LC_ALL", nullptr);
  const Variable ctype("LC_CTYPE", nullptr);
  {
    const Variable lang("LANG", "de_DE.UTF-8");
    EXPECT_TRUE(describe_terminal(STDOUT_FILENO, ColorMode::kAuto).utf8);
    const Variable over("LC_ALL", "C");
    EXPECT_FALSE(describe_terminal(STDOUT_FILENO, ColorMode::kAuto).utf8);
  }
  const Variable lang("LANG", nullptr);
  EXPECT_FALSE(describe_terminal(STDOUT_FILENO, ColorMode::kAuto).utf8);
}

TEST(Text, WrapsBetweenWords) {
  EXPECT_EQ(wrap("one two three", 9, "", "  "), "one two\n  three\n");
  EXPECT_EQ(wrap("a-word-that-is-too-long b", 5, "> ", "  "), "> a-word-that-is-too-long\n  b\n");
  EXPECT_EQ(wrap("", 10, "x", ""), "x\n");
}

TEST(Text, CutsBetweenCharacters) {
  EXPECT_EQ(cut_to("grün", 4), "grün");
  EXPECT_EQ(cut_to("grüner", 5), "gr...");
  EXPECT_EQ(cut_to("üüüüüü", 5), "üü...");
  EXPECT_EQ(cut_to("abcdef", 2), "..");
  EXPECT_EQ(pad_to("ü", 3), "ü  ");
}

TEST(Text, DurationsAndPlaces) {
  EXPECT_EQ(duration_text(0), "0.00 s");
  EXPECT_EQ(duration_text(310), "0.31 s");
  EXPECT_EQ(duration_text(20'000), "20.0 s");
  EXPECT_EQ(duration_text(125'000), "2 min 05 s");
  EXPECT_EQ(place_text("/a/b/cases/kill.cc", 41), "cases/kill.cc:41");
  EXPECT_EQ(place_text("kill.cc", 1), "kill.cc:1");
  EXPECT_EQ(place_text("/kill.cc", 1), "/kill.cc:1");
}

TEST(Text, AFileThatMayNotGrowIsNoSignal) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const int file = ::memfd_create("limited", MFD_CLOEXEC);
  ASSERT_GE(file, 0);
  const rlimit small{1, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const bool first = write_text(file, "a");
  const bool second = write_text(file, "b");
  const int error = errno;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_TRUE(first);
  EXPECT_FALSE(second);
  EXPECT_EQ(error, EFBIG);
  ::close(file);
}

TEST(Text, AReaderThatWentAwayIsNoSignal) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ::close(ends[0]);
  struct sigaction before {};
  ::sigaction(SIGPIPE, nullptr, &before);
  EXPECT_EQ(before.sa_handler, SIG_DFL);
  EXPECT_FALSE(write_text(ends[1], "nobody"));
  sigset_t pending;
  ::sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
  ::close(ends[1]);
}

}  // namespace
}  // namespace sandproof::conformance
