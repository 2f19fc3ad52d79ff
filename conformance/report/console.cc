// SPDX-License-Identifier: Apache-2.0
// The console report; see console.h.
#include "conformance/report/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "conformance/report/failure_text.h"
#include "conformance/report/matrix.h"
#include "conformance/report/summary.h"

namespace sandproof::conformance {
namespace {

/// More than this nobody reads; the JSON report has them all.
constexpr std::size_t kFailuresShown = 50;

struct Failure {
  const FlavorResult* flavor;
  const CaseResult* result;
  std::size_t rule;
};

/// Charged with a refusal that did not hold: it did not run itself, and many stand for one fault.
bool is_refusal(const CaseResult& result) { return !result.started && !result.capability.empty(); }

/// Flavor by flavor, in the contract's order.
std::vector<Failure> failures_of(const RunModel& model) {
  std::vector<Failure> failures;
  for (const FlavorResult& flavor : model.flavors) {
    const std::size_t first = failures.size();
    for (const CaseResult& result : flavor.cases) {
      if (result.outcome > Outcome::kUnexpectedPass || is_refusal(result)) continue;
      const RuleInfo* rule = model.find_rule(result.rules.front());
      failures.push_back({&flavor, &result, static_cast<std::size_t>(rule - model.rules.data())});
    }
    std::stable_sort(failures.begin() + static_cast<std::ptrdiff_t>(first), failures.end(),
                     [](const Failure& a, const Failure& b) { return a.rule < b.rule; });
  }
  return failures;
}

/// Each refusal that did not hold once, with the rules whose cases it is charged to.
std::string refusals_text(const RunModel& model, const Terminal& terminal) {
  std::string text;
  for (const FlavorResult& flavor : model.flavors) {
    std::map<std::string, std::vector<std::string>> rules_by_reason;
    for (const RuleResult& rule : flavor.rules) {
      for (const std::size_t index : rule.cases) {
        const CaseResult& result = flavor.cases[index];
        if (!is_failure(result.outcome) || !is_refusal(result)) continue;
        std::vector<std::string>& rules = rules_by_reason[result.reason];
        if (rules.empty() || rules.back() != rule.id) rules.push_back(rule.id);
      }
    }
    for (const auto& [reason, rules] : rules_by_reason) {
      text += paint(terminal, Style::kBad, rules.front()) + fmt::format("  on {}\n", flavor.name);
      text += wrap(printable(reason, false), terminal.width, "    ", "    ");
      text += wrap("so these do not hold: " + join_ids(rules), terminal.width, "    ", "      ");
      text += '\n';
    }
  }
  return text;
}

/// Rules that are broken without a case that is: CAP-002 through a refusal that did not hold.
std::string broken_without_case(const RunModel& model, const Terminal& terminal) {
  std::string text;
  for (const FlavorResult& flavor : model.flavors) {
    for (const RuleResult& rule : flavor.rules) {
      if (!rule.selected || !is_failure(rule.state)) continue;
      const bool told = std::any_of(
          rule.cases.begin(), rule.cases.end(),
          [&flavor](std::size_t index) { return is_failure(flavor.cases[index].outcome); });
      if (told) continue;
      const RuleInfo* info = model.find_rule(rule.id);
      text += paint(terminal, Style::kBad, rule.id) + fmt::format("  on {}\n", flavor.name);
      text += wrap(info->sentence, terminal.width, "    ", "    ");
      text += wrap(printable(rule.reason, false), terminal.width, "    ", "      ") + "\n";
    }
  }
  return text;
}

}  // namespace

std::string console_report(const RunModel& model, const Terminal& terminal) {
  std::string text;
  const std::vector<Failure> failures = failures_of(model);
  if (!failures.empty()) {
    const std::string_view rest =
        failures.size() == 1 ? "did not end as it should" : "did not end as they should";
    text += paint(terminal, Style::kStrong,
                  fmt::format("{} {}", count_text(failures.size(), "case"), rest)) +
            "\n\n";
  }
  for (std::size_t i = 0; i < std::min(failures.size(), kFailuresShown); ++i) {
    text += failure_text(model, *failures[i].flavor, *failures[i].result, terminal) + "\n";
  }
  if (failures.size() > kFailuresShown) {
    text += fmt::format("({} more; --report json:FILE has all of them)\n\n",
                        failures.size() - kFailuresShown);
  }
  text += refusals_text(model, terminal) + broken_without_case(model, terminal);
  const std::string matrix = matrix_text(model, terminal);
  if (!matrix.empty()) text += matrix + "\n";
  return text + summary_text(model, terminal);
}

}  // namespace sandproof::conformance
