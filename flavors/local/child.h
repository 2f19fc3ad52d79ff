// SPDX-License-Identifier: Apache-2.0
// A child process that this program started, from its start to its one reaping. Thread-safe.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <mutex>
#include <optional>

#include "flavors/local/descriptor.h"
#include "flavors/local/launcher.h"
#include "sandproof/exit_status.h"

namespace sandproof::local {

/// Owns the pid and its pidfd. The pid is waited for through the pidfd, exactly once, never
/// blocking; nobody else's child is ever waited for. Whoever asks after that, gets the same answer.
class Child {
 public:
  explicit Child(Launched launched);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Where it has not been reaped yet: kills its group, and reaps it, within kDestroyLimit.
  ~Child();

  pid_t pid() const { return pid_; }
  /// Becomes readable when the child has ended. Constant, and open as long as the child object.
  int pidfd() const { return pidfd_.get(); }

  /// The status once the child has ended; reaps it unless it is held. Lost where somebody else has
  /// taken it away.
  std::optional<ExitStatus> poll() noexcept;

  /// As poll(), waiting until `deadline` for the end.
  std::optional<ExitStatus> wait_until(std::chrono::steady_clock::time_point deadline) noexcept;

  /// Sends a signal to the child alone. False when it has been reaped already; no signal was sent.
  bool signal(int number) noexcept;

  /// Sends a signal to the group that the child leads (the launcher makes it one), in one step.
  /// False as signal().
  bool signal_group(int number) noexcept;

  /// While one lives, the child is not reaped: its pid, and with it the ids of its group and
  /// session, belong to it and to nobody else.
  class Hold {
   public:
    Hold(Hold&& other) noexcept : child_(std::exchange(other.child_, nullptr)) {}
    Hold& operator=(Hold&&) = delete;
    ~Hold() {
      if (child_ != nullptr) child_->release();
    }

   private:
    friend class Child;
    explicit Hold(Child* child) : child_(child) {}
    Child* child_;
  };

  /// Empty when the child has been reaped.
  std::optional<Hold> hold();

 private:
  std::optional<ExitStatus> poll_locked() noexcept;
  void release() noexcept;

  const pid_t pid_;
  const Descriptor pidfd_;
  std::mutex mutex_;
  std::optional<ExitStatus> status_;
  bool reaped_ = false;
  int holds_ = 0;
};

}  // namespace sandproof::local
