// SPDX-License-Identifier: Apache-2.0
// nice: a command. All processes of the machine have the same turn, so that the number is read and
// has no effect.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/commands.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kNiceUsage = {.text = "[-n ADJUST] [PROG ARGS]", .letters = "+n:"};

Task<int> run_nice(Process& self) {
  Tool tool(self, kNiceUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const std::string adjust = options->value('n').value_or("10");
  if (!read_integer(adjust)) {
    const std::string why = "invalid number '" + adjust + "'";
    co_await tool.fail(why);
    co_return tool.status;
  }
  if (!options->operands.empty()) co_return co_await become(tool, options->operands);
  if (options->has('n')) co_return co_await tool.misuse();
  (void)co_await tool.out.put("0\n");
  co_return co_await tool.finish();
}

}  // namespace

Task<int> nice_main(Process& self) { return run_nice(self); }

}  // namespace sandproof::machine::programs
