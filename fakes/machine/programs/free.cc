// SPDX-License-Identifier: Apache-2.0
// free: the memory of the box.
#include <algorithm>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/memory_figures.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kFreeUsage = {.text = "[-bkmgh]", .letters = "bkmgh"};

std::string free_amount(std::uint64_t kilobytes, char unit) {
  switch (unit) {
    case 'b':
      return std::to_string(kilobytes * 1024);
    case 'm':
      return std::to_string(kilobytes / 1024);
    case 'g':
      return std::to_string(kilobytes / 1024 / 1024);
    case 'h':
      return human_size(kilobytes * 1024);
    default:
      return std::to_string(kilobytes);
  }
}

std::string free_row(const char* name, std::initializer_list<std::uint64_t> amounts, char unit) {
  std::string line = printed("%-7s", name);
  for (const std::uint64_t amount : amounts) {
    line += printed("%12s", free_amount(amount, unit).c_str());
  }
  return line + "\n";
}

Task<int> run_free(Process& self) {
  Tool tool(self, kFreeUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const MemoryFigures memory = co_await read_memory(self);
  const char unit = options->last_of("bkmgh");
  const std::uint64_t cached = memory.buffers + memory.cached;
  const std::uint64_t gone = std::min(memory.total, memory.free + cached);
  std::string text = printed("       %12s%12s%12s%12s%12s%12s\n", "total", "used", "free", "shared",
                             "buff/cache", "available");
  text += free_row(
      "Mem:",
      {memory.total, memory.total - gone, memory.free, memory.shared, cached, memory.available},
      unit);
  text += free_row(
      "Swap:", {memory.swap_total, memory.swap_total - memory.swap_free, memory.swap_free}, unit);
  (void)co_await tool.out.put(text);
  co_return co_await tool.finish();
}

}  // namespace

Task<int> free_main(Process& self) { return run_free(self); }

}  // namespace sandproof::machine::programs
