// SPDX-License-Identifier: Apache-2.0
// `wait`: ends at once where a trap's signal comes.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {
namespace {

bool any_running(Jobs& jobs) {
  for (const Job& job : jobs.all()) {
    if (job.state() == JobState::kRunning) return true;
  }
  return false;
}

// 128 and the signal of a trap that came while it waited; nothing when all have ended.
Task<std::optional<int>> wait_for_all(Shell& shell) {
  while (any_running(shell.state.jobs)) {
    if (const auto signal = shell.pending_trap()) {
      co_return kStatusSignal + static_cast<int>(*signal);
    }
    const Result<ChildChange> change = co_await shell.wait_change(false);
    if (change) {
      (void)shell.state.jobs.note(*change);
    } else if (change.error() == Errno::kChild) {
      break;
    }
  }
  for (Job& job : shell.state.jobs.all()) job.waited = true;
  co_return std::nullopt;
}

}  // namespace

Task<int> wait_builtin(Shell& shell, Strings words) {
  OptionReader options(words, "");
  while (co_await options.next(shell) != '\0') {
  }
  const std::size_t first = options.operand();
  if (first == words.size()) co_return (co_await wait_for_all(shell)).value_or(0);
  int status = 0;
  for (std::size_t at = first; at < words.size(); ++at) {
    Job* job = nullptr;
    if (words[at].starts_with('%')) {
      job = co_await job_of(shell, words[at]);
    } else {
      job = shell.state.jobs.find(co_await number_of(shell, words[at]));
    }
    if (job == nullptr) {
      status = kStatusNotFound;
      continue;
    }
    Job& waited = *job;
    const auto interrupted = co_await shell.wait_or_trap(waited);
    if (interrupted) co_return *interrupted;
    waited.waited = true;
    status = waited.status(shell.has(ShellOption::kPipefail));
  }
  co_return status;
}

}  // namespace sandproof::machine::shell
