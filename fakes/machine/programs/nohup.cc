// SPDX-License-Identifier: Apache-2.0
// nohup: a command that a hangup does not end. As nothing is a terminal, nothing is redirected.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/commands.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kNohupUsage = {.text = "PROG ARGS", .letters = "+", .least = 1, .failure = 125};

Task<int> run_nohup(Process& self) {
  Tool tool(self, kNohupUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  (void)self.set_disposition(Signal::kHup, Disposition::kIgnore);
  co_return co_await become(tool, options->operands);
}

}  // namespace

Task<int> nohup_main(Process& self) { return run_nohup(self); }

}  // namespace sandproof::machine::programs
