// SPDX-License-Identifier: Apache-2.0
// Over random_r(3).
#include "fakes/machine/programs/awk/random.h"

namespace sandproof::machine::programs::awk {

void Random::seed(unsigned seed) {
  seed_ = seed;
  data_ = {};
  ::initstate_r(seed, state_.data(), state_.size(), &data_);
}

double Random::number() {
  std::int32_t number = 0;
  ::random_r(&data_, &number);
  constexpr double kRange = 2147483648.0;
  return number / kRange;
}

double Random::next() {
  // busybox draws three times; the last has the upper bits.
  const double low = number();
  number();
  constexpr double kStep = 1 / 2147483648.0;
  return number() + low * kStep;
}

}  // namespace sandproof::machine::programs::awk
