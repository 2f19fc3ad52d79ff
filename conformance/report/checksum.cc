// SPDX-License-Identifier: Apache-2.0
// FNV-1a; see checksum.h.
#include "conformance/report/checksum.h"

#include <fmt/format.h>

#include <cstdint>

namespace sandproof::conformance {

std::string checksum_of(std::string_view text) {
  constexpr std::uint64_t kOffsetBasis = 0xcbf29ce484222325;
  constexpr std::uint64_t kPrime = 0x100000001b3;
  std::uint64_t hash = kOffsetBasis;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return fmt::format("fnv1a64:{:016x}", hash);
}

}  // namespace sandproof::conformance
