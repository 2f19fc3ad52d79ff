// SPDX-License-Identifier: Apache-2.0
// `break` and `continue`.
#include <algorithm>

#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {
namespace {

Task<int> leave_loops(Shell& shell, Strings words, Flow flow) {
  int levels = 1;
  if (words.size() > 1) {
    levels = co_await number_of(shell, words[1]);
    if (levels == 0) co_await shell.fail("Illegal number: " + words[1]);
  }
  levels = std::min(levels, shell.state.loops);
  if (levels == 0) co_return 0;
  shell.flow = flow;
  shell.flow_levels = levels;
  co_return 0;
}

}  // namespace

Task<int> break_builtin(Shell& shell, Strings words) {
  return leave_loops(shell, std::move(words), Flow::kBreak);
}

Task<int> continue_builtin(Shell& shell, Strings words) {
  return leave_loops(shell, std::move(words), Flow::kContinue);
}

}  // namespace sandproof::machine::shell
