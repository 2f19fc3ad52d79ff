// SPDX-License-Identifier: Apache-2.0
// `exec`: a program in the shell's place, or redirections that stay.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {

Task<int> exec_builtin(Shell& shell, Strings words) {
  words.erase(words.begin());
  if (!words.empty() && words.front() == "--") words.erase(words.begin());
  if (words.empty()) co_return 0;
  const Shell::Found found = shell.find_program(words.front(), shell.path());
  Strings environment = shell.state.variables.environment();
  int status = kStatusNotFound;
  if (found.path) {
    status = co_await shell.exec_program(*found.path, std::move(words), std::move(environment));
  } else {
    co_await shell.warn(words.front() + ": " + found.error);
    if (found.error != "not found") status = kStatusNotExecutable;
  }
  shell.state.status = status;
  throw ShellError{.status = status, .ends = true};
}

}  // namespace sandproof::machine::shell
