// SPDX-License-Identifier: Apache-2.0
// kill: signals for processes.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/signals.h"
#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kKillUsage = {.text = "[-l] [-SIG] PID..."};

Task<int> run_kill(Process& self) {
  Tool tool(self, kKillUsage);
  Strings words(self.argv().begin() + 1, self.argv().end());
  if (!words.empty() && words.front() == "-l") {
    words.erase(words.begin());
    co_return co_await list_signals(tool, words);
  }
  int number = static_cast<int>(Signal::kTerm);
  std::string wrong;
  take_signal_option(words, number, wrong);
  if (!wrong.empty()) {
    co_await tool.fail(wrong);
    co_return tool.status;
  }
  if (words.empty()) {
    co_await tool.fail("you need to specify whom to kill");
    co_return tool.status;
  }
  for (const std::string& word : words) {
    const std::optional<std::int64_t> pid = read_integer(word);
    if (!pid) {
      const std::string why = "invalid number '" + word + "'";
      co_await tool.fail(why);
      continue;
    }
    const Result<void> sent = co_await self.kill(static_cast<Pid>(*pid), number);
    if (sent) continue;
    const std::string what = "can't kill pid " + word;
    co_await tool.fail(what, sent.error());
  }
  co_return tool.status;
}

}  // namespace

Task<int> kill_main(Process& self) { return run_kill(self); }

}  // namespace sandproof::machine::programs
