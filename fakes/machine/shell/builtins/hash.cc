// SPDX-License-Identifier: Apache-2.0
// `hash`: the paths that the shell remembers.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {

Task<int> hash_builtin(Shell& shell, Strings words) {
  OptionReader options(words, "r");
  bool forgets = false;
  while (co_await options.next(shell) != '\0') forgets = true;
  if (forgets) {
    shell.state.hashed.clear();
    co_return 0;
  }
  std::size_t at = options.operand();
  if (at == words.size()) {
    std::string text;
    for (const auto& [name, path] : shell.state.hashed) text += path + "\n";
    co_await shell.put(std::move(text));
  }
  int status = 0;
  for (; at < words.size(); ++at) {
    if (find_builtin(words[at]) != nullptr || shell.state.functions.contains(words[at])) continue;
    const Shell::Found found = shell.find_program(words[at], shell.path());
    if (found.path) continue;
    co_await shell.warn(words[at] + ": " + found.error);
    status = 1;
  }
  co_return status;
}

}  // namespace sandproof::machine::shell
