// SPDX-License-Identifier: Apache-2.0
// setsid: a command in a session of its own. There are no terminals that -c could give it.
#include <memory>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/commands.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kSetsidUsage = {.text = "[-c] PROG ARGS", .letters = "+c", .least = 1};

Task<int> run_setsid(Process& self) {
  Tool tool(self, kSetsidUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  if (self.new_session()) co_return co_await become(tool, options->operands);
  // The leader of a group cannot: a child can, and this one waits for it.
  auto words = std::make_shared<Strings>(options->operands);
  const Result<Pid> child = self.fork([words](Process& born) -> Task<int> {
    (void)born.new_session();
    Tool inner(born, kSetsidUsage);
    Strings argv = *words;
    co_return co_await become(inner, std::move(argv));
  });
  if (!child) {
    co_await tool.fail("fork", child.error());
    co_return tool.status;
  }
  const Result<ChildChange> change = co_await wait_for(self, *child);
  co_return change ? change->status.shell_code() : 1;
}

}  // namespace

Task<int> setsid_main(Process& self) { return run_setsid(self); }

}  // namespace sandproof::machine::programs
