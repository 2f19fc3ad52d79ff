// SPDX-License-Identifier: Apache-2.0
// nproc: the machine runs one process at a time.
#include <array>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::array kNprocLongs = {
    LongOption{"all", 'a'},
    LongOption{"ignore", 'i', Takes::kArgument},
};
constexpr Usage kNprocUsage = {.text = "[--all] [--ignore=N]", .longs = kNprocLongs};

Task<int> run_nproc(Process& self) {
  Tool tool(self, kNprocUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const auto ignored = options->value('i');
  if (ignored && !read_unsigned(*ignored)) {
    const std::string why = "invalid number '" + *ignored + "'";
    co_await tool.fail(why);
    co_return tool.status;
  }
  (void)co_await tool.out.put("1\n");
  co_return co_await tool.finish();
}

}  // namespace

Task<int> nproc_main(Process& self) { return run_nproc(self); }

}  // namespace sandproof::machine::programs
