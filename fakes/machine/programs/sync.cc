// SPDX-License-Identifier: Apache-2.0
// sync: what is in memory is on the machine's only disk.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kSyncUsage = {.text = "[-df] [FILE]...", .letters = "df"};

Task<int> run_sync(Process& self) {
  Tool tool(self, kSyncUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  for (const std::string& path : options->operands) {
    const Result<Attributes> there = self.stat(path);
    if (!there) co_await tool.fail("can't open '" + path + "'", there.error());
  }
  co_return tool.status;
}

}  // namespace

Task<int> sync_main(Process& self) { return run_sync(self); }

}  // namespace sandproof::machine::programs
