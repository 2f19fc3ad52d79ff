// SPDX-License-Identifier: Apache-2.0
// rmdir: takes empty directories away, with those above them.
#include <array>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/paths.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::array kRmdirLongs = {
    LongOption{"ignore-fail-on-non-empty", 'e'},
    LongOption{"parents", 'p'},
    LongOption{"verbose", 'v'},
};
constexpr Usage kRmdirUsage = {
    .text = "[-p] DIRECTORY...", .letters = "pv", .longs = kRmdirLongs, .least = 1};

Task<int> run_rmdir(Process& self) {
  Tool tool(self, kRmdirUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  for (std::string path : options->operands) {
    for (;;) {
      const Result<void> gone = self.rmdir(path);
      if (!gone) {
        if (options->has('e') && gone.error() == Errno::kNotempty) break;
        const std::string what = "'" + path + "'";
        co_await tool.fail(what, gone.error());
        break;
      }
      if (!options->has('p')) break;
      const std::size_t slash = without_slashes(path).rfind('/');
      if (slash == path.npos || slash == 0) break;
      path = without_slashes(path.substr(0, slash));
    }
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> rmdir_main(Process& self) { return run_rmdir(self); }

}  // namespace sandproof::machine::programs
