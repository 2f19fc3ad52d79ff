// SPDX-License-Identifier: Apache-2.0
// `set`: options, positional parameters, and all variables.
#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {
namespace {

Task<void> show_variables(Shell& shell) {
  std::string text;
  for (const auto& [name, variable] : shell.state.variables.all()) {
    if (variable.value) text += name + "=" + shell_quoted(*variable.value) + "\n";
  }
  co_await shell.put(std::move(text));
}

Task<void> show_options(Shell& shell, bool as_commands) {
  constexpr std::size_t kNameWidth = 16;
  std::string text = as_commands ? "" : "Current option settings\n";
  for (const OptionRow& row : option_rows()) {
    const bool on = shell.has(row.option);
    std::string name(row.name);
    if (as_commands) {
      text += std::string("set ") + (on ? "-o " : "+o ") + name + "\n";
    } else {
      name.resize(std::max(kNameWidth, name.size()), ' ');
      text += name + (on ? "on" : "off") + "\n";
    }
  }
  co_await shell.put(std::move(text));
}

Task<void> set_letter(Shell& shell, char letter, bool on) {
  const auto option = option_of_letter(letter);
  if (!option) co_await shell.fail(std::string("Illegal option -") + letter);
  shell.state.options.set(*option, on);
}

Task<void> set_name(Shell& shell, std::string name, bool on) {
  const auto option = option_of_name(name);
  std::string sign = on ? "-o " : "+o ";
  if (!option) co_await shell.fail("Illegal option " + sign + name);
  shell.state.options.set(*option, on);
}

// The options of `set`, from `at` on, which is left at the first operand. Whether the positional
// parameters are set even where no operand is left.
Task<bool> set_options(Shell& shell, const Strings& words, std::size_t& at) {
  while (at < words.size()) {
    const std::string& word = words[at];
    if (word.empty() || (word[0] != '-' && word[0] != '+')) co_return false;
    ++at;
    if (word == "-") {
      shell.state.options.set(ShellOption::kXtrace, false);
      shell.state.options.set(ShellOption::kVerbose, false);
      co_return false;
    }
    if (word == "--") co_return true;
    const bool on = word[0] == '-';
    for (const char letter : word.substr(1)) {
      if (letter != 'o') {
        co_await set_letter(shell, letter, on);
      } else if (at < words.size()) {
        const std::size_t name = at++;
        co_await set_name(shell, words[name], on);
      } else {
        co_await show_options(shell, !on);
      }
    }
  }
  co_return false;
}

}  // namespace

Task<int> set_builtin(Shell& shell, Strings words) {
  if (words.size() == 1) {
    co_await show_variables(shell);
    co_return 0;
  }
  std::size_t at = 1;
  const bool clears = co_await set_options(shell, words, at);
  if (clears || at < words.size()) {
    shell.state.positional.assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
    shell.getopts_place() = {};
  }
  co_return 0;
}

}  // namespace sandproof::machine::shell
