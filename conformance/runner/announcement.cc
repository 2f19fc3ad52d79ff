// SPDX-License-Identifier: Apache-2.0
// The head of a log (announcement.h).
#include "conformance/runner/announcement.h"

#include <ctime>
#include <nlohmann/json.hpp>

namespace sandproof::conformance::runner {
namespace {

using nlohmann::json;

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, size};
}

template <typename Range>
json names(const Range& range) {
  json list = json::array();
  for (const auto& item : range) list.push_back(to_string(item));
  return list;
}

template <typename Map>
json reasons(const Map& map) {
  json object = json::object();
  for (const auto& [key, reason] : map) object[std::string(to_string(key))] = reason;
  return object;
}

json run_event(const RunOptions& options) {
  json event{{"format", 1},
             {"version", options.version},
             {"argv", options.argv},
             {"started_at", utc_now()},
             {"seed", options.seed},
             {"time_scale", options.time_scale},
             {"jobs", options.jobs},
             {"shuffled", options.shuffle},
             {"filtered", options.filtered},
             {"fail_fast", options.fail_fast}};
  if (!options.program.empty()) event["program"] = options.program;
  if (options.shard) {
    event["shard"] = {{"index", options.shard->index},
                      {"total", options.shard->total},
                      {"filtered", options.shard->filtered}};
    if (!options.shard->from.empty()) event["shard"]["from"] = options.shard->from;
  }
  if (options.known_failures) event["known_failures"] = options.known_failures->file;
  // Of the run only where it is the whole run's.
  const std::string& mutant = options.flavors.empty() ? std::string() : options.flavors[0].mutant;
  bool shared = !mutant.empty();
  for (const SelectedFlavor& selected : options.flavors) shared &= selected.mutant == mutant;
  if (shared) event["mutant"] = mutant;
  return event;
}

json rule_event(const Rule& rule) {
  return {{"id", rule.id},
          {"level", rule.level == Level::kMust ? "M" : "S"},
          {"sentence", rule.sentence},
          {"capabilities", names(rule.capabilities)},
          {"unless", rule.unless ? json(to_string(*rule.unless)) : json(nullptr)},
          {"needs", names(rule.needs)}};
}

json flavor_event(const Lot& lot) {
  const Binding& binding = *lot.selected->binding;
  json deviations = json::array();
  for (const Deviation& deviation : binding.deviations) {
    deviations.push_back(
        {{"rule", deviation.rule}, {"reason", deviation.reason}, {"link", deviation.link}});
  }
  json event{{"flavor", lot.label},
             {"binding", binding.name()},
             {"capabilities", names(binding.flavor.capabilities.list())},
             {"unclaimed", reasons(binding.unclaimed)},
             {"provides", names(binding.provides)},
             {"not_provided", reasons(binding.not_provided)},
             {"deviations", deviations}};
  if (!lot.selected->replay.empty()) event["replay"] = lot.selected->replay;
  if (!lot.selected->mutant.empty()) event["mutant"] = lot.selected->mutant;
  if (lot.selected->left_out_assertion) event["left_out"] = *lot.selected->left_out_assertion;
  return event;
}

json planned_event(const Suite& suite, const Lot& lot, const Planned& planned) {
  json event{{"flavor", lot.label},
             {"case", planned.test_case->name},
             {"position", planned.test_case - suite.cases->data()},
             {"rules", planned.test_case->rules},
             {"limit_ms", planned.limit.count()},
             {"disposition", to_string(planned.disposition.kind)}};
  if (!planned.disposition.reason.empty()) event["reason"] = planned.disposition.reason;
  if (planned.disposition.capability) {
    event["capability"] = to_string(*planned.disposition.capability);
  }
  return event;
}

}  // namespace

void announce(const Suite& suite, const RunOptions& options, Schedule& schedule,
              EventLogWriter& log) {
  log.append("run_started", run_event(options));
  if (options.known_failures) {
    for (const KnownFailure& entry : options.known_failures->entries) {
      log.append("known_failure", to_event(entry));
    }
  }
  for (const Rule& rule : *suite.rules) log.append("rule", rule_event(rule));
  for (const Lot& lot : schedule.lots()) log.append("flavor", flavor_event(lot));
  for (const Lot& lot : schedule.lots()) {
    for (const Planned& planned : lot.planned) {
      log.append("case_planned", planned_event(suite, lot, planned));
    }
    for (std::size_t i = 0; i < lot.others.size(); ++i) {
      json event = planned_event(suite, lot, lot.others[i]);
      event["shard"] = lot.selected->others[i].shard;
      log.append("case_of_other_shard", std::move(event));
    }
  }
}

}  // namespace sandproof::conformance::runner
