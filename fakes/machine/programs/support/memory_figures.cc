// SPDX-License-Identifier: Apache-2.0
// Reading /proc/meminfo.
#include "fakes/machine/programs/support/memory_figures.h"

#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/numbers.h"

namespace sandproof::machine::programs {

namespace {

MemoryFigures figures_of(const std::string& text) {
  const auto figure = [&text](const std::string& name) -> std::uint64_t {
    std::size_t at = text.starts_with(name + ":") ? 0 : text.find("\n" + name + ":");
    if (at == text.npos) return 0;
    at = text.find_first_of("0123456789", text.find(':', at));
    if (at == text.npos) return 0;
    return read_unsigned(text.substr(at, text.find_first_not_of("0123456789", at) - at))
        .value_or(0);
  };
  MemoryFigures figures;
  figures.total = figure("MemTotal");
  figures.free = figure("MemFree");
  figures.available = figure("MemAvailable");
  figures.buffers = figure("Buffers");
  figures.cached = figure("Cached") + figure("SReclaimable");
  figures.shared = figure("Shmem");
  figures.swap_total = figure("SwapTotal");
  figures.swap_free = figure("SwapFree");
  return figures;
}

}  // namespace

Task<MemoryFigures> read_memory(Process& self) {
  const Result<std::string> file = co_await read_file(self, "/proc/meminfo");
  co_return figures_of(file.value_or(""));
}

}  // namespace sandproof::machine::programs
