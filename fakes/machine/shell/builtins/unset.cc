// SPDX-License-Identifier: Apache-2.0
// `unset`.
#include "fakes/machine/shell/builtins/builtin.h"
#include "fakes/machine/shell/lex/token.h"

namespace sandproof::machine::shell {

Task<int> unset_builtin(Shell& shell, Strings words) {
  OptionReader options(words, "vf");
  bool functions = false;
  while (const char letter = co_await options.next(shell)) functions = letter == 'f';
  for (std::size_t at = options.operand(); at < words.size(); ++at) {
    if (functions) {
      shell.state.functions.erase(words[at]);
      continue;
    }
    if (!is_name(words[at])) co_await shell.fail(words[at] + ": bad variable name");
    if (!shell.state.variables.unset(words[at])) {
      co_await shell.fail(words[at] + ": is read only");
    }
  }
  co_return 0;
}

}  // namespace sandproof::machine::shell
