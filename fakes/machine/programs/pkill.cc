// SPDX-License-Identifier: Apache-2.0
// pkill: signals for processes by name.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/process_match.h"
#include "fakes/machine/programs/support/signals.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kPkillUsage = {
    .text = "[options] <pattern>", .letters = kMatchLetters, .most = 1, .failure = 2};

Task<int> run_pkill(Process& self) {
  Tool tool(self, kPkillUsage);
  Strings words = self.argv();
  int number = static_cast<int>(Signal::kTerm);
  // A signal may stand where options do.
  if (words.size() > 1 && words[1].starts_with('-')) {
    const std::optional<int> found = signal_number(std::string_view(words[1]).substr(1));
    if (found) {
      number = *found;
      words.erase(words.begin() + 1);
    }
  }
  const std::optional<Options> options = co_await read_options(tool, std::move(words));
  if (!options) co_return tool.status;
  const auto chosen = co_await match_processes(tool, *options);
  if (!chosen) co_return tool.status;
  for (const ListedProcess& process : *chosen) {
    const Result<void> sent = co_await self.kill(process.pid, number);
    if (sent || sent.error() == Errno::kSrch) continue;
    const std::string what = "killing pid " + std::to_string(process.pid) + " failed";
    co_await tool.fail(what, sent.error());
  }
  co_return chosen->empty() ? 1 : tool.status;
}

}  // namespace

Task<int> pkill_main(Process& self) { return run_pkill(self); }

}  // namespace sandproof::machine::programs
