// SPDX-License-Identifier: Apache-2.0
// killall: signals for all processes of a name.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/process_list.h"
#include "fakes/machine/programs/support/signals.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kKillallUsage = {.text = "[-lq] [-SIG] PROCESS_NAME..."};

/// As busybox compares: the kernel's name, or the whole first word where that was cut.
bool is_named(const ListedProcess& process, const std::string& name) {
  const std::string word = process.arguments.substr(0, process.arguments.find(' '));
  return process.name == name || word == name || word.ends_with("/" + name);
}

Task<int> run_killall(Process& self) {
  Tool tool(self, kKillallUsage);
  Strings words(self.argv().begin() + 1, self.argv().end());
  if (!words.empty() && words.front() == "-l") {
    words.erase(words.begin());
    co_return co_await list_signals(tool, words);
  }
  bool quiet = false;
  if (!words.empty() && words.front() == "-q") {
    quiet = true;
    words.erase(words.begin());
  }
  int number = static_cast<int>(Signal::kTerm);
  std::string wrong;
  take_signal_option(words, number, wrong);
  if (wrong.empty() && words.empty()) wrong = "you need to specify whom to kill";
  if (!wrong.empty()) {
    co_await tool.fail(wrong);
    co_return tool.status;
  }
  const Result<std::vector<ListedProcess>> all = co_await list_processes(self);
  if (!all) {
    co_await tool.fail("can't open '/proc'", all.error());
    co_return tool.status;
  }
  for (const std::string& name : words) {
    bool any = false;
    for (const ListedProcess& process : *all) {
      if (process.pid == self.pid() || !is_named(process, name)) continue;
      any = true;
      const Result<void> sent = co_await self.kill(process.pid, number);
      if (sent) continue;
      const std::string what = "can't kill pid " + std::to_string(process.pid);
      co_await tool.fail(what, sent.error());
    }
    if (any) continue;
    tool.status = 1;
    const std::string why = name + ": no process killed";
    if (!quiet) co_await tool.say(why);
  }
  co_return tool.status;
}

}  // namespace

Task<int> killall_main(Process& self) { return run_killall(self); }

}  // namespace sandproof::machine::programs
