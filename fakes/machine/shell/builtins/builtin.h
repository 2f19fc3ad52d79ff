// SPDX-License-Identifier: Apache-2.0
// The builtins of the shell: one table, one file for each. A builtin gets its words, its name
// first, and gives its status. What it cannot accept it tells by Shell::fail(), which ends the
// shell where it is a special one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "fakes/machine/shell/run/shell.h"

namespace sandproof::machine::shell {

using BuiltinMain = Task<int> (*)(Shell&, Strings);

struct BuiltinRow {
  std::string_view name;
  BuiltinMain main;
  bool special = false;            // XCU 2.14: its assignments stay, its errors end the shell.
  bool takes_assignments = false;  // Words like x=~ are expanded as assignments.
};

/// nullptr where there is none.
const BuiltinRow* find_builtin(std::string_view name);

/// Reads options as dash does: single letters, together or apart, up to `--` or the first operand.
class OptionReader {
 public:
  /// `letters`: a colon after those that take an argument. Borrows the words.
  OptionReader(const Strings& words, std::string_view letters) : words_(words), letters_(letters) {}
  /// The next option's letter, 0 after the last. Fails for one that is none.
  Task<char> next(Shell& shell);
  const std::string& argument() const { return argument_; }
  /// Of the first operand.
  std::size_t operand() const { return at_; }

 private:
  const Strings& words_;
  std::string_view letters_;
  std::size_t at_ = 1;
  std::size_t in_word_ = 0;
  std::string argument_;
};

/// A decimal number from 0 to INT_MAX; fails with `Illegal number: x`.
Task<int> number_of(Shell& shell, std::string text);
/// The text in single quotes, so that the shell reads it back.
std::string shell_quoted(std::string_view text);
/// By name or number, 0 for EXIT; nothing for what is none.
std::optional<int> trap_number(std::string_view text);

/// The job of `%1` and its like; fails where there is none.
Task<Job*> job_of(Shell& shell, std::string spec);

Task<int> alias_builtin(Shell& shell, Strings words);
Task<int> bg_builtin(Shell& shell, Strings words);
Task<int> break_builtin(Shell& shell, Strings words);
Task<int> cd_builtin(Shell& shell, Strings words);
Task<int> colon_builtin(Shell& shell, Strings words);
Task<int> command_builtin(Shell& shell, Strings words);
Task<int> continue_builtin(Shell& shell, Strings words);
Task<int> dot_builtin(Shell& shell, Strings words);
Task<int> echo_builtin(Shell& shell, Strings words);
Task<int> eval_builtin(Shell& shell, Strings words);
Task<int> exec_builtin(Shell& shell, Strings words);
Task<int> exit_builtin(Shell& shell, Strings words);
Task<int> export_builtin(Shell& shell, Strings words);
Task<int> false_builtin(Shell& shell, Strings words);
Task<int> fg_builtin(Shell& shell, Strings words);
Task<int> getopts_builtin(Shell& shell, Strings words);
Task<int> hash_builtin(Shell& shell, Strings words);
Task<int> jobs_builtin(Shell& shell, Strings words);
Task<int> kill_builtin(Shell& shell, Strings words);
Task<int> local_builtin(Shell& shell, Strings words);
Task<int> printf_builtin(Shell& shell, Strings words);
Task<int> pwd_builtin(Shell& shell, Strings words);
Task<int> read_builtin(Shell& shell, Strings words);
Task<int> readonly_builtin(Shell& shell, Strings words);
Task<int> return_builtin(Shell& shell, Strings words);
Task<int> set_builtin(Shell& shell, Strings words);
Task<int> shift_builtin(Shell& shell, Strings words);
Task<int> test_builtin(Shell& shell, Strings words);
Task<int> times_builtin(Shell& shell, Strings words);
Task<int> trap_builtin(Shell& shell, Strings words);
Task<int> type_builtin(Shell& shell, Strings words);
Task<int> ulimit_builtin(Shell& shell, Strings words);
Task<int> umask_builtin(Shell& shell, Strings words);
Task<int> unalias_builtin(Shell& shell, Strings words);
Task<int> unset_builtin(Shell& shell, Strings words);
Task<int> wait_builtin(Shell& shell, Strings words);

}  // namespace sandproof::machine::shell
