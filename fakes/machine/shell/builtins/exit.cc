// SPDX-License-Identifier: Apache-2.0
// `exit`.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {

Task<int> exit_builtin(Shell& shell, Strings words) {
  int status = shell.trap_status.value_or(shell.state.status);
  if (words.size() > 1) status = co_await number_of(shell, words[1]);
  shell.flow = Flow::kExit;
  shell.state.status = status;
  co_return status;
}

}  // namespace sandproof::machine::shell
