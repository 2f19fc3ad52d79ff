// SPDX-License-Identifier: Apache-2.0
// yes: its words, or y, until nobody takes them.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kYesUsage = {.text = "[STRING]"};

Task<int> run_yes(Process& self) {
  Tool tool(self, kYesUsage);
  const Strings& words = self.argv();
  std::string line;
  for (std::size_t at = 1; at < words.size(); ++at) {
    if (at > 1) line += ' ';
    line += words[at];
  }
  if (words.size() < 2) line = "y";
  line += '\n';
  while (co_await tool.out.put(line)) {
  }
  co_await tool.fail("write error", tool.out.error());
  co_return tool.status;
}

}  // namespace

Task<int> yes_main(Process& self) { return run_yes(self); }

}  // namespace sandproof::machine::programs
