// SPDX-License-Identifier: Apache-2.0
// A descriptor of the host that can be polled, and a state that a thread sets. Not locked: whoever
// sets and clears it holds a lock of its own; the number may be asked for from any thread.
#pragma once

namespace sandproof::machine {

class HostEvent {
 public:
  /// What the descriptor tells of: POLLIN while it is set, or POLLOUT while it is set.
  enum class Kind : unsigned char { kReadable, kWritable };

  /// Not set. Throws std::system_error where the host has no descriptors left.
  explicit HostEvent(Kind kind);
  ~HostEvent();
  HostEvent(const HostEvent&) = delete;
  HostEvent& operator=(const HostEvent&) = delete;

  int descriptor() const { return fd_; }
  bool is_set() const { return set_; }
  void set(bool to);

 private:
  void fill() const;
  void drain() const;

  Kind kind_;
  int fd_;
  bool set_ = false;
};

}  // namespace sandproof::machine
