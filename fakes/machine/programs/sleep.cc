// SPDX-License-Identifier: Apache-2.0
// sleep: the sum of its lengths, in the machine's time.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kSleepUsage = {.text = "[N]...", .least = 1};

Task<int> run_sleep(Process& self) {
  Tool tool(self, kSleepUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  Nanoseconds length{0};
  bool for_ever = false;
  for (const std::string& word : options->operands) {
    if (word == "inf" || word == "infinity") {
      for_ever = true;
      continue;
    }
    const std::optional<Nanoseconds> part = read_duration(word);
    if (!part) {
      const std::string why = "invalid number '" + word + "'";
      co_await tool.fail(why);
      co_return tool.status;
    }
    // A century: longer than that is for ever, and sums stay far from the end of the clock.
    length = std::min(length + *part, *read_duration("36600d"));
  }
  while (for_ever) (void)co_await self.pause();
  const Nanoseconds end = self.now() + length;
  while (self.now() < end) (void)co_await self.sleep(end - self.now());  // sleep: is the program
  co_return 0;
}

}  // namespace

Task<int> sleep_main(Process& self) { return run_sleep(self); }

}  // namespace sandproof::machine::programs
