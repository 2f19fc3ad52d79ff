// SPDX-License-Identifier: Apache-2.0
// Faults that a case puts between the framework and the flavor, on any flavor: hooks that fail,
// streams that break, a status that gets lost; and counters of what reached the flavor.
//
// Shared by the case and the decorated hooks; every field may be read and set from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "sandproof/hooks.h"

namespace sandproof::conformance {

struct HookFaults {
  /// No stream breaks.
  static constexpr std::int64_t kNever = -1;

  // The next n calls throw BackendError("injected: … refused"). A close fails after the flavor's
  // own close ran; a destroy and a kill fail instead of it.
  std::atomic<int> fail_close{0};
  std::atomic<int> fail_destroy{0};
  std::atomic<int> fail_kill{0};
  /// Every call throws std::runtime_error.
  std::atomic<bool> throw_from_dashboard{false};

  // After so many bytes of a stream, reads fail with ECONNRESET. Taken when a command starts.
  std::atomic<std::int64_t> break_out_after{kNever};
  std::atomic<std::int64_t> break_err_after{kNever};
  /// While true, nothing is read of any command: its output stays where the flavor has it, and may
  /// still be there when the command has ended. A flavor that learns the exit only behind the
  /// output does not learn it meanwhile.
  std::atomic<bool> hold_output{false};
  /// Once the command has ended, its status is lost("injected: status lost").
  std::atomic<bool> lose_status{false};

  // Calls that reached the flavor.
  std::atomic<int> creates{0};
  std::atomic<int> execs{0};
  std::atomic<int> transfers{0};
  std::atomic<int> snapshots{0};
  std::atomic<int> closes{0};
  std::atomic<int> destroys{0};
  std::atomic<int> kills{0};
};

/// For SandboxOptions::decorate_hooks.
std::function<std::unique_ptr<SandboxHooks>(std::unique_ptr<SandboxHooks>)> with_faults(
    std::shared_ptr<HookFaults> faults);

}  // namespace sandproof::conformance
