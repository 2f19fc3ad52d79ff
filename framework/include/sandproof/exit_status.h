// SPDX-License-Identifier: Apache-2.0
// How a command ended (CONTRACT.md, "Exit status"). A value; any thread.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <utility>

namespace sandproof {

/// Exactly one of: exited(code), signaled(signal), lost(why). A lost status has no integer: code
/// that wants one has to decide what a lost status means to it.
class ExitStatus {
 public:
  /// `code` is 0..255. Throws InvalidArgumentError otherwise.
  static ExitStatus exited(int code);
  /// `signal` is 1..127. Throws InvalidArgumentError otherwise.
  static ExitStatus signaled(int signal);
  static ExitStatus lost(std::string why);
  /// From a status as `waitpid` gives it. Throws InvalidArgumentError for one that is neither an
  /// exit nor a death by signal (stopped, continued).
  static ExitStatus from_wait_status(int wait_status);

  bool is_exited() const { return kind_ == Kind::kExited; }
  bool is_signaled() const { return kind_ == Kind::kSignaled; }
  bool is_lost() const { return kind_ == Kind::kLost; }
  /// True for exited(0) alone.
  bool success() const { return is_exited() && value_ == 0; }
  /// The code, or 128 + signal; empty for lost.
  std::optional<int> integer() const;
  /// Only for the kind that has it; throws std::logic_error otherwise.
  int code() const;
  int signal() const;
  const std::string& why() const;

  /// The command was ended by the deadline of its `exec` or `collect`.
  bool timed_out() const { return timed_out_; }
  ExitStatus with_timed_out() const;

  /// "exited(3)", "signaled(9)", "lost(why)", with ", timed out" where it applies.
  std::string to_string() const;
  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
  friend std::ostream& operator<<(std::ostream& os, const ExitStatus& status) {
    return os << status.to_string();
  }

 private:
  enum class Kind { kExited, kSignaled, kLost };
  ExitStatus(Kind kind, int value, std::string why)
      : kind_(kind), value_(value), why_(std::move(why)) {}

  Kind kind_;
  int value_;
  std::string why_;
  bool timed_out_ = false;
};

}  // namespace sandproof
