// SPDX-License-Identifier: Apache-2.0
// See newlines.h.
#include "newlines.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sandproof {
namespace {

/// Two vector registers everywhere; a constant, so that -O2 makes vectors of the loop over it.
constexpr std::size_t kLanes = 32;
/// A lane counts to 255.
constexpr std::size_t kMostRounds = 255;

}  // namespace

std::uint64_t count_newlines(std::string_view bytes) noexcept {
  std::uint64_t total = 0;
  while (bytes.size() >= kLanes) {
    const std::size_t rounds = std::min(bytes.size() / kLanes, kMostRounds);
    std::array<unsigned char, kLanes> counts{};
    const char* at = bytes.data();
    for (std::size_t round = 0; round < rounds; ++round, at += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        counts[lane] = static_cast<unsigned char>(counts[lane] + (at[lane] == '\n' ? 1 : 0));
      }
    }
    for (const unsigned char count : counts) total += count;
    bytes.remove_prefix(rounds * kLanes);
  }
  return total + static_cast<std::uint64_t>(std::ranges::count(bytes, '\n'));
}

}  // namespace sandproof
