// SPDX-License-Identifier: Apache-2.0
// rm: takes files away.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/paths.h"
#include "fakes/machine/programs/support/remove.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kRmUsage = {.text = "[-irf] FILE...", .letters = "firRv"};

Task<int> run_rm(Process& self) {
  Tool tool(self, kRmUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  RemoveOptions how;
  how.recursive = options->has_any("rR");
  how.force = options->last_of("fi") == 'f';
  how.ask = options->last_of("fi") == 'i';
  how.verbose = options->has('v');
  if (options->operands.empty() && !how.force) co_return co_await tool.misuse();
  for (const std::string& path : options->operands) {
    if (ends_in_dots(path)) {
      co_await tool.fail("can't remove '.' or '..'");
      continue;
    }
    co_await remove_path(tool, path, how);
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> rm_main(Process& self) { return run_rm(self); }

}  // namespace sandproof::machine::programs
