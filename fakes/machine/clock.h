// SPDX-License-Identifier: Apache-2.0
// The time of a machine, as an argument: it passes as the host's does, faster or slower, or only
// when it is told. Used from the machine's thread.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

namespace sandproof::machine {

using Nanoseconds = std::chrono::nanoseconds;

class Clock {
 public:
  virtual ~Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

  /// Since the machine was switched on; never goes back. Deadlines are in this time.
  virtual Nanoseconds now() const = 0;
  /// How long the host must really wait until now() is `deadline`; zero if that is past, nothing
  /// where waiting does not help, because only a call advances this clock.
  virtual std::optional<Nanoseconds> host_delay(Nanoseconds deadline) const = 0;
  /// The calendar's time, since 1970.
  Nanoseconds wall() const { return switched_on_at_ + now(); }

 protected:
  explicit Clock(Nanoseconds switched_on_at) : switched_on_at_(switched_on_at) {}

 private:
  Nanoseconds switched_on_at_;
};

/// The host's time, multiplied: 1 is real time, 10 passes ten seconds in each second.
/// Throws std::invalid_argument unless `factor` is finite and positive.
std::unique_ptr<Clock> make_host_clock(double factor = 1.0);

/// Passes by advance() alone: two runs that advance alike are alike.
class ManualClock final : public Clock {
 public:
  /// 2026-01-01, so that dates of files look like dates.
  static constexpr Nanoseconds kSwitchedOnAt = std::chrono::seconds(1767225600);
  explicit ManualClock(Nanoseconds switched_on_at = kSwitchedOnAt) : Clock(switched_on_at) {}

  Nanoseconds now() const override { return now_; }
  std::optional<Nanoseconds> host_delay(Nanoseconds deadline) const override;
  void advance(Nanoseconds by) { now_ += by; }

 private:
  Nanoseconds now_{0};
};

}  // namespace sandproof::machine
