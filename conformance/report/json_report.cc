// SPDX-License-Identifier: Apache-2.0
// Writes conformance.json; its keys are documented in docs/report.md and only ever added to.
#include "conformance/report/json_report.h"

#include <nlohmann/json.hpp>

#include "conformance/report/failure_text.h"
#include "conformance/report/verdict_words.h"

namespace sandproof::conformance {
namespace {

// Keys stand in the order in which people read them.
using OrderedJson = nlohmann::ordered_json;

/// Rises when a key changes its meaning or goes away.
constexpr int kReportFormat = 1;

OrderedJson counts_json(const Counts& counts, bool of_rules) {
  OrderedJson result = OrderedJson::object();
  for (std::size_t i = 0; i < kOutcomeCount; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    if (outcome == Outcome::kNoCase && !of_rules) continue;
    result[std::string(to_string(outcome))] = counts[i];
  }
  return result;
}

OrderedJson wait_json(const Wait& wait) {
  return {{"verb", wait.verb}, {"object", wait.object}, {"file", wait.file},
          {"line", wait.line}, {"for_ms", wait.for_ms}, {"last_bytes", wait.last_bytes}};
}

OrderedJson case_json(const RunModel& model, const FlavorResult& flavor, const CaseResult& result) {
  OrderedJson failures = OrderedJson::array();
  for (const FailedAssertion& failure : result.failures) {
    failures.push_back({{"file", failure.file},
                        {"line", failure.line},
                        {"message", failure.message},
                        {"fatal", failure.fatal}});
  }
  OrderedJson waits = OrderedJson::array();
  for (const Wait& wait : result.waits) waits.push_back(wait_json(wait));
  OrderedJson json = {{"case", result.name},
                      {"rules", result.rules},
                      {"outcome", to_string(result.outcome)},
                      {"reason", result.reason},
                      {"duration_ms", result.duration_ms},
                      {"limit_ms", result.limit_ms},
                      {"assertions", result.assertions},
                      {"seed", result.seed ? OrderedJson(*result.seed) : OrderedJson(nullptr)},
                      {"deviation", result.deviation},
                      {"notes", result.notes},
                      {"failures", std::move(failures)},
                      {"waits", std::move(waits)},
                      {"leftovers", result.leftovers}};
  if (result.outcome == Outcome::kTimeout) {
    json["timeout"] = result.no_progress ? "no_progress" : "limit";
  }
  if (const std::string line = replay_line(model, flavor, result); !line.empty()) {
    json["replay"] = line;
  }
  if (!result.capability.empty()) json["capability"] = result.capability;
  if (!result.status.empty()) json["status"] = result.status;
  if (!result.stderr_tail.empty()) json["stderr"] = result.stderr_tail;
  return json;
}

OrderedJson rule_result_json(const RuleResult& rule, const FlavorResult& flavor) {
  OrderedJson cases = OrderedJson::array();
  for (const std::size_t index : rule.cases) cases.push_back(flavor.cases[index].name);
  return {{"id", rule.id},
          {"state", to_string(rule.state)},
          {"selected", rule.selected},
          {"reason", rule.reason},
          {"cases", std::move(cases)}};
}

OrderedJson flavor_json(const RunModel& model, const FlavorResult& flavor) {
  OrderedJson deviations = OrderedJson::array();
  for (const DeviationInfo& deviation : flavor.deviations) {
    deviations.push_back(
        {{"rule", deviation.rule}, {"reason", deviation.reason}, {"link", deviation.link}});
  }
  OrderedJson rules = OrderedJson::array();
  for (const RuleResult& rule : flavor.rules) rules.push_back(rule_result_json(rule, flavor));
  OrderedJson cases = OrderedJson::array();
  for (const CaseResult& result : flavor.cases) {
    cases.push_back(case_json(model, flavor, result));
  }
  return {{"flavor", flavor.name},
          {"verdict", to_string(flavor.verdict)},
          {"capabilities", flavor.capabilities},
          {"unclaimed", flavor.unclaimed},
          {"provides", flavor.provides},
          {"not_provided", flavor.not_provided},
          {"deviations", std::move(deviations)},
          {"rule_counts", counts_json(flavor.rule_counts, true)},
          {"case_counts", counts_json(flavor.case_counts, false)},
          {"warnings", flavor.warnings},
          {"rules", std::move(rules)},
          {"cases", std::move(cases)}};
}

OrderedJson rule_json(const RuleInfo& rule) {
  return {{"id", rule.id},
          {"area", rule.area()},
          {"level", rule.must ? "MUST" : "SHOULD"},
          {"sentence", rule.sentence},
          {"capabilities", rule.capabilities},
          {"unless", rule.unless ? OrderedJson(*rule.unless) : OrderedJson(nullptr)},
          {"needs", rule.needs}};
}

OrderedJson run_json(const RunModel& model) {
  return {{"version", model.version},
          {"program", model.program},
          {"started_at", model.started_at},
          {"duration_ms", model.elapsed_ms},
          {"argv", model.argv},
          {"seed", model.seed},
          {"time_scale", model.time_scale},
          {"jobs", model.jobs},
          {"shuffled", model.shuffled},
          {"filtered", model.filtered},
          {"fail_fast", model.fail_fast},
          {"mutant", model.mutant.empty() ? OrderedJson(nullptr) : OrderedJson(model.mutant)},
          {"complete", model.complete},
          {"interrupted", model.interrupted},
          {"interrupt_reason", model.interrupt_reason}};
}

}  // namespace

OrderedJson json_document(const RunModel& model) {
  OrderedJson rules = OrderedJson::array();
  for (const RuleInfo& rule : model.rules) rules.push_back(rule_json(rule));
  OrderedJson flavors = OrderedJson::array();
  for (const FlavorResult& flavor : model.flavors) flavors.push_back(flavor_json(model, flavor));
  return {{"format", kReportFormat},          {"verdict", run_verdict(model).name},
          {"exit_code", exit_code_of(model)}, {"run", run_json(model)},
          {"flavors", std::move(flavors)},    {"rules", std::move(rules)}};
}

std::string to_json_report(const RunModel& model) {
  constexpr int kIndent = 2;
  return json_document(model).dump(kIndent, ' ', false, OrderedJson::error_handler_t::replace) +
         "\n";
}

}  // namespace sandproof::conformance
