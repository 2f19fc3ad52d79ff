// SPDX-License-Identifier: Apache-2.0
// What wait() tells of a child: that it exited, was ended or stopped by a signal, or goes on.
// Values.
#pragma once

#include "fakes/machine/signal.h"

namespace sandproof::machine {

class WaitStatus {
 public:
  enum class Kind : unsigned char { kExited, kSignaled, kStopped, kContinued };

  /// The low eight bits of `code`, as exit() keeps them.
  static WaitStatus exited(int code) { return {Kind::kExited, code & 0xff}; }
  static WaitStatus signaled(Signal signal) { return {Kind::kSignaled, static_cast<int>(signal)}; }
  static WaitStatus stopped(Signal signal) { return {Kind::kStopped, static_cast<int>(signal)}; }
  static WaitStatus continued() { return {Kind::kContinued, 0}; }

  Kind kind() const { return kind_; }
  bool ended() const { return kind_ == Kind::kExited || kind_ == Kind::kSignaled; }
  /// The exit code, or the signal's number.
  int value() const { return value_; }
  /// `$?` of a shell: the code, or 128 and the signal.
  int shell_code() const { return kind_ == Kind::kExited ? value_ : 128 + value_; }
  /// The word that the real wait() stores (never with the bit for a core dump: there are none).
  int word() const {
    switch (kind_) {
      case Kind::kExited:
        return value_ << 8;
      case Kind::kSignaled:
        return value_;
      case Kind::kStopped:
        return (value_ << 8) | 0x7f;
      case Kind::kContinued:
        break;
    }
    return 0xffff;
  }
  bool operator==(const WaitStatus&) const = default;

 private:
  WaitStatus(Kind kind, int value) : kind_(kind), value_(value) {}
  Kind kind_;
  int value_;
};

}  // namespace sandproof::machine
