// SPDX-License-Identifier: Apache-2.0
// The one table of builtins, by the bytes of their names.
#include <algorithm>
#include <array>

#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {
namespace {

constexpr std::array kBuiltinRows = {
    BuiltinRow{".", dot_builtin, true},
    BuiltinRow{":", colon_builtin, true},
    BuiltinRow{"[", test_builtin},
    BuiltinRow{"alias", alias_builtin, false, true},
    BuiltinRow{"bg", bg_builtin},
    BuiltinRow{"break", break_builtin, true},
    BuiltinRow{"cd", cd_builtin},
    BuiltinRow{"chdir", cd_builtin},
    BuiltinRow{"command", command_builtin},
    BuiltinRow{"continue", continue_builtin, true},
    BuiltinRow{"echo", echo_builtin},
    BuiltinRow{"eval", eval_builtin, true},
    BuiltinRow{"exec", exec_builtin, true},
    BuiltinRow{"exit", exit_builtin, true},
    BuiltinRow{"export", export_builtin, true, true},
    BuiltinRow{"false", false_builtin},
    BuiltinRow{"fg", fg_builtin},
    BuiltinRow{"getopts", getopts_builtin},
    BuiltinRow{"hash", hash_builtin},
    BuiltinRow{"jobs", jobs_builtin},
    BuiltinRow{"kill", kill_builtin},
    BuiltinRow{"local", local_builtin, true, true},
    BuiltinRow{"printf", printf_builtin},
    BuiltinRow{"pwd", pwd_builtin},
    BuiltinRow{"read", read_builtin},
    BuiltinRow{"readonly", readonly_builtin, true, true},
    BuiltinRow{"return", return_builtin, true},
    BuiltinRow{"set", set_builtin, true},
    BuiltinRow{"shift", shift_builtin, true},
    BuiltinRow{"test", test_builtin},
    BuiltinRow{"times", times_builtin, true},
    BuiltinRow{"trap", trap_builtin, true},
    BuiltinRow{"true", colon_builtin},
    BuiltinRow{"type", type_builtin},
    BuiltinRow{"ulimit", ulimit_builtin},
    BuiltinRow{"umask", umask_builtin},
    BuiltinRow{"unalias", unalias_builtin},
    BuiltinRow{"unset", unset_builtin, true},
    BuiltinRow{"wait", wait_builtin},
};

constexpr bool by_name(const BuiltinRow& a, const BuiltinRow& b) { return a.name < b.name; }
static_assert(std::is_sorted(kBuiltinRows.begin(), kBuiltinRows.end(), by_name));

}  // namespace

const BuiltinRow* find_builtin(std::string_view name) {
  const auto found = std::lower_bound(
      kBuiltinRows.begin(), kBuiltinRows.end(), name,
      [](const BuiltinRow& row, std::string_view wanted) { return row.name < wanted; });
  return found != kBuiltinRows.end() && found->name == name ? &*found : nullptr;
}

}  // namespace sandproof::machine::shell
