// SPDX-License-Identifier: Apache-2.0
// The tables that a program is made of, as one value: the suite's own in production, small ones in
// the runner's tests. Borrowed everywhere; must outlive all use. Immutable; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "sandproof/conformance/binding.h"
#include "sandproof/conformance/case.h"
#include "sandproof/conformance/mutant.h"
#include "sandproof/conformance/rule.h"

namespace sandproof::conformance {

struct Suite {
  std::vector<Binding> bindings;
  const std::vector<Case>* cases = nullptr;
  const std::vector<Mutant>* mutants = nullptr;
  const std::vector<Rule>* rules = nullptr;

  /// Null for an unknown name.
  const Binding* find_binding(std::string_view name) const;
  const Case* find_case(std::string_view name) const;
  const Mutant* find_mutant(std::string_view name) const;
  const Rule* find_rule(std::string_view id) const;
};

/// all_cases(), all_mutants() and all_rules() with `bindings`.
Suite whole_suite(std::vector<Binding> bindings);

}  // namespace sandproof::conformance
