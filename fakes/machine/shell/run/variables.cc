// SPDX-License-Identifier: Apache-2.0
// Variables and their scopes.
#include "fakes/machine/shell/run/variables.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sandproof::machine::shell {

namespace {

// Variables of the shell itself: dash keeps the marks of those that are unset.
bool is_kept(std::string_view name) {
  constexpr std::array<std::string_view, 8> kKept = {"IFS", "MAIL", "MAILPATH", "PATH",
                                                     "PS1", "PS2",  "PS4",      "OPTIND"};
  return std::find(kKept.begin(), kKept.end(), name) != kKept.end();
}

}  // namespace

const Variable* Variables::find(std::string_view name) const {
  const auto found = all_.find(name);
  return found == all_.end() ? nullptr : &found->second;
}

const std::string* Variables::get(std::string_view name) const {
  const Variable* const variable = find(name);
  return variable != nullptr && variable->value ? &*variable->value : nullptr;
}

Variable& Variables::at(std::string_view name) {
  const auto found = all_.find(name);
  if (found != all_.end()) return found->second;
  return all_.emplace(std::string(name), Variable()).first->second;
}

std::size_t Variables::size_of(const Variable& variable) {
  return variable.value ? variable.value->size() : 0;
}

void Variables::note_change(std::string_view name) {
  if (name == "PATH") ++path_changes_;
  if (name == "OPTIND") optind_changed_ = true;
}

bool Variables::set(std::string_view name, std::string value, bool exported) {
  Variable& variable = at(name);
  if (variable.read_only) return false;
  bytes_ = bytes_ - size_of(variable) + value.size();
  variable.value = std::move(value);
  variable.exported = variable.exported || exported;
  note_change(name);
  return true;
}

bool Variables::unset(std::string_view name) {
  const auto found = all_.find(name);
  if (found == all_.end()) return true;
  if (found->second.read_only) return false;
  bytes_ -= size_of(found->second);
  if (is_kept(name)) {
    found->second.value.reset();
  } else {
    all_.erase(found);
  }
  note_change(name);
  return true;
}

void Variables::mark_exported(std::string_view name) { at(name).exported = true; }

void Variables::mark_read_only(std::string_view name) { at(name).read_only = true; }

void Variables::make_local(std::string_view name) {
  for (const Saved& saved : scopes_.back()) {
    if (saved.name == name) return;
  }
  const Variable* const before = find(name);
  scopes_.back().push_back(
      {std::string(name), before == nullptr ? std::nullopt : std::optional<Variable>(*before)});
}

void Variables::pop_scope() {
  for (Saved& saved : scopes_.back()) {
    bytes_ -= size_of(at(saved.name));
    if (saved.before) {
      bytes_ += size_of(*saved.before);
      at(saved.name) = *std::move(saved.before);
    } else {
      all_.erase(saved.name);
    }
    note_change(saved.name);
  }
  scopes_.pop_back();
}

std::vector<std::string> Variables::environment() const {
  std::vector<std::string> environment;
  for (const auto& [name, variable] : all_) {
    if (variable.exported && variable.value) environment.push_back(name + "=" + *variable.value);
  }
  return environment;
}

bool Variables::take_optind_change() { return std::exchange(optind_changed_, false); }

}  // namespace sandproof::machine::shell
