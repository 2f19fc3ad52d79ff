// SPDX-License-Identifier: Apache-2.0
// Blocked signals (signals.h).
#include "conformance/runner/signals.h"

#include <sys/signalfd.h>

#include <cerrno>
#include <ctime>

#include "conformance/runner/system.h"

namespace sandproof::conformance::runner {

BlockedSignals::BlockedSignals() {
  ::sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction current {};
    ::sigaction(signal, nullptr, &current);
    if (current.sa_handler != SIG_IGN) ::sigaddset(&signals_, signal);
  }
  ::sigaddset(&signals_, SIGCHLD);
  struct sigaction child {};
  child.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &child, &previous_child_);
  ::sigprocmask(SIG_BLOCK, &signals_, &previous_mask_);
}

BlockedSignals::~BlockedSignals() {
  ::sigaction(SIGCHLD, &previous_child_, nullptr);
  ::sigprocmask(SIG_SETMASK, &previous_mask_, nullptr);
}

std::optional<int> BlockedSignals::wait(std::optional<std::chrono::milliseconds> bound) const {
  timespec time{};
  if (bound) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*bound);
    time.tv_sec = seconds.count();
    time.tv_nsec = std::chrono::nanoseconds(*bound - seconds).count();
  }
  while (true) {
    const int signal =
        bound ? ::sigtimedwait(&signals_, nullptr, &time) : ::sigwaitinfo(&signals_, nullptr);
    if (signal > 0) return signal;
    if (errno != EINTR) return std::nullopt;
  }
}

UniqueFd BlockedSignals::descriptor() const {
  UniqueFd fd(::signalfd(-1, &signals_, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!fd) throw_system_error("cannot make a descriptor for signals");
  return fd;
}

}  // namespace sandproof::conformance::runner
