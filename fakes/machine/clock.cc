// SPDX-License-Identifier: Apache-2.0
// The clocks of a machine.
#include "fakes/machine/clock.h"

#include <cmath>
#include <stdexcept>

namespace sandproof::machine {
namespace {

Nanoseconds host_wall() {
  return std::chrono::duration_cast<Nanoseconds>(
      // clock: the host's, which the embedder asked for
      std::chrono::system_clock::now().time_since_epoch());
}

class HostClock final : public Clock {
 public:
  explicit HostClock(double factor) : Clock(host_wall()), factor_(factor) {}

  Nanoseconds now() const override { return scaled(host_time(), factor_); }
  std::optional<Nanoseconds> host_delay(Nanoseconds deadline) const override {
    const Nanoseconds left = deadline - now();
    if (left <= Nanoseconds::zero()) return Nanoseconds::zero();
    // One more, so that rounding never wakes the host just before the deadline.
    return scaled(left, 1 / factor_) + Nanoseconds(1);
  }

 private:
  Nanoseconds host_time() const {
    // clock: the host's, which the embedder asked for
    return std::chrono::duration_cast<Nanoseconds>(std::chrono::steady_clock::now() - begun_);
  }
  static Nanoseconds scaled(Nanoseconds time, double factor) {
    if (factor == 1.0) return time;
    return Nanoseconds(std::llround(static_cast<double>(time.count()) * factor));
  }

  double factor_;
  // clock: the host's, which the embedder asked for
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace

std::unique_ptr<Clock> make_host_clock(double factor) {
  if (!std::isfinite(factor) || factor <= 0) {
    throw std::invalid_argument("a clock's factor must be finite and above 0, not " +
                                std::to_string(factor));
  }
  return std::make_unique<HostClock>(factor);
}

std::optional<Nanoseconds> ManualClock::host_delay(Nanoseconds deadline) const {
  if (deadline <= now_) return Nanoseconds::zero();
  return std::nullopt;
}

}  // namespace sandproof::machine
