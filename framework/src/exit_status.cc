// SPDX-License-Identifier: Apache-2.0
// The exit status of sandproof/exit_status.h. A value; any thread.
#include "sandproof/exit_status.h"

#include <sys/wait.h>

#include <stdexcept>
#include <utility>

#include "sandproof/errors.h"

namespace sandproof {
namespace {

constexpr int kLargestCode = 255;
// A wait status has seven bits for the signal, and 0 in them is an exit.
constexpr int kLargestSignal = 127;
// How a shell, and every flavor, writes a death by signal as one integer.
constexpr int kSignalBase = 128;

}  // namespace

ExitStatus ExitStatus::exited(int code) {
  if (code < 0 || code > kLargestCode) {
    throw InvalidArgumentError("cannot make an exit status of code " + std::to_string(code) +
                               ": a code is 0 to 255");
  }
  return {Kind::kExited, code, {}};
}

ExitStatus ExitStatus::signaled(int signal) {
  if (signal < 1 || signal > kLargestSignal) {
    throw InvalidArgumentError("cannot make an exit status of signal " + std::to_string(signal) +
                               ": a signal is 1 to 127");
  }
  return {Kind::kSignaled, signal, {}};
}

ExitStatus ExitStatus::lost(std::string why) { return {Kind::kLost, 0, std::move(why)}; }

ExitStatus ExitStatus::from_wait_status(int wait_status) {
  if (WIFEXITED(wait_status)) return exited(WEXITSTATUS(wait_status));
  if (WIFSIGNALED(wait_status)) return signaled(WTERMSIG(wait_status));
  throw InvalidArgumentError("cannot make an exit status of wait status " +
                             std::to_string(wait_status) +
                             ": it is neither an exit nor a death by signal");
}

std::optional<int> ExitStatus::integer() const {
  switch (kind_) {
    case Kind::kExited:
      return value_;
    case Kind::kSignaled:
      return kSignalBase + value_;
    case Kind::kLost:
      break;
  }
  return std::nullopt;
}

int ExitStatus::code() const {
  if (!is_exited()) throw std::logic_error("an exit code was asked of " + to_string());
  return value_;
}

int ExitStatus::signal() const {
  if (!is_signaled()) throw std::logic_error("a signal was asked of " + to_string());
  return value_;
}

const std::string& ExitStatus::why() const {
  if (!is_lost()) throw std::logic_error("why it was lost was asked of " + to_string());
  return why_;
}

ExitStatus ExitStatus::with_timed_out() const {
  ExitStatus copy = *this;
  copy.timed_out_ = true;
  return copy;
}

std::string ExitStatus::to_string() const {
  std::string text;
  switch (kind_) {
    case Kind::kExited:
      text = "exited(" + std::to_string(value_) + ")";
      break;
    case Kind::kSignaled:
      text = "signaled(" + std::to_string(value_) + ")";
      break;
    case Kind::kLost:
      text = "lost(" + why_ + ")";
      break;
  }
  if (timed_out_) text += ", timed out";
  return text;
}

}  // namespace sandproof
