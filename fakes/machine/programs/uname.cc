// SPDX-License-Identifier: Apache-2.0
// uname: what the machine says that it is, the same on every host.
#include <array>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr std::array kUnameLongs = {
    LongOption{"all", 'a'},
    LongOption{"kernel-name", 's'},
    LongOption{"nodename", 'n'},
    LongOption{"kernel-release", 'r'},
    LongOption{"release", 'r'},
    LongOption{"kernel-version", 'v'},
    LongOption{"machine", 'm'},
    LongOption{"processor", 'p'},
    LongOption{"hardware-platform", 'i'},
    LongOption{"operating-system", 'o'},
};
constexpr Usage kUnameUsage = {
    .text = "[-amnrspvio]", .letters = "snrvmpioa", .longs = kUnameLongs, .most = 0};

Task<int> run_uname(Process& self) {
  Tool tool(self, kUnameUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  std::string line;
  const auto part = [&](char letter, std::string_view text) {
    const bool all = options->has('a') && letter != 'p' && letter != 'i';
    if (!all && !options->has(letter) && !(letter == 's' && options->given.empty())) return;
    if (!line.empty()) line += ' ';
    line += text;
  };
  part('s', "Linux");
  part('n', self.hostname());
  part('r', "6.1.0-sandproof");
  part('v', "#1 SMP");
  part('m', "x86_64");
  part('p', "unknown");
  part('i', "unknown");
  part('o', "GNU/Linux");
  (void)co_await tool.out.put(line + "\n");
  co_return co_await tool.finish();
}

}  // namespace

Task<int> uname_main(Process& self) { return run_uname(self); }

}  // namespace sandproof::machine::programs
