// SPDX-License-Identifier: Apache-2.0
// realpath: absolute paths without links and dots.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kRealpathUsage = {.text = "FILE...", .least = 1};

Task<int> run_realpath(Process& self) {
  Tool tool(self, kRealpathUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  for (const std::string& path : options->operands) {
    const Result<std::string> real = real_path(self, path);
    if (real) {
      (void)co_await tool.out.put(*real + "\n");
    } else {
      co_await tool.fail(path, real.error());
    }
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> realpath_main(Process& self) { return run_realpath(self); }

}  // namespace sandproof::machine::programs
