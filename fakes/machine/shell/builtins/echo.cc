// SPDX-License-Identifier: Apache-2.0
// `echo`, which knows escapes and -n.
#include "fakes/machine/shell/builtins/builtin.h"
#include "fakes/machine/shell/expand/escapes.h"

namespace sandproof::machine::shell {

Task<int> echo_builtin(Shell& shell, Strings words) {
  co_await shell.put(echo_output(std::span(words).subspan(1)));
  co_return 0;
}

}  // namespace sandproof::machine::shell
