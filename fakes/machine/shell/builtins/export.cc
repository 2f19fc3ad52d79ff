// SPDX-License-Identifier: Apache-2.0
// `export` and `readonly`.
#include "fakes/machine/shell/builtins/builtin.h"
#include "fakes/machine/shell/lex/token.h"

namespace sandproof::machine::shell {
namespace {

using Mark = void (Variables::*)(std::string_view);

Task<void> show_marked(Shell& shell, std::string command, bool exported) {
  std::string text;
  for (const auto& [name, variable] : shell.state.variables.all()) {
    if (!(exported ? variable.exported : variable.read_only)) continue;
    text += command + " " + name;
    if (variable.value) text += "=" + shell_quoted(*variable.value);
    text += "\n";
  }
  co_await shell.put(std::move(text));
}

Task<int> mark_all(Shell& shell, const Strings& words, Mark mark, bool exported) {
  OptionReader options(words, "p");
  bool prints = false;
  while (co_await options.next(shell) != '\0') prints = true;
  std::size_t at = options.operand();
  if (prints || at == words.size()) {
    co_await show_marked(shell, words[0], exported);
    co_return 0;
  }
  for (; at < words.size(); ++at) {
    const std::size_t equals = words[at].find('=');
    const std::string name = words[at].substr(0, equals);
    if (!is_name(name)) co_await shell.fail(name + ": bad variable name");
    if (equals != std::string::npos) co_await shell.assign(name, words[at].substr(equals + 1));
    (shell.state.variables.*mark)(name);
  }
  co_return 0;
}

}  // namespace

Task<int> export_builtin(Shell& shell, Strings words) {
  co_return co_await mark_all(shell, words, &Variables::mark_exported, true);
}

Task<int> readonly_builtin(Shell& shell, Strings words) {
  co_return co_await mark_all(shell, words, &Variables::mark_read_only, false);
}

}  // namespace sandproof::machine::shell
