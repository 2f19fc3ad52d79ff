// SPDX-License-Identifier: Apache-2.0
// The guards of harness_state.h. Each saves what it changes.
#include "conformance/cases/harness_state.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

namespace sandproof::conformance {
namespace {

constexpr std::array kBlocked = {SIGTERM, SIGCHLD, SIGUSR1};
constexpr std::array kIgnored = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE};
constexpr suseconds_t kStormPeriod = 1000;  // Microseconds.

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

OpenStdin::OpenStdin(std::string_view bytes) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe");
  saved_ = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  writer_ = ends[1];
  // no-cloexec: a standard descriptor is what commands inherit where they are not given another
  const bool replaced = ::dup2(ends[0], STDIN_FILENO) == STDIN_FILENO;
  ::close(ends[0]);
  if (!replaced) fail("cannot replace the standard input");
  const ssize_t written = ::write(writer_, bytes.data(), bytes.size());
  if (written != static_cast<ssize_t>(bytes.size())) fail("cannot fill a pipe");
}

OpenStdin::~OpenStdin() {
  if (saved_ >= 0) {
    ::dup2(saved_, STDIN_FILENO);  // no-cloexec: as it was
    ::close(saved_);
  } else {
    ::close(STDIN_FILENO);
  }
  ::close(writer_);
}

struct OddSignals::Saved {
  sigset_t mask;
  std::array<struct sigaction, kIgnored.size()> actions;
};

OddSignals::OddSignals() : saved_(std::make_unique<Saved>()) {
  sigset_t blocked;
  ::sigemptyset(&blocked);
  for (const int signal : kBlocked) ::sigaddset(&blocked, signal);
  const int error = ::pthread_sigmask(SIG_BLOCK, &blocked, &saved_->mask);
  if (error != 0) throw std::system_error(error, std::generic_category(), "cannot block signals");
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  for (std::size_t i = 0; i < kIgnored.size(); ++i) {
    if (::sigaction(kIgnored[i], &ignore, &saved_->actions[i]) != 0) fail("cannot ignore a signal");
  }
}

OddSignals::~OddSignals() {
  for (std::size_t i = 0; i < kIgnored.size(); ++i) {
    ::sigaction(kIgnored[i], &saved_->actions[i], nullptr);
  }
  ::pthread_sigmask(SIG_SETMASK, &saved_->mask, nullptr);
}

struct SignalStorm::Saved {
  struct sigaction action;
};

SignalStorm::SignalStorm() : saved_(std::make_unique<Saved>()) {
  struct sigaction nothing = {};
  nothing.sa_handler = [](int) {};
  if (::sigaction(SIGALRM, &nothing, &saved_->action) != 0) fail("cannot handle a signal");
  const itimerval often = {{0, kStormPeriod}, {0, kStormPeriod}};
  if (::setitimer(ITIMER_REAL, &often, nullptr) != 0) fail("cannot set a timer");
}

SignalStorm::~SignalStorm() {
  const itimerval never = {};
  ::setitimer(ITIMER_REAL, &never, nullptr);
  // One that was on its way must not meet the default action, which ends the process.
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGALRM, &ignore, nullptr);
  ::sigaction(SIGALRM, &saved_->action, nullptr);
}

ManyDescriptors::ManyDescriptors(std::size_t count) {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) fail("cannot read the limit of descriptors");
  soft_limit_ = limit.rlim_cur;
  if (limit.rlim_cur < 2 * count) {
    limit.rlim_cur = 2 * count;
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) fail("cannot raise the limit of descriptors");
  }
  for (std::size_t i = 0; i < count; ++i) {
    open_.push_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  }
}

ManyDescriptors::~ManyDescriptors() {
  for (const int descriptor : open_) {
    if (descriptor >= 0) ::close(descriptor);
  }
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = soft_limit_;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

HarnessVariable::HarnessVariable(const char* name, const char* value) : name_(name) {
  if (::setenv(name, value, 1) != 0) fail("cannot set an environment variable");
}

HarnessVariable::~HarnessVariable() { ::unsetenv(name_); }

struct FileSizeLimit::Saved {
  rlimit limit{};
  void (*handler)(int) = nullptr;
};

FileSizeLimit::FileSizeLimit(std::uint64_t bytes) : saved_(std::make_unique<Saved>()) {
  ::getrlimit(RLIMIT_FSIZE, &saved_->limit);
  saved_->handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = saved_->limit;
  limit.rlim_cur = bytes;
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

FileSizeLimit::~FileSizeLimit() {
  ::setrlimit(RLIMIT_FSIZE, &saved_->limit);
  std::signal(SIGXFSZ, saved_->handler);
}

namespace {
/// Far from the numbers that a program gets by itself.
constexpr int kHighDescriptor = 200;
}  // namespace

CarelessDescriptors::CarelessDescriptors()
    // no-cloexec: that commands do not get these is what is tested.
    : low_(::open("/dev/null", O_RDONLY)) {
  ::dup2(low_, kHighDescriptor);  // no-cloexec: as above.
}

CarelessDescriptors::~CarelessDescriptors() {
  ::close(low_);
  ::close(kHighDescriptor);
}

}  // namespace sandproof::conformance
