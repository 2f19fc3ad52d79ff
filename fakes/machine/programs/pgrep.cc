// SPDX-License-Identifier: Apache-2.0
// pgrep: the pids of processes by name.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/process_match.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kPgrepUsage = {
    .text = "[options] <pattern>", .letters = kMatchLetters, .most = 1, .failure = 2};

Task<int> run_pgrep(Process& self) {
  Tool tool(self, kPgrepUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const auto chosen = co_await match_processes(tool, *options);
  if (!chosen) co_return tool.status;
  if (options->has('c')) {
    (void)co_await tool.out.put(std::to_string(chosen->size()) + "\n");
    co_return co_await tool.finish(chosen->empty() ? 1 : 0);
  }
  const std::string between = options->value('d').value_or("\n");
  std::string text;
  for (const ListedProcess& process : *chosen) {
    if (!text.empty()) text += between;
    text += std::to_string(process.pid);
    if (options->has('a')) {
      text += " " + process.arguments;
    } else if (options->has('l')) {
      text += " " + process.name;
    }
  }
  if (!text.empty()) (void)co_await tool.out.put(text + "\n");
  co_return co_await tool.finish(chosen->empty() ? 1 : 0);
}

}  // namespace

Task<int> pgrep_main(Process& self) { return run_pgrep(self); }

}  // namespace sandproof::machine::programs
