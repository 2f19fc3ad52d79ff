// SPDX-License-Identifier: Apache-2.0
// Traps: actions for signals and for the end of the shell. A signal is noted when the process takes
// it, and its action runs between two commands.
#include <array>

#include "fakes/machine/shell/run/shell.h"

namespace sandproof::machine::shell {

void Shell::set_trap(int number, std::optional<std::string> action) {
  if (action) {
    state.traps[number] = *action;
  } else {
    state.traps.erase(number);
  }
  if (number == 0) return;
  const auto signal = static_cast<Signal>(number);
  if (state.hard_ignored.has(signal)) return;
  Disposition wanted = Disposition::kDefault;
  if (action) wanted = action->empty() ? Disposition::kIgnore : Disposition::kHandle;
  // Refused for SIGKILL and SIGSTOP, of which no shell complains.
  (void)process.set_disposition(signal, wanted);
}

bool Shell::has_traps() const {
  for (const auto& [number, action] : state.traps) {
    if (!action.empty()) return true;
  }
  return false;
}

namespace {

constexpr std::array kIgnoredForUser = {Signal::kQuit, Signal::kTerm};

}  // namespace

void Shell::ignore_for_user() {
  for (const Signal signal : kIgnoredForUser) {
    (void)process.set_disposition(signal, Disposition::kIgnore);
  }
}

void Shell::reset_traps() {
  for (const Signal signal : kIgnoredForUser) {
    const bool own = has(ShellOption::kInteractive) && !state.hard_ignored.has(signal) &&
                     !state.traps.contains(static_cast<int>(signal));
    if (own) (void)process.set_disposition(signal, Disposition::kDefault);
  }
  // What came for the parent's traps before this process ran is lost, as in dash.
  while (process.take_signal()) {
  }
  for (auto trap = state.traps.begin(); trap != state.traps.end();) {
    if (trap->second.empty()) {
      ++trap;
      continue;
    }
    if (trap->first != 0 && !state.hard_ignored.has(static_cast<Signal>(trap->first))) {
      (void)process.set_disposition(static_cast<Signal>(trap->first), Disposition::kDefault);
    }
    trap = state.traps.erase(trap);
  }
}

bool Shell::trap_pending() {
  while (const std::optional<Signal> signal = process.take_signal()) caught_.add(*signal);
  return !caught_.empty();
}

std::optional<Signal> Shell::pending_trap() {
  if (!trap_pending()) return std::nullopt;
  return caught_.first();
}

Task<void> Shell::run_traps() {
  while (flow == Flow::kNone && trap_pending()) {
    const Signal signal = caught_.first();
    caught_.remove(signal);
    const auto trap = state.traps.find(static_cast<int>(signal));
    if (trap == state.traps.end() || trap->second.empty()) continue;
    const int before = state.status;
    const std::optional<int> outer = std::exchange(trap_status, before);
    (void)co_await run_text(trap->second);
    trap_status = outer;
    if (flow == Flow::kNone) state.status = before;
  }
}

Task<void> Shell::run_exit_trap() {
  const auto trap = state.traps.find(0);
  if (trap == state.traps.end()) co_return;
  const std::string action = trap->second;
  state.traps.erase(trap);
  if (action.empty()) co_return;
  const int before = state.status;
  flow = Flow::kNone;
  state.loops = 0;
  trap_status = before;
  (void)co_await run_text(action);
  if (flow != Flow::kExit) state.status = before;
}

}  // namespace sandproof::machine::shell
