// SPDX-License-Identifier: Apache-2.0
// The signals that end a run early, and SIGCHLD, taken out of the way of ordinary delivery for a
// scope: blocked, to be read from a signalfd or waited for. For a process with one thread.
#pragma once

#include <signal.h>

#include <chrono>
#include <optional>

#include "conformance/runner/unique_fd.h"

namespace sandproof::conformance::runner {

class BlockedSignals {
 public:
  /// SIGINT, SIGTERM and SIGHUP where they are not ignored (nohup, a shell's background job), and
  /// SIGCHLD, whose disposition becomes the default one.
  BlockedSignals();
  /// Mask and disposition are as before.
  ~BlockedSignals();
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  /// The next one; nothing when `bound` is over (no bound: waits for ever).
  std::optional<int> wait(std::optional<std::chrono::milliseconds> bound) const;
  /// Non-blocking, close-on-exec. Throws RunnerError.
  UniqueFd descriptor() const;

 private:
  sigset_t signals_{};
  sigset_t previous_mask_{};
  struct sigaction previous_child_ {};
};

}  // namespace sandproof::conformance::runner
