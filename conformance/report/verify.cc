// SPDX-License-Identifier: Apache-2.0
// What a report has to add up to; see verify.h and docs/report.md. It computes anew what
// model_builder.cc and rule_states.cc computed from events, from the cases as they stand.
#include "conformance/report/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/report/json_report.h"
#include "conformance/report/report_shape.h"
#include "conformance/report/run_model.h"
#include "conformance/report/verdict_words.h"
#include "conformance/report/verify_case.h"
#include "conformance/report/verify_known.h"
#include "conformance/report/verify_reason.h"
#include "sandproof/conformance/program.h"

namespace sandproof::conformance {
namespace {

using VerifyJson = nlohmann::json;
using Findings = std::vector<std::string>;

/// Broken refusals are charged to it without a case.
constexpr std::string_view kRuleOfRefusals = "CAP-002";

bool holds(std::string_view state) {
  return state == to_string(Outcome::kPassed) || state == to_string(Outcome::kExpectedFailure) ||
         state == to_string(Outcome::kUnsupported) || state == to_string(Outcome::kNotObservable);
}

/// For sure, of a run that was stopped, too.
bool is_broken(std::string_view state) {
  return state == to_string(Outcome::kCrashed) || state == to_string(Outcome::kTimeout) ||
         state == to_string(Outcome::kError) || state == to_string(Outcome::kFailed) ||
         state == to_string(Outcome::kUnexpectedPass);
}

/// The place in the order of badness; past the end for a word that is no outcome.
std::size_t rank_of(std::string_view outcome) {
  std::size_t rank = 0;
  while (rank < kOutcomeCount && to_string(static_cast<Outcome>(rank)) != outcome) ++rank;
  return rank;
}

bool has_item(const VerifyJson& list, std::string_view item) {
  return std::any_of(list.begin(), list.end(),
                     [item](const VerifyJson& entry) { return entry == item; });
}

class FlavorCheck {
 public:
  FlavorCheck(const VerifyJson& report, const VerifyJson& flavor, Findings& findings)
      : report_(report),
        flavor_(flavor),
        name_(flavor.at("flavor").get<std::string>()),
        filtered_(report.at("run").at("filtered")),
        complete_(report.at("run").at("complete")),
        failed_fast_(report.at("run").value("failed_fast", false)),
        has_list_(!report.at("known_failures").is_null()),
        findings_(findings) {}

  void run() {
    check_cases();
    check_rules();
    check_counts("case_counts", "cases", case_outcomes_);
    check_counts("rule_counts", "selected rules", rule_states_);
    check_verdict();
    for (const std::string& sentence : reason_findings(report_, flavor_)) find(sentence);
  }

 private:
  void find(const std::string& sentence) { findings_.push_back(name_ + ": " + sentence); }

  void check_cases() {
    for (const VerifyJson& row : flavor_.at("cases")) {
      const std::string name = row.at("case");
      const std::string outcome = row.at("outcome");
      ++case_outcomes_[outcome];
      if (!names_.insert(name).second) find(fmt::format("the case {} is there twice", name));
      if (rank_of(outcome) >= static_cast<std::size_t>(Outcome::kNoCase)) {
        find(fmt::format("{} has the outcome `{}`, which there is not", name, outcome));
      }
      for (const std::string& sentence : case_findings(row, flavor_)) find(sentence);
      if (outcome == to_string(Outcome::kNotRun) && complete_) {
        find(fmt::format("{} was not run, and the run says that it is complete", name));
      }
    }
  }

  void check_rules() {
    const VerifyJson& rules = flavor_.at("rules");
    const VerifyJson& table = report_.at("rules");
    if (rules.size() != table.size()) {
      find(fmt::format("it has {} rules, and the contract {}", rules.size(), table.size()));
    }
    for (std::size_t i = 0; i < std::min(rules.size(), table.size()); ++i) {
      if (rules[i].at("id") == table[i].at("id")) {
        check_rule(rules[i], table[i]);
      } else {
        find(fmt::format("{} stands where {} was due", rules[i].at("id").get<std::string>(),
                         table[i].at("id").get<std::string>()));
      }
    }
  }

