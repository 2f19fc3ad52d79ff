// SPDX-License-Identifier: Apache-2.0
// The deadlines of a machine, in order; those of one instant in the order in which they were set.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "fakes/machine/clock.h"

namespace sandproof::machine {

struct ProcessEntry;
class TimerQueue;

/// One deadline of a process; unset when destroyed.
class Timer {
 public:
  enum class Kind : unsigned char { kWake, kAlarm };

  Timer(ProcessEntry& entry, Kind kind) : entry_(entry), kind_(kind) {}
  ~Timer() { unset(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  bool is_set() const { return queue_ != nullptr; }
  void unset();
  Nanoseconds deadline() const { return deadline_; }
  ProcessEntry& entry() const { return entry_; }
  Kind kind() const { return kind_; }

 private:
  friend class TimerQueue;
  ProcessEntry& entry_;
  TimerQueue* queue_ = nullptr;
  Nanoseconds deadline_{0};
  std::uint64_t order_ = 0;
  Kind kind_;
};

/// Outlives its timers.
class TimerQueue {
 public:
  void set(Timer& timer, Nanoseconds deadline) {
    timer.unset();
    timer.deadline_ = deadline;
    timer.order_ = ++set_so_far_;
    timer.queue_ = this;
    timers_.insert(&timer);
  }
  bool empty() const { return timers_.empty(); }
  std::optional<Nanoseconds> next_deadline() const {
    if (timers_.empty()) return std::nullopt;
    return (*timers_.begin())->deadline();
  }
  /// Takes out the first one that is due, if there is one.
  Timer* take_due(Nanoseconds now) {
    if (timers_.empty() || (*timers_.begin())->deadline() > now) return nullptr;
    Timer* const due = *timers_.begin();
    due->unset();
    return due;
  }

 private:
  friend class Timer;
  struct Earlier {
    bool operator()(const Timer* left, const Timer* right) const {
      if (left->deadline_ != right->deadline_) return left->deadline_ < right->deadline_;
      return left->order_ < right->order_;
    }
  };
  std::set<Timer*, Earlier> timers_;
  std::uint64_t set_so_far_ = 0;
};

inline void Timer::unset() {
  if (queue_ == nullptr) return;
  queue_->timers_.erase(this);
  queue_ = nullptr;
}

}  // namespace sandproof::machine
