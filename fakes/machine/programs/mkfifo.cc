// SPDX-License-Identifier: Apache-2.0
// mkfifo: makes named pipes.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/modes.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kMkfifoUsage = {.text = "[-m MODE] NAME", .letters = "m:Z:", .least = 1};

Task<int> run_mkfifo(Process& self) {
  Tool tool(self, kMkfifoUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  std::optional<unsigned> mode;
  if (const auto text = options->value('m')) {
    mode = changed_mode(*text, {.mode = 0666});
    if (!mode) {
      const std::string why = "invalid mode '" + *text + "'";
      co_await tool.fail(why);
      co_return tool.status;
    }
  }
  for (const std::string& path : options->operands) {
    const Result<void> made = self.mkfifo(path);
    if (!made) {
      co_await tool.fail(path, made.error());
    } else if (mode) {
      (void)self.chmod(path, *mode);
    }
  }
  co_return tool.status;
}

}  // namespace

Task<int> mkfifo_main(Process& self) { return run_mkfifo(self); }

}  // namespace sandproof::machine::programs