  void check_rule(const VerifyJson& rule, const VerifyJson& info) {
    const std::string id = rule.at("id");
    const std::string state = rule.at("state");
    const bool selected = rule.at("selected");
    VerifyJson cases = VerifyJson::array();
    std::size_t worst = static_cast<std::size_t>(Outcome::kNoCase);
    for (const VerifyJson& row : flavor_.at("cases")) {
      if (!has_item(row.at("rules"), id)) continue;
      cases.push_back(row.at("case"));
      worst = std::min(worst, rank_of(row.at("outcome").get<std::string>()));
    }
    if (cases != rule.at("cases")) {
      find(fmt::format("{} lists the cases {}, and those that name it are {}", id,
                       rule.at("cases").dump(), cases.dump()));
    }
    const bool refused = id == kRuleOfRefusals &&
                         (state == to_string(Outcome::kFailed) || is_excused_refusal(state));
    const bool should_be_selected = !cases.empty() || !filtered_ || refused;
    if (selected != should_be_selected) {
      find(fmt::format("{} is {}selected, and {}", id, selected ? "" : "not ",
                       should_be_selected ? "should be" : "no case of it was"));
    }
    const std::set<std::string_view> possible =
        cases.empty() ? states_without_cases(id, info)
                      : std::set{to_string(static_cast<Outcome>(worst))};
    if (!possible.contains(state) && !refused) {
      find(fmt::format("{} is said to be {}, and by its cases it is {}", id, state,
                       fmt::join(possible, " or ")));
    }
    if (!selected) return;
    ++rule_states_[state];
    if (complete_ ? holds(state) : !is_broken(state)) return;
    if (info.at("level") == "MUST") {
      broken_musts_ = true;
    } else {
      warnings_.push_back(id);
    }
  }

  /// A list of known failures can excuse what is no case.
  bool is_excused_refusal(std::string_view state) const {
    return has_list_ && state == to_string(Outcome::kExpectedFailure);
  }

  /// What the declaration of the flavor leaves open.
  std::set<std::string_view> states_without_cases(const std::string& id,
                                                  const VerifyJson& info) const {
    const auto state = [](Outcome outcome) { return to_string(outcome); };
    if (filtered_) return {state(Outcome::kNotRun)};
    if (id == kRuleOfRefusals) return {state(Outcome::kPassed), state(Outcome::kNotObservable)};
    for (const VerifyJson& capability : info.at("capabilities")) {
      if (has_item(flavor_.at("capabilities"), capability.get<std::string>())) continue;
      std::set<std::string_view> states = {state(Outcome::kUnsupported), state(Outcome::kFailed),
                                           state(Outcome::kNotRun)};
      if (has_list_) states.insert(state(Outcome::kExpectedFailure));
      return states;
    }
    const VerifyJson& unless = info.at("unless");
    if (unless.is_string() && has_item(flavor_.at("capabilities"), unless.get<std::string>())) {
      return {state(Outcome::kNotObservable)};
    }
    for (const VerifyJson& need : info.at("needs")) {
      if (has_item(flavor_.at("provides"), need.get<std::string>())) continue;
      return {state(Outcome::kNotObservable)};
    }
    return {state(Outcome::kNoCase)};
  }

  void check_counts(const char* key, std::string_view of,
                    const std::map<std::string, std::int64_t>& counted) {
    for (const auto& [word, count] : flavor_.at(key).items()) {
      const auto found = counted.find(word);
      const std::int64_t real = found == counted.end() ? 0 : found->second;
      if (count == real) continue;
      find(fmt::format("{} says {} {}, and of its {} it is {}", key, count.dump(), word, of, real));
    }
  }

