// SPDX-License-Identifier: Apache-2.0
// How a system call waits: in a queue, until a deadline, or both; signals wake it too. Who is woken
// looks for itself what for, since all of it may have come at once.
#pragma once

#include <coroutine>
#include <optional>

#include "fakes/machine/process.h"

namespace sandproof::machine {

/// A process in a queue.
class ProcessWaiter final : public Waiter {
 public:
  explicit ProcessWaiter(ProcessEntry& entry) : entry_(entry) {}

 private:
  void woken() override;
  ProcessEntry& entry_;
};

/// `co_await Block(entry, queue, deadline)`: does not wait while there is a handled signal to take.
class [[nodiscard]] Block {
 public:
  Block(ProcessEntry& entry, WaitQueue* queue, std::optional<Nanoseconds> deadline = std::nullopt)
      : entry_(entry), queue_(queue), deadline_(deadline), waiter_(entry), timer_(entry) {}

  bool await_ready() const { return !entry_.leaving() && !entry_.takeable().empty(); }
  void await_suspend(std::coroutine_handle<> resume_point);
  void await_resume() {
    waiter_.leave();
    timer_.unset();
  }

 private:
  ProcessEntry& entry_;
  WaitQueue* queue_;
  std::optional<Nanoseconds> deadline_;
  ProcessWaiter waiter_;
  struct WakeTimer : Timer {
    explicit WakeTimer(ProcessEntry& entry) : Timer(entry, Timer::Kind::kWake) {}
  } timer_;
};

}  // namespace sandproof::machine
