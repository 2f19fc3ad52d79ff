// SPDX-License-Identifier: Apache-2.0
// Which mutants run, on which binding, against which cases, in which order. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "conformance/report/mutant_report.h"
#include "conformance/runner/suite.h"

namespace sandproof::conformance {

struct MutantFilter {
  /// Over names, and over the rules that they break; empty: all.
  std::vector<std::string> mutants;
  std::vector<std::string> rules;

  bool empty() const { return mutants.empty() && rules.empty(); }
};

struct MutantPlan {
  const Mutant* mutant = nullptr;
  /// The first one that the mutant applies to and on which some case of its rule runs; null where
  /// there is none.
  const Binding* binding = nullptr;
  /// Cases of its rule that run there, those first that a failure charges to it.
  std::vector<const Case*> own;
  /// Others that run there: the smoke set, or with `full` all.
  std::vector<const Case*> others;
};

/// In the table's order; never empty. Throws ProgramError for patterns (case_filter.h). `program`
/// is how lines to be pasted begin.
std::vector<MutantPlan> plan_mutants(const Suite& suite, const MutantFilter& filter, bool full,
                                     const std::string& program);

/// MUST rules of which some case runs on some binding and that no killed mutant of `mutants`
/// breaks.
std::vector<UncoveredRule> uncovered_rules(const Suite& suite,
                                           const std::vector<MutantResult>& mutants);

}  // namespace sandproof::conformance
