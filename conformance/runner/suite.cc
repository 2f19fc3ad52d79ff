// SPDX-License-Identifier: Apache-2.0
// Looking rows up in the tables of a program (suite.h).
#include "conformance/runner/suite.h"

#include <algorithm>

namespace sandproof::conformance {
namespace {

template <typename Rows, typename Name>
auto find_row(const Rows& rows, std::string_view wanted, Name name) -> decltype(rows.data()) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return name(row) == wanted; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

const Binding* Suite::find_binding(std::string_view name) const {
  return find_row(bindings, name, [](const Binding& row) { return std::string_view(row.name()); });
}

const Case* Suite::find_case(std::string_view name) const {
  if (cases == nullptr) return nullptr;
  return find_row(*cases, name, [](const Case& row) { return row.name; });
}

const Mutant* Suite::find_mutant(std::string_view name) const {
  if (mutants == nullptr) return nullptr;
  return find_row(*mutants, name, [](const Mutant& row) { return row.name; });
}

const Rule* Suite::find_rule(std::string_view id) const {
  if (rules == nullptr) return nullptr;
  return find_row(*rules, id, [](const Rule& row) { return row.id; });
}

}  // namespace sandproof::conformance
