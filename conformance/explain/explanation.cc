// SPDX-License-Identifier: Apache-2.0
// Gathering what there is to say about a rule, and saying it to programs; see explanation.h. What
// people read is made in explanation_text.cc.
#include "conformance/explain/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/explain/table_json.h"
#include "conformance/runner/selection.h"

namespace sandproof::conformance {
namespace {

using ExplainedJson = nlohmann::ordered_json;

std::string joined_codes(const std::vector<Capability>& capabilities) {
  std::string text;
  for (std::size_t i = 0; i < capabilities.size(); ++i) {
    if (i > 0) text += i + 1 == capabilities.size() ? " and " : ", ";
    text += fmt::format("`{}`", to_string(capabilities[i]));
  }
  return text;
}

Standing declared_standing(const Suite& suite, const std::vector<const Case*>& cases,
                           const Binding& binding) {
  Standing standing;
  standing.flavor = binding.name();
  for (const Case* const test_case : cases) {
    const Disposition disposition = dispose(suite, *test_case, binding);
    if (disposition.kind == DispositionKind::kRun) {
      ++standing.runs;
    } else if (standing.reason.empty()) {
      standing.reason = disposition.reason;
    }
  }
  if (standing.runs > 0) standing.reason.clear();
  if (cases.empty()) standing.reason = "the suite has no case for it";
  return standing;
}

Standing reported_standing(const ReportedFlavor& flavor, std::string_view id) {
  Standing standing;
  standing.flavor = flavor.name;
  const ReportedRule* const rule = flavor.find_rule(id);
  if (rule == nullptr) {
    standing.reason = "the run did not know the rule";
  } else if (!rule->selected) {
    standing.reason = "the run left it out";
  } else {
    standing.state = rule->state;
    standing.reason = rule->reason;
    standing.cases = rule->cases;
    standing.runs = static_cast<std::size_t>(
        std::count_if(rule->cases.begin(), rule->cases.end(), [](const ReportedCase& reported) {
          return reported.outcome != Outcome::kUnsupported &&
                 reported.outcome != Outcome::kNotObservable;
        }));
  }
  return standing;
}

ExplainedJson standing_json(const Standing& standing) {
  ExplainedJson cases = ExplainedJson::array();
  for (const ReportedCase& reported : standing.cases) {
    cases.push_back({{"case", reported.name}, {"outcome", to_string(reported.outcome)}});
  }
  return {{"flavor", standing.flavor},
          {"state",
           standing.state ? ExplainedJson(to_string(*standing.state)) : ExplainedJson(nullptr)},
          {"reason", standing.reason},
          {"cases_run", standing.runs},
          {"cases", std::move(cases)}};
}

}  // namespace

Explanation explain_rule(const Suite& suite, const Rule& rule, const LastReport* report) {
  Explanation explanation;
  explanation.rule = &rule;
  for (const Case& test_case : *suite.cases) {
    const auto& rules = test_case.rules;
    if (std::find(rules.begin(), rules.end(), rule.id) != rules.end()) {
      explanation.cases.push_back(&test_case);
    }
  }
  std::stable_partition(
      explanation.cases.begin(), explanation.cases.end(),
      [&rule](const Case* test_case) { return test_case->rules.front() == rule.id; });
  for (const Mutant& mutant : *suite.mutants) {
    if (mutant.rule == rule.id) explanation.mutants.push_back(&mutant);
  }
  if (report == nullptr) {
    for (const Binding& binding : suite.bindings) {
      explanation.standings.push_back(declared_standing(suite, explanation.cases, binding));
    }
  } else {
    for (const ReportedFlavor& flavor : report->flavors) {
      explanation.standings.push_back(reported_standing(flavor, rule.id));
    }
  }
  return explanation;
}

nlohmann::ordered_json explanation_json(const std::vector<Explanation>& explanations,
                                        const LastReport* report) {
  ExplainedJson rules = ExplainedJson::array();
  for (const Explanation& explanation : explanations) {
    ExplainedJson row = rule_row_json(*explanation.rule);
    row["cases"] = ExplainedJson::array();
    for (const Case* test_case : explanation.cases)
      row["cases"].push_back(case_row_json(*test_case));
    row["mutants"] = ExplainedJson::array();
    for (const Mutant* mutant : explanation.mutants) {
      row["mutants"].push_back(mutant_row_json(*mutant));
    }
    row["flavors"] = ExplainedJson::array();
    for (const Standing& standing : explanation.standings) {
      row["flavors"].push_back(standing_json(standing));
    }
    rules.push_back(std::move(row));
  }
  ExplainedJson from = nullptr;
  if (report != nullptr) {
    from = {
        {"file", report->name}, {"started_at", report->started_at}, {"complete", report->complete}};
  }
  return {{"rules", std::move(rules)}, {"report", std::move(from)}};
}

std::string conditions_text(const Rule& rule) {
  std::string text;
  if (!rule.capabilities.empty()) {
    text = fmt::format("It applies where {} {} claimed.", joined_codes(rule.capabilities),
                       rule.capabilities.size() == 1 ? "is" : "are");
  } else if (rule.unless) {
    text = fmt::format("It applies where `{}` is not claimed.", to_string(*rule.unless));
  } else {
    text = "It applies to every flavor.";
  }
  for (std::size_t i = 0; i < rule.needs.size(); ++i) {
    text += i == 0 ? " To be seen it needs of the binding: " : ", ";
    text += to_string(rule.needs[i]);
  }
  if (!rule.needs.empty()) text += '.';
  return text;
}

}  // namespace sandproof::conformance
