// SPDX-License-Identifier: Apache-2.0
// What did not end as it should; see findings.h.
#include "conformance/report/findings.h"

#include <algorithm>
#include <map>

namespace sandproof::conformance {
namespace {

bool is_refusal(const CaseResult& result) { return !result.started && !result.capability.empty(); }

std::map<std::string, std::vector<std::string>> rules_by_refusal(const FlavorResult& flavor) {
  std::map<std::string, std::vector<std::string>> rules_by_reason;
  for (const RuleResult& rule : flavor.rules) {
    for (const std::size_t index : rule.cases) {
      const CaseResult& result = flavor.cases[index];
      if (!is_failure(result.outcome) || !is_refusal(result)) continue;
      std::vector<std::string>& rules = rules_by_reason[result.reason];
      if (rules.empty() || rules.back() != rule.id) rules.push_back(rule.id);
    }
  }
  return rules_by_reason;
}

/// True where a case of it tells what its state says.
bool is_told(const RuleResult& rule, const FlavorResult& flavor) {
  const Outcome least = is_failure(rule.state) ? Outcome::kUnexpectedPass : Outcome::kNotRun;
  return std::any_of(rule.cases.begin(), rule.cases.end(), [&flavor, least](std::size_t index) {
    return flavor.cases[index].outcome <= least;
  });
}

}  // namespace

std::vector<FailedCase> failed_cases(const RunModel& model) {
  std::map<std::string_view, std::size_t> places;
  for (const RuleInfo& rule : model.rules) places.emplace(rule.id, places.size());
  std::vector<FailedCase> failures;
  for (const FlavorResult& flavor : model.flavors) {
    const auto first = static_cast<std::ptrdiff_t>(failures.size());
    for (const CaseResult& result : flavor.cases) {
      if (result.outcome > Outcome::kUnexpectedPass || is_refusal(result)) continue;
      failures.push_back({&flavor, &result});
    }
    std::stable_sort(failures.begin() + first, failures.end(),
                     [&places](const FailedCase& a, const FailedCase& b) {
                       return places[a.result->rules.front()] < places[b.result->rules.front()];
                     });
  }
  return failures;
}

std::vector<BrokenRefusal> broken_refusals(const RunModel& model) {
  std::vector<BrokenRefusal> broken;
  for (const FlavorResult& flavor : model.flavors) {
    for (auto& [reason, rules] : rules_by_refusal(flavor)) {
      broken.push_back({&flavor, reason, rules});
    }
  }
  return broken;
}

std::vector<BrokenRule> rules_broken_without_case(const RunModel& model) {
  std::vector<BrokenRule> broken;
  for (const FlavorResult& flavor : model.flavors) {
    for (std::size_t i = 0; i < flavor.rules.size(); ++i) {
      const RuleResult& rule = flavor.rules[i];
      const bool missing = rule.must && (rule.state == Outcome::kNoCase ||
                                         (rule.state == Outcome::kNotRun && model.complete));
      if (!rule.selected || !(is_failure(rule.state) || missing)) continue;
      if (!is_told(rule, flavor)) broken.push_back({&flavor, &model.rules[i], &rule});
    }
  }
  return broken;
}

bool is_about_must(const RunModel& model, const CaseResult& result) {
  return std::any_of(result.rules.begin(), result.rules.end(), [&model](const std::string& id) {
    const RuleInfo* rule = model.find_rule(id);
    return rule == nullptr || rule->must;
  });
}

}  // namespace sandproof::conformance
