// SPDX-License-Identifier: Apache-2.0
// Where those stand who wait for something to change: a pipe, a child. Being woken is a hint: who
// is woken looks again, and waits again if there is nothing. One thread per machine.
#pragma once

namespace sandproof::machine {

class WaitQueue;

/// A place in at most one queue; leaves it when destroyed.
class Waiter {
 public:
  Waiter() = default;
  virtual ~Waiter() { leave(); }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  bool waiting() const { return next_ != nullptr; }
  void leave() {
    if (!waiting()) return;
    previous_->next_ = next_;
    next_->previous_ = previous_;
    previous_ = next_ = nullptr;
  }

 protected:
  /// Called once it has left the queue. It may not destroy the queue, nor wait in it again.
  virtual void woken() {}

 private:
  friend class WaitQueue;
  Waiter* previous_ = nullptr;
  Waiter* next_ = nullptr;
};

class WaitQueue {
 public:
  WaitQueue() { end_.previous_ = end_.next_ = &end_; }
  /// Those who still wait are left waiting for nothing; they may be destroyed later.
  ~WaitQueue() {
    while (end_.next_ != &end_) end_.next_->leave();
    end_.previous_ = end_.next_ = nullptr;
  }
  WaitQueue(const WaitQueue&) = delete;
  WaitQueue& operator=(const WaitQueue&) = delete;

  void add(Waiter& waiter) {
    waiter.leave();
    waiter.previous_ = end_.previous_;
    waiter.next_ = &end_;
    end_.previous_->next_ = &waiter;
    end_.previous_ = &waiter;
  }
  /// All, in the order in which they came.
  void wake_all() {
    while (end_.next_ != &end_) {
      Waiter& first = *end_.next_;
      first.leave();
      first.woken();
    }
  }

 private:
  Waiter end_;
};

}  // namespace sandproof::machine
