// SPDX-License-Identifier: Apache-2.0
// Signals: Linux's numbers on x86-64, their names and what they do by default. Values and pure
// functions; any thread.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sandproof::machine {

/// 1 to 64; those without a name here, 32 and up, are the real-time ones. (Unlike the real ones
/// they are not queued: one that is pending is pending once.)
enum class Signal : int {
  kHup = 1,
  kInt = 2,
  kQuit = 3,
  kIll = 4,
  kTrap = 5,
  kAbrt = 6,
  kBus = 7,
  kFpe = 8,
  kKill = 9,
  kUsr1 = 10,
  kSegv = 11,
  kUsr2 = 12,
  kPipe = 13,
  kAlrm = 14,
  kTerm = 15,
  kStkflt = 16,
  kChld = 17,
  kCont = 18,
  kStop = 19,
  kTstp = 20,
  kTtin = 21,
  kTtou = 22,
  kUrg = 23,
  kXcpu = 24,
  kXfsz = 25,
  kVtalrm = 26,
  kProf = 27,
  kWinch = 28,
  kIo = 29,
  kPwr = 30,
  kSys = 31,
};

constexpr int kLastSignal = 64;
constexpr bool is_signal(int number) { return number >= 1 && number <= kLastSignal; }

enum class DefaultAction { kTerminate, kIgnore, kStop, kContinue };
DefaultAction default_action(Signal signal);

/// "TERM" for kTerm; the number of a real-time one: "34".
std::string name_of(Signal signal);
/// By name, with or without "SIG", in capitals, or by number; nothing for anything else.
std::optional<Signal> signal_named(std::string_view name);

class SignalSet {
 public:
  constexpr SignalSet() = default;
  bool has(Signal signal) const { return (bits_ & bit(signal)) != 0; }
  void add(Signal signal) { bits_ |= bit(signal); }
  void remove(Signal signal) { bits_ &= ~bit(signal); }
  bool empty() const { return bits_ == 0; }
  /// The lowest number. Only where not empty().
  Signal first() const { return static_cast<Signal>(std::countr_zero(bits_) + 1); }
  SignalSet without(SignalSet other) const { return SignalSet(bits_ & ~other.bits_); }
  SignalSet both(SignalSet other) const { return SignalSet(bits_ & other.bits_); }
  SignalSet either(SignalSet other) const { return SignalSet(bits_ | other.bits_); }
  /// Bit n-1 is signal n, as SigPnd and the like of /proc/PID/status print it.
  std::uint64_t bits() const { return bits_; }
  bool operator==(const SignalSet&) const = default;

 private:
  explicit SignalSet(std::uint64_t bits) : bits_(bits) {}
  static std::uint64_t bit(Signal signal) {
    return std::uint64_t{1} << (static_cast<int>(signal) - 1);
  }
  std::uint64_t bits_ = 0;
};

}  // namespace sandproof::machine
