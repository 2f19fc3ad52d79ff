// SPDX-License-Identifier: Apache-2.0
// An eventfd that ends somebody's poll() early. Any thread.
#pragma once

namespace sandproof {

class WakeEvent {
 public:
  /// Throws std::system_error when the system has no descriptor left.
  WakeEvent();
  ~WakeEvent();
  WakeEvent(const WakeEvent&) = delete;
  WakeEvent& operator=(const WakeEvent&) = delete;

  int descriptor() const { return fd_; }
  /// Makes the descriptor readable until reset(). Never blocks.
  void set() noexcept;
  void reset() noexcept;

 private:
  int fd_;
};

}  // namespace sandproof
