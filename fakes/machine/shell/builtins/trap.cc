// SPDX-License-Identifier: Apache-2.0
// `trap`.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {
namespace {

Task<int> show_traps(Shell& shell) {
  std::string text;
  for (const auto& [number, action] : shell.state.traps) {
    const std::string name = number == 0 ? "EXIT" : name_of(static_cast<Signal>(number));
    text += "trap -- " + shell_quoted(action) + " " + name + "\n";
  }
  co_await shell.put(std::move(text));
  co_return 0;
}

}  // namespace

Task<int> trap_builtin(Shell& shell, Strings words) {
  OptionReader options(words, "");
  while (co_await options.next(shell) != '\0') {
  }
  std::size_t at = options.operand();
  if (at == words.size()) co_return co_await show_traps(shell);
  std::optional<std::string> action;
  // A number first is a signal: all of them get their default back.
  const bool digit = words[at].find_first_not_of("0123456789") == std::string::npos;
  const bool resets = at + 1 == words.size() || (digit && trap_number(words[at]));
  if (!resets) action = words[at++];
  if (action == "-") action.reset();
  for (; at < words.size(); ++at) {
    const std::optional<int> number = trap_number(words[at]);
    if (!number) {
      co_await shell.put_error("trap: " + words[at] + ": bad trap\n");
      co_return 1;
    }
    shell.set_trap(*number, action);
  }
  co_return 0;
}

}  // namespace sandproof::machine::shell
