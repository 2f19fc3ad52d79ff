// SPDX-License-Identifier: Apache-2.0
// The signals that the kernel sends for a write() that fails, blocked for a scope.
#pragma once

#include <csignal>

namespace sandproof::conformance {

/// A reader that went away (SIGPIPE) and a limit of the size of files (SIGXFSZ) are errors of
/// write(), EPIPE and EFBIG, and no signals: for the calling thread and this scope alone. The
/// dispositions are not touched, since what the program starts would inherit them.
class BlockedWriteSignals {
 public:
  BlockedWriteSignals();
  /// The mask is as before, and what the scope's own writes raised is gone. Keeps errno.
  ~BlockedWriteSignals();
  BlockedWriteSignals(const BlockedWriteSignals&) = delete;
  BlockedWriteSignals& operator=(const BlockedWriteSignals&) = delete;

 private:
  /// Those that were not pending before.
  sigset_t own_{};
  sigset_t before_{};
};

}  // namespace sandproof::conformance
