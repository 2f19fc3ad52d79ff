// SPDX-License-Identifier: Apache-2.0
// `local`: variables of a function, and with `-` its options.
#include "fakes/machine/shell/builtins/builtin.h"
#include "fakes/machine/shell/lex/token.h"

namespace sandproof::machine::shell {

Task<int> local_builtin(Shell& shell, Strings words) {
  if (shell.functions_running == 0) co_await shell.fail("not in a function");
  for (std::size_t at = 1; at < words.size(); ++at) {
    if (words[at] == "-") {
      if (!shell.local_options) shell.local_options = shell.state.options;
      continue;
    }
    const std::size_t equals = words[at].find('=');
    const std::string name = words[at].substr(0, equals);
    if (!is_name(name)) co_await shell.fail(name + ": bad variable name");
    shell.state.variables.make_local(name);
    if (equals != std::string::npos) co_await shell.assign(name, words[at].substr(equals + 1));
  }
  co_return 0;
}

}  // namespace sandproof::machine::shell
