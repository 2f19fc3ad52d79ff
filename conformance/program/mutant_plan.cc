// SPDX-License-Identifier: Apache-2.0
// Planning mutants; see mutant_plan.h.
#include "conformance/program/mutant_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/program/case_filter.h"
#include "conformance/program/program_error.h"
#include "conformance/runner/selection.h"

namespace sandproof::conformance {
namespace {

bool is_case_of(const Case& test_case, std::string_view rule) {
  return std::find(test_case.rules.begin(), test_case.rules.end(), rule) != test_case.rules.end();
}

bool runs_on(const Suite& suite, const Case& test_case, const Binding& binding) {
  return dispose(suite, test_case, binding).kind == DispositionKind::kRun;
}

std::vector<const Case*> own_cases(const Suite& suite, const Binding& binding,
                                   std::string_view rule) {
  std::vector<const Case*> cases;
  for (const Case& test_case : *suite.cases) {
    if (is_case_of(test_case, rule) && runs_on(suite, test_case, binding)) {
      cases.push_back(&test_case);
    }
  }
  std::stable_partition(cases.begin(), cases.end(),
                        [rule](const Case* test_case) { return test_case->rules.front() == rule; });
  return cases;
}

/// The fault is one there: an operation that is not claimed cannot be broken.
bool applies_to(const Mutant& mutant, const Binding& binding) {
  const Capabilities& claimed = binding.flavor.capabilities;
  return std::all_of(mutant.with.begin(), mutant.with.end(),
                     [&claimed](Capability wanted) { return claimed.has(wanted); }) &&
         std::none_of(mutant.without.begin(), mutant.without.end(),
                      [&claimed](Capability unwanted) { return claimed.has(unwanted); });
}

MutantPlan plan_one(const Suite& suite, const Mutant& mutant, bool full) {
  MutantPlan plan;
  plan.mutant = &mutant;
  for (const Binding& binding : suite.bindings) {
    if (!applies_to(mutant, binding)) continue;
    plan.own = own_cases(suite, binding, mutant.rule);
    if (plan.own.empty()) continue;
    plan.binding = &binding;
    break;
  }
  if (plan.binding == nullptr) return plan;
  for (const Case& test_case : *suite.cases) {
    const bool wanted = (full || test_case.smoke) && !is_case_of(test_case, mutant.rule);
    if (wanted && runs_on(suite, test_case, *plan.binding)) plan.others.push_back(&test_case);
  }
  return plan;
}

bool observable(const Suite& suite, std::string_view rule) {
  return std::any_of(suite.bindings.begin(), suite.bindings.end(), [&](const Binding& binding) {
    return std::any_of(suite.cases->begin(), suite.cases->end(), [&](const Case& test_case) {
      return is_case_of(test_case, rule) && runs_on(suite, test_case, binding);
    });
  });
}

}  // namespace

std::vector<MutantPlan> plan_mutants(const Suite& suite, const MutantFilter& filter, bool full,
                                     const std::string& program) {
  std::vector<std::string> names;
  for (const Mutant& mutant : *suite.mutants) names.emplace_back(mutant.name);
  check_patterns(filter.mutants, {"mutant", names, false, program + " list mutants"});
  check_patterns(filter.rules, {"rule", rule_ids(suite), true, program + " list rules"});
  std::vector<MutantPlan> plans;
  for (const Mutant& mutant : *suite.mutants) {
    if (matches_any(filter.mutants, mutant.name) && matches_any(filter.rules, mutant.rule, true)) {
      plans.push_back(plan_one(suite, mutant, full));
    }
  }
  if (plans.empty()) {
    throw ProgramError(ExitCode::kNothingSelected,
                       filter.empty() ? "the suite has no mutants" : "no mutant is selected");
  }
  return plans;
}

std::vector<UncoveredRule> uncovered_rules(const Suite& suite,
                                           const std::vector<MutantResult>& mutants) {
  std::set<std::string, std::less<>> broken;
  std::set<std::string, std::less<>> killed;
  for (const MutantResult& mutant : mutants) {
    broken.insert(mutant.rule);
    if (mutant.state == MutantState::kKilled) killed.insert(mutant.rule);
  }
  std::vector<UncoveredRule> uncovered;
  for (const Rule& rule : *suite.rules) {
    if (rule.level != Level::kMust || killed.contains(rule.id)) continue;
    if (!observable(suite, rule.id)) continue;
    uncovered.push_back({std::string(rule.id), broken.contains(rule.id)
                                                   ? "its mutants were not killed"
                                                   : "no mutant breaks it"});
  }
  return uncovered;
}

}  // namespace sandproof::conformance