  void check_verdict() {
    if (flavor_.at("warnings") != warnings_) {
      find(fmt::format("its warnings are {}, and the SHOULD rules that do not hold are {}",
                       flavor_.at("warnings").dump(), warnings_.dump()));
    }
    const std::string verdict = flavor_.at("verdict");
    const bool judged = complete_ || (failed_fast_ && broken_musts_);
    const std::string_view wanted = to_string(!judged         ? Verdict::kIncomplete
                                              : broken_musts_ ? Verdict::kNotConformant
                                                              : Verdict::kConformant);
    if (verdict == wanted) return;
    find(fmt::format("its verdict is {}, and by its rules it is {}", verdict, wanted));
  }

  const VerifyJson& report_;
  const VerifyJson& flavor_;
  std::string name_;
  bool filtered_;
  bool complete_;
  bool failed_fast_;
  bool has_list_;
  Findings& findings_;
  std::set<std::string> names_;
  std::map<std::string, std::int64_t> case_outcomes_;
  std::map<std::string, std::int64_t> rule_states_;
  VerifyJson warnings_ = VerifyJson::array();
  bool broken_musts_ = false;
};

void check_checksum(const VerifyJson& report, Findings& findings) {
  const std::string real = report_checksum(report);
  const auto said = report.find("checksum");
  if (said == report.end()) {
    findings.emplace_back(
        "it has no checksum, so that edits of what nothing else depends on, like "
        "durations and texts, would not be seen");
  } else if (*said != real) {
    findings.push_back(fmt::format(
        "its checksum is {}, and its content has {}: something in it is not as it was written",
        said->is_string() ? said->get<std::string>() : said->dump(), real));
  }
}

void check_run(const VerifyJson& report, Findings& findings) {
  const VerifyJson& run = report.at("run");
  for (const VerifyJson& part : run.at("parts")) {
    if (part.at("state") == "finished" || !run.at("complete").get<bool>()) continue;
    findings.push_back(fmt::format("the run says that it is complete, and a part of it is {}",
                                   part.at("state").get<std::string>()));
  }
  bool anything = false;
  bool conformant = true;
  bool failed = false;
  for (const VerifyJson& flavor : report.at("flavors")) {
    anything = anything || !flavor.at("cases").empty();
    conformant = conformant && flavor.at("verdict") == to_string(Verdict::kConformant);
    failed = failed || flavor.at("verdict") == to_string(Verdict::kNotConformant);
  }
  // What the list says counts as the verdicts do.
  const VerifyJson& known = report.at("known_failures");
  const bool as_known = known.is_null() || known.at("hold") == true;
  conformant = conformant && as_known;
  const bool found = run.value("failed_fast", false) && (failed || !as_known);
  const ExitCode code = !run.at("complete").get<bool>()
                            ? (found ? ExitCode::kNotConformant : ExitCode::kIncomplete)
                        : !anything && run.at("shard").is_null() ? ExitCode::kNothingSelected
                        : conformant                             ? ExitCode::kConformant
                                                                 : ExitCode::kNotConformant;
  const int wanted = static_cast<int>(code);
  if (report.at("exit_code") != wanted) {
    findings.push_back(fmt::format("its exit code is {}, and by its flavors it is {}",
                                   report.at("exit_code").dump(), wanted));
  }
  if (report.at("verdict") != run_verdict(wanted).name) {
    findings.push_back(fmt::format("its verdict is {}, and by its flavors it is {}",
                                   report.at("verdict").get<std::string>(),
                                   run_verdict(wanted).name));
  }
}

void check_content(const VerifyJson& report, Findings& findings) {
  check_run(report, findings);
  for (const VerifyJson& flavor : report.at("flavors")) {
    FlavorCheck(report, flavor, findings).run();
  }
  for (std::string& sentence : known_failure_findings(report)) {
    findings.push_back(std::move(sentence));
  }
}

}  // namespace

std::vector<std::string> inconsistencies(const VerifyJson& report) {
  Findings findings;
  std::string trouble = shape_trouble(report);
  try {
    if (trouble.empty()) check_content(report, findings);
  } catch (const VerifyJson::exception& error) {
    trouble = json_trouble(error);
  }
  if (!trouble.empty()) findings.push_back("it is no whole report: " + trouble);
  // Last: what is said above says more.
  check_checksum(report, findings);
  return findings;
}

}  // namespace sandproof::conformance
