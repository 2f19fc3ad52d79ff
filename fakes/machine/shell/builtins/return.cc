// SPDX-License-Identifier: Apache-2.0
// `return`, from a function or a file.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {

Task<int> return_builtin(Shell& shell, Strings words) {
  int status = shell.state.status;
  if (words.size() > 1) status = co_await number_of(shell, words[1]);
  shell.flow = Flow::kReturn;
  shell.state.status = status;
  co_return status;
}

}  // namespace sandproof::machine::shell
