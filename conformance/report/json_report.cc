// SPDX-License-Identifier: Apache-2.0
// Writes conformance.json; its keys are documented in docs/report.md and only ever added to.
#include "conformance/report/json_report.h"

#include <nlohmann/json.hpp>

#include "conformance/report/checksum.h"
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
                      {"known_failure", result.known_failure ? OrderedJson(*result.known_failure)
                                                             : OrderedJson(nullptr)},
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
          {"seed", flavor.seed ? OrderedJson(*flavor.seed) : OrderedJson(nullptr)},
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

OrderedJson listed_json(const std::vector<ListedCase>& cases, bool with_fit) {
  OrderedJson list = OrderedJson::array();
  for (const ListedCase& listed : cases) {
    OrderedJson json = {{"flavor", listed.flavor}, {"case", listed.name}};
    if (with_fit) json["fit"] = to_string(listed.fit);
    list.push_back(std::move(json));
  }
  return list;
}

OrderedJson known_failures_json(const KnownFailuresResult& known) {
  OrderedJson entries = OrderedJson::array();
  for (const KnownFailureResult& result : known.entries) {
    const KnownFailure& entry = result.entry;
    entries.push_back({{"line", entry.line},
                       {"case", entry.test_case},
                       {"rule", entry.rule},
                       {"flavor", entry.flavor},
                       {"outcome", entry.outcome},
                       {"message", entry.message},
                       {"reason", entry.reason},
                       {"link", entry.link},
                       {"expires", entry.expires},
                       {"suite_cases", entry.suite_cases},
                       {"flavors", entry.flavors},
                       {"state", to_string(result.state)},
                       {"detail", result.detail},
                       {"days_left", result.days_left},
                       {"cases", listed_json(result.cases, true)}});
  }
  return {{"file", known.file},
          {"hold", known.hold()},
          {"entries", std::move(entries)},
          {"unlisted", listed_json(known.unlisted, false)}};
}

OrderedJson shard_json(const std::optional<ShardInfo>& shard) {
  if (!shard) return nullptr;
  return {{"index", shard->index}, {"total", shard->total}, {"from", shard->from}};
}

OrderedJson parts_json(const RunModel& model) {
  OrderedJson parts = OrderedJson::array();
  for (const PartInfo& part : model.parts) {
    parts.push_back({{"log", part.name},
                     {"flavors", part.flavors},
                     {"shard", shard_json(part.shard)},
                     {"state", part.state},
                     {"started_at", part.started_at},
                     {"duration_ms", part.duration_ms},
                     {"seed", part.seed}});
  }
  return parts;
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
          {"shard", shard_json(model.shard)},
          {"parts", parts_json(model)},
          {"event_log_checksum", model.log_checksum},
          {"mutant", model.mutant.empty() ? OrderedJson(nullptr) : OrderedJson(model.mutant)},
          {"complete", model.complete},
          {"interrupted", model.interrupted},
          {"interrupt_reason", model.interrupt_reason},
          {"failed_fast", model.failed_fast}};
}

}  // namespace

std::string report_checksum(nlohmann::json document) {
  document.erase("checksum");
  return checksum_of(document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

OrderedJson json_document(const RunModel& model) {
  OrderedJson rules = OrderedJson::array();
  for (const RuleInfo& rule : model.rules) rules.push_back(rule_json(rule));
  OrderedJson flavors = OrderedJson::array();
  for (const FlavorResult& flavor : model.flavors) flavors.push_back(flavor_json(model, flavor));
  return {{"format", kReportFormat},
          {"verdict", run_verdict(model).name},
          {"exit_code", exit_code_of(model)},
          {"run", run_json(model)},

          {"known_failures", model.known_failures ? known_failures_json(*model.known_failures)
                                                  : OrderedJson(nullptr)},
          {"flavors", std::move(flavors)},
          {"rules", std::move(rules)}};
}

std::string to_json_report(const RunModel& model) {
  OrderedJson document = json_document(model);
  // As it will be read: what is no UTF-8 has been replaced by then.
  document["checksum"] = report_checksum(
      nlohmann::json::parse(document.dump(-1, ' ', false, OrderedJson::error_handler_t::replace)));
  constexpr int kIndent = 2;
  return document.dump(kIndent, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace sandproof::conformance
