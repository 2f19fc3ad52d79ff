// SPDX-License-Identifier: Apache-2.0
// Parameters by name.
#include <charconv>

#include "fakes/machine/shell/lex/token.h"
#include "fakes/machine/shell/run/shell.h"

namespace sandproof::machine::shell {
namespace {

std::optional<std::string> positional_parameter(const ShellState& state, std::string_view name) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  if (number == 0) return state.name;
  if (number > state.positional.size()) return std::nullopt;
  return state.positional[number - 1];
}

}  // namespace

std::optional<std::string> Shell::parameter(std::string_view name) const {
  if (name.size() == 1) {
    switch (name.front()) {
      case '#':
        return std::to_string(state.positional.size());
      case '?':
        return std::to_string(state.status);
      case '-':
        return state.options.letters();
      case '$':
        return std::to_string(state.main_pid);
      case '!':
        if (state.last_background == 0) return std::nullopt;
        return std::to_string(state.last_background);
      default:
        break;
    }
  }
  if (!name.empty() && is_digit(static_cast<unsigned char>(name.front()))) {
    return positional_parameter(state, name);
  }
  const Variable* const variable = state.variables.find(name);
  if (variable == nullptr) return std::nullopt;
  return variable->value;
}

GetoptsPlace& Shell::getopts_place() {
  if (!state.variables.take_optind_change()) return state.getopts;
  state.getopts = {};
  const std::string* const text = state.variables.get("OPTIND");
  std::size_t next = 0;
  if (text != nullptr) std::from_chars(text->data(), text->data() + text->size(), next);
  if (next > 0) state.getopts.next = next;
  return state.getopts;
}

Task<void> Shell::assign(std::string name, std::string value, bool exported) {
  if (state.variables.bytes() + value.size() > kMaxVariableBytes) co_await fail("Out of space");
  const bool marks = exported || has(ShellOption::kAllexport);
  if (!state.variables.set(name, std::move(value), marks)) {
    co_await fail(name + ": is read only");
  }
}

std::optional<std::string_view> Aliases::find_alias(std::string_view name) const {
  const auto found = all.find(name);
  if (found == all.end()) return std::nullopt;
  return found->second;
}

}  // namespace sandproof::machine::shell
