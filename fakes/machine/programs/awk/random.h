// SPDX-License-Identifier: Apache-2.0
// rand() and srand() of awk: the C library's generator with a state of its own, so that a seed
// gives what it gives in busybox, to nine digits. One thread at a time per object.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>

namespace sandproof::machine::programs::awk {

class Random {
 public:
  Random() { seed(1); }
  Random(const Random&) = delete;
  Random& operator=(const Random&) = delete;

  void seed(unsigned seed);
  unsigned seed_now() const { return seed_; }
  /// At least 0, less than 1.
  double next();

 private:
  double number();

  unsigned seed_ = 1;
  std::array<char, 128> state_{};
  ::random_data data_{};
};

}  // namespace sandproof::machine::programs::awk
