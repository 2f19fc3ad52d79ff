// SPDX-License-Identifier: Apache-2.0
// `type`, and `command` where it tells of commands or has none.
#include "fakes/machine/shell/builtins/builtin.h"
#include "fakes/machine/shell/lex/token.h"

namespace sandproof::machine::shell {
namespace {

// Empty where there is no such command.
std::string description_of(Shell& shell, const std::string& name, bool verbose) {
  if (reserved_word(name)) return verbose ? name + " is a shell keyword" : name;
  if (const auto alias = shell.state.aliases.find_alias(name)) {
    if (verbose) return name + " is an alias for " + std::string(*alias);
    return "alias " + name + "=" + shell_quoted(*alias);
  }
  const BuiltinRow* const builtin = find_builtin(name);
  if (builtin != nullptr && builtin->special) {
    return verbose ? name + " is a special shell builtin" : name;
  }
  if (shell.state.functions.contains(name)) return verbose ? name + " is a shell function" : name;
  if (builtin != nullptr) return verbose ? name + " is a shell builtin" : name;
  const bool tracked = shell.state.hashed.contains(name);
  const Shell::Found found = shell.find_program(name, shell.path());
  if (!found.path || (name.find('/') != std::string::npos && !shell.process.stat(name))) return "";
  if (!verbose) return *found.path;
  return name + (tracked ? " is a tracked alias for " : " is ") + *found.path;
}

}  // namespace

Task<int> type_builtin(Shell& shell, Strings words) {
  int status = 0;
  for (std::size_t at = 1; at < words.size(); ++at) {
    std::string text = description_of(shell, words[at], true);
    if (text.empty()) {
      text = words[at] + ": not found";
      status = kStatusNotFound;
    }
    co_await shell.put(text + "\n");
  }
  co_return status;
}

Task<int> command_builtin(Shell& shell, Strings words) {
  OptionReader options(words, "pvV");
  bool verbose = false;
  bool tells = false;
  while (const char letter = co_await options.next(shell)) {
    verbose = verbose || letter == 'V';
    tells = tells || letter != 'p';
  }
  if (!tells) co_return 0;
  int status = 0;
  for (std::size_t at = options.operand(); at < words.size(); ++at) {
    std::string text = description_of(shell, words[at], verbose);
    if (text.empty()) {
      status = kStatusNotFound;
      if (!verbose) continue;
      text = words[at] + ": not found";
    }
    co_await shell.put(text + "\n");
  }
  co_return status;
}

}  // namespace sandproof::machine::shell
