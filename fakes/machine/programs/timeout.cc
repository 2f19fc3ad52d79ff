// SPDX-License-Identifier: Apache-2.0
// timeout: a command, with a watcher that ends it when its time is over. The command runs in this
// process, as in busybox, so that its status, and a signal's, is its own. Lengths are whole
// seconds, the first at least one. The watcher keeps nothing open, where busybox's keeps the
// output.
#include <algorithm>
#include <chrono>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/commands.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kTimeoutUsage = {
    .text = "[-s SIG] [-k KILL_SECS] SECS PROG ARGS", .letters = "+s:k:", .least = 2};

struct TimeoutPlan {
  Signal signal = Signal::kTerm;
  std::chrono::seconds limit{0};
  std::chrono::seconds then_kill{0};
};

/// Looks each second whether the process is still there. False where it is gone.
Task<bool> outlives(Process& self, Pid pid, std::chrono::seconds length) {
  for (std::int64_t passed = 0; passed < length.count(); ++passed) {
    const Nanoseconds next = self.now() + std::chrono::seconds(1);
    while (self.now() < next) (void)co_await self.sleep(next - self.now());  // sleep: the limit
    if (!co_await self.kill(pid, 0)) co_return false;
  }
  co_return true;
}

Task<int> watch(Process& self, Pid pid, TimeoutPlan plan) {
  (void)self.new_session();
  for (const int fd : self.open_fds()) (void)self.close(fd);
  if (!co_await outlives(self, pid, std::max(plan.limit, std::chrono::seconds(1)))) co_return 0;
  (void)co_await self.kill(pid, plan.signal);
  if (plan.then_kill.count() == 0) co_return 0;
  if (co_await outlives(self, pid, plan.then_kill)) (void)co_await self.kill(pid, Signal::kKill);
  co_return 0;
}

std::optional<std::chrono::seconds> whole_seconds(const std::string& text) {
  const std::optional<Nanoseconds> length = read_duration(text);
  if (!length) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::seconds>(*length);
}

Task<int> run_timeout(Process& self) {
  Tool tool(self, kTimeoutUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  TimeoutPlan plan;
  std::string why;
  if (const auto name = options->value('s')) {
    std::string upper = *name;
    for (char& letter : upper) letter = static_cast<char>(std::toupper(letter));
    const std::optional<Signal> signal = signal_named(upper);
    if (!signal) why = "unknown signal '" + *name + "'";
    plan.signal = signal.value_or(Signal::kTerm);
  }
  const std::string kill_text = options->value('k').value_or("0");
  const auto then_kill = whole_seconds(kill_text);
  const auto limit = whole_seconds(options->operands.front());
  if (why.empty() && !then_kill) why = "invalid number '" + kill_text + "'";
  if (why.empty() && !limit) why = "invalid number '" + options->operands.front() + "'";
  if (!why.empty()) {
    co_await tool.fail(why);
    co_return tool.status;
  }
  plan.limit = *limit;
  plan.then_kill = *then_kill;
  // A grandchild: the command must not find a child that it does not know.
  const Pid own = self.pid();
  const Result<Pid> child = self.fork([own, plan](Process& between) -> Task<int> {
    (void)between.fork([own, plan](Process& watcher) { return watch(watcher, own, plan); });
    co_return 0;
  });
  if (!child) {
    co_await tool.fail("fork", child.error());
    co_return tool.status;
  }
  (void)co_await wait_for(self, *child);
  Strings argv(options->operands.begin() + 1, options->operands.end());
  co_return co_await become(tool, std::move(argv));
}

}  // namespace

Task<int> timeout_main(Process& self) { return run_timeout(self); }

}  // namespace sandproof::machine::programs
