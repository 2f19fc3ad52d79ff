// SPDX-License-Identifier: Apache-2.0
// The variables of a shell: values, marks, and the scopes of functions and of assignments before a
// command. A value: a subshell gets a copy. One thread.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof::machine::shell {

struct Variable {
  std::optional<std::string> value;  // A name may be marked and not set.
  bool exported = false;
  bool read_only = false;
};

class Variables {
 public:
  /// nullptr where it is not set.
  const std::string* get(std::string_view name) const;
  /// Also one that is only marked; nullptr where there is none.
  const Variable* find(std::string_view name) const;
  /// Whether it was set: not where it is read-only.
  [[nodiscard]] bool set(std::string_view name, std::string value, bool exported = false);
  /// The same; also no where it is read-only.
  [[nodiscard]] bool unset(std::string_view name);
  void mark_exported(std::string_view name);
  void mark_read_only(std::string_view name);

  /// Scopes: what make_local() put aside comes back when its scope ends. They nest.
  void push_scope() { scopes_.emplace_back(); }
  void pop_scope();
  std::size_t depth() const { return scopes_.size(); }
  /// In the innermost scope. The value stays as it is until it is set.
  void make_local(std::string_view name);

  /// By name.
  const std::map<std::string, Variable, std::less<>>& all() const { return all_; }
  /// "NAME=value" of what is exported and set.
  std::vector<std::string> environment() const;
  /// Of all values.
  std::size_t bytes() const { return bytes_; }
  /// Grows with each change of PATH.
  std::size_t path_changes() const { return path_changes_; }
  /// Whether OPTIND was set since the last call.
  bool take_optind_change();

 private:
  struct Saved {
    std::string name;
    std::optional<Variable> before;
  };
  Variable& at(std::string_view name);
  void note_change(std::string_view name);
  static std::size_t size_of(const Variable& variable);

  std::map<std::string, Variable, std::less<>> all_;
  std::vector<std::vector<Saved>> scopes_;
  std::size_t bytes_ = 0;
  std::size_t path_changes_ = 0;
  bool optind_changed_ = false;
};

}  // namespace sandproof::machine::shell
