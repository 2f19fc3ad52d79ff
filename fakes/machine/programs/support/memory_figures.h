// SPDX-License-Identifier: Apache-2.0
// What /proc/meminfo says, kilobytes. One process uses it.
#pragma once

#include "fakes/machine/program.h"

namespace sandproof::machine::programs {

struct MemoryFigures {
  std::uint64_t total = 0;
  std::uint64_t free = 0;
  std::uint64_t available = 0;
  std::uint64_t buffers = 0;
  std::uint64_t cached = 0;
  std::uint64_t shared = 0;
  std::uint64_t swap_total = 0;
  std::uint64_t swap_free = 0;
};

/// Zeros for what it does not say.
Task<MemoryFigures> read_memory(Process& self);

}  // namespace sandproof::machine::programs
