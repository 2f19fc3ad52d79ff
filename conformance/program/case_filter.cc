// SPDX-License-Identifier: Apache-2.0
// Selecting cases by patterns; see case_filter.h.
#include "conformance/program/case_filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/known_failure.h"
#include "conformance/program/nearest.h"
#include "conformance/program/program_error.h"
#include "conformance/report/summary.h"

namespace sandproof::conformance {
namespace {

bool has_wildcard(std::string_view pattern) {
  return pattern.find_first_of("*?[") != std::string_view::npos;
}

std::vector<std::string> areas(const Suite& suite) {
  std::vector<std::string> names;
  for (const Rule& rule : *suite.rules) {
    const std::string area(rule.area());
    if (std::find(names.begin(), names.end(), area) == names.end()) names.push_back(area);
  }
  return names;
}

std::string area_of(const Case& test_case) {
  if (test_case.rules.empty()) return {};
  const std::string_view id = test_case.rules.front();
  return std::string(id.substr(0, id.find('-')));
}

bool selects(const CaseFilter& filter, const Case& test_case) {
  const bool rule =
      filter.rules.empty() ||
      std::any_of(test_case.rules.begin(), test_case.rules.end(),
                  [&filter](std::string_view id) { return matches_any(filter.rules, id, true); });
  return rule && matches_any(filter.areas, area_of(test_case), true) &&
         matches_any(filter.cases, test_case.name);
}

std::string described(const CaseFilter& filter) {
  std::string text;
  const auto add = [&text](std::string_view option, const std::vector<std::string>& patterns) {
    for (const std::string& pattern : patterns) {
      if (!text.empty()) text += ' ';
      text += fmt::format("{} `{}`", option, pattern);
    }
  };
  add("--rule", filter.rules);
  add("--area", filter.areas);
  add("--case", filter.cases);
  return text;
}

bool has_case(const Suite& suite, std::string_view rule) {
  return std::any_of(suite.cases->begin(), suite.cases->end(), [rule](const Case& test_case) {
    return std::find(test_case.rules.begin(), test_case.rules.end(), rule) != test_case.rules.end();
  });
}

bool provides(const Suite& suite, Need need) {
  return std::any_of(suite.bindings.begin(), suite.bindings.end(),
                     [need](const Binding& binding) { return binding.provides.contains(need); });
}

/// Of rules that are asked for and that no case shows: that they are there, and what to see them
/// would take. Empty where the patterns only have nothing in common.
std::string why_no_case(const Suite& suite, const CaseFilter& filter, const std::string& program) {
  std::vector<std::string> ids;
  std::vector<std::string> needs;
  for (const Rule& rule : *suite.rules) {
    if (!matches_any(filter.rules, rule.id, true)) continue;
    if (!matches_any(filter.areas, rule.area(), true)) continue;
    if (has_case(suite, rule.id)) return {};
    ids.emplace_back(rule.id);
    for (const Need need : rule.needs) {
      const std::string name(to_string(need));
      const bool known = std::find(needs.begin(), needs.end(), name) != needs.end();
      if (!known && !provides(suite, need)) needs.push_back(name);
    }
  }
  if (ids.empty() || !filter.cases.empty()) return {};
  std::string text = fmt::format(
      ": {} of the contract cannot be observed here, since the suite has no case for {}",
      join_ids(ids), ids.size() == 1 ? "it" : "them");
  if (!needs.empty()) {
    text += fmt::format("; needed: {}, which no flavor here provides", fmt::join(needs, ", "));
  }
  return text + fmt::format(" (`{} explain {}` says more)", program, ids.front());
}

}  // namespace

bool matches_any(const std::vector<std::string>& patterns, std::string_view text,
                 bool ignore_case) {
  if (patterns.empty()) return true;
  const std::string whole(text);
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return matches_pattern(pattern, whole, ignore_case);
  });
}

void check_patterns(const std::vector<std::string>& patterns, const NameTable& table) {
  for (const std::string& pattern : patterns) {
    const bool found = std::any_of(
        table.names.begin(), table.names.end(),
        [&](const std::string& name) { return matches_pattern(pattern, name, table.ignore_case); });
    if (found) continue;
    std::string advice;
    if (!has_wildcard(pattern)) advice = suggestion(pattern, table.names, table.list_command);
    if (advice.empty()) {
      advice = table.list_command.empty() ? known_text(table.names)
                                          : fmt::format("; `{}` lists them", table.list_command);
    }
    if (has_wildcard(pattern)) {
      throw ProgramError(ExitCode::kNothingSelected,
                         fmt::format("no {} matches `{}`{}", table.what, pattern, advice));
    }
    throw usage_error(fmt::format("there is no {} `{}`{}", table.what, pattern, advice));
  }
}

std::vector<const Case*> select_cases(const Suite& suite, const CaseFilter& filter,
                                      const std::string& program) {
  check_patterns(filter.rules, {"rule", rule_ids(suite), true, program + " list rules"});
  check_patterns(filter.areas, {"area", areas(suite), true, {}});
  check_patterns(filter.cases, {"case", case_names(suite), false, program + " list cases"});
  std::vector<const Case*> selected;
  for (const Case& test_case : *suite.cases) {
    if (selects(filter, test_case)) selected.push_back(&test_case);
  }
  if (!selected.empty()) return selected;
  throw ProgramError(ExitCode::kNothingSelected,
                     filter.empty() ? std::string("the suite has no cases")
                                    : fmt::format("no case is selected by {}{}", described(filter),
                                                  why_no_case(suite, filter, program)));
}

std::vector<std::string> rule_ids(const Suite& suite) {
  std::vector<std::string> names;
  for (const Rule& rule : *suite.rules) names.emplace_back(rule.id);
  return names;
}

std::vector<std::string> case_names(const Suite& suite) {
  std::vector<std::string> names;
  for (const Case& test_case : *suite.cases) names.emplace_back(test_case.name);
  return names;
}

std::vector<std::string> binding_names(const Suite& suite) {
  std::vector<std::string> names;
  for (const Binding& binding : suite.bindings) names.push_back(binding.name());
  return names;
}

const Binding& binding_named(const Suite& suite, std::string_view name) {
  const Binding* const binding = suite.find_binding(name);
  if (binding != nullptr) return *binding;
  throw usage_error(
      fmt::format("there is no flavor `{}`{}", name, suggestion(name, binding_names(suite))));
}

}  // namespace sandproof::conformance
