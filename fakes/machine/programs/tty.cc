// SPDX-License-Identifier: Apache-2.0
// tty: the machine has no terminals.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kTtyUsage = {.text = "[-s]", .letters = "s", .failure = 2};

Task<int> run_tty(Process& self) {
  Tool tool(self, kTtyUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  if (!options->has('s')) (void)co_await tool.out.put("not a tty\n");
  co_return co_await tool.finish(1);
}

}  // namespace

Task<int> tty_main(Process& self) { return run_tty(self); }

}  // namespace sandproof::machine::programs
