// SPDX-License-Identifier: Apache-2.0
// Blocking the signals of a write(); see write_signals.h.
#include "conformance/report/write_signals.h"

#include <cerrno>
#include <ctime>

namespace sandproof::conformance {

BlockedWriteSignals::BlockedWriteSignals() {
  sigset_t pending;
  sigpending(&pending);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigemptyset(&own_);
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    sigaddset(&blocked, signal);
    if (sigismember(&pending, signal) == 0) sigaddset(&own_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &blocked, &before_);
}

BlockedWriteSignals::~BlockedWriteSignals() {
  const int error = errno;
  const timespec now{};
  // Until none is pending (EAGAIN).
  while (sigtimedwait(&own_, nullptr, &now) > 0 || errno == EINTR) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

}  // namespace sandproof::conformance
