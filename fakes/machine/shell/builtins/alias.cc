// SPDX-License-Identifier: Apache-2.0
// `alias` and `unalias`.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {

Task<int> alias_builtin(Shell& shell, Strings words) {
  auto& aliases = shell.state.aliases.all;
  if (words.size() == 1) {
    std::string text;
    for (const auto& [name, value] : aliases) text += name + "=" + shell_quoted(value) + "\n";
    co_await shell.put(std::move(text));
  }
  int status = 0;
  for (std::size_t at = 1; at < words.size(); ++at) {
    // A name has one byte at least, even where that is `=`.
    const std::size_t equals = words[at].empty() ? std::string::npos : words[at].find('=', 1);
    if (equals != std::string::npos) {
      aliases[words[at].substr(0, equals)] = words[at].substr(equals + 1);
      continue;
    }
    const auto found = aliases.find(words[at]);
    if (found == aliases.end()) {
      co_await shell.put_error("alias: " + words[at] + " not found\n");
      status = 1;
    } else {
      co_await shell.put(found->first + "=" + shell_quoted(found->second) + "\n");
    }
  }
  co_return status;
}

Task<int> unalias_builtin(Shell& shell, Strings words) {
  OptionReader options(words, "a");
  bool all = false;
  while (co_await options.next(shell) != '\0') all = true;
  if (all) shell.state.aliases.all.clear();
  int status = 0;
  for (std::size_t at = options.operand(); !all && at < words.size(); ++at) {
    if (shell.state.aliases.all.erase(words[at]) > 0) continue;
    co_await shell.put_error("unalias: " + words[at] + " not found\n");
    status = 1;
  }
  co_return status;
}

}  // namespace sandproof::machine::shell
