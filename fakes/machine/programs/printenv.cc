// SPDX-License-Identifier: Apache-2.0
// printenv: the environment, or variables of it.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kPrintenvUsage = {.text = "[VARIABLE]...", .letters = "+0", .failure = 2};

Task<int> run_printenv(Process& self) {
  Tool tool(self, kPrintenvUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const std::string end(1, options->has('0') ? '\0' : '\n');
  if (options->operands.empty()) {
    for (const std::string& entry : self.env()) {
      if (!co_await tool.out.put(entry + end)) break;
    }
  }
  for (const std::string& name : options->operands) {
    const std::optional<std::string> value = variable(self, name);
    if (!value) {
      tool.status = 1;
      continue;
    }
    if (!co_await tool.out.put(*value + end)) break;
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> printenv_main(Process& self) { return run_printenv(self); }

}  // namespace sandproof::machine::programs
