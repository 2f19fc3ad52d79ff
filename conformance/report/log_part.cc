// SPDX-License-Identifier: Apache-2.0
// Taking a log apart; see log_part.h.
#include "conformance/report/log_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sandproof::conformance {
namespace {

using PartJson = nlohmann::json;

void take_started(LogPart& part, const PartJson& event) {
  part.started = bare(event);
  part.filtered = event.value("filtered", false);
  part.seed = event.value("seed", std::uint64_t{0});
  const auto shard = event.find("shard");
  if (shard == event.end() || !shard->is_object()) return;
  part.shard = ShardInfo{shard->at("index"), shard->at("total"), shard->value("from", "")};
  if (part.shard->index < 1 || part.shard->index > part.shard->total) {
    throw EventLogError(fmt::format("it cannot be {}", to_string(*part.shard)));
  }
  part.filtered = shard->value("filtered", false);
}

void take_case(LogPart& part, const PartJson& event, bool own) {
  PartCase row;
  row.own = own;
  row.shard = !own ? event.at("shard").get<int>() : part.shard ? part.shard->index : 0;
  row.position = event.value("position", static_cast<std::int64_t>(part.cases.size()));
  row.planned = bare(event);
  row.planned.erase("shard");
  const std::pair key(event.at("flavor").get<std::string>(), event.at("case").get<std::string>());
  if (part.find_flavor(key.first) == nullptr) {
    throw EventLogError(fmt::format("the flavor '{}' was never announced", key.first));
  }
  if (!part.cases.emplace(key, std::move(row)).second) {
    throw EventLogError(
        fmt::format("the case '{}' of '{}' is planned twice", key.second, key.first));
  }
}

void take_event(LogPart& part, const PartJson& event) {
  const std::string& kind = event.at("event").get_ref<const std::string&>();
  part.elapsed_ms = event.value("t_ms", part.elapsed_ms);
  if (kind == "run_started") {
    take_started(part, event);
  } else if (kind == "known_failure") {
    part.known_failures.push_back(bare(event));
  } else if (kind == "rule") {
    part.rules.push_back(bare(event));
  } else if (kind == "flavor") {
    part.flavors.emplace_back(event.at("flavor").get<std::string>(), bare(event));
  } else if (kind == "case_planned" || kind == "case_of_other_shard") {
    take_case(part, event, kind == "case_planned");
  } else if (kind == "part") {
    part.parts.push_back(bare(event));
  } else if (kind == "run_finished") {
    part.finished = bare(event);
    part.planned = true;
  } else {
    part.body.push_back(event);
    part.planned = true;
  }
}

}  // namespace

PartJson bare(PartJson event) {
  for (const char* key : {"event", "seq", "t_ms"}) event.erase(key);
  return event;
}

std::vector<std::string> LogPart::flavor_names() const {
  std::vector<std::string> names;
  for (const auto& flavor : flavors) names.push_back(flavor.first);
  return names;
}

const PartJson* LogPart::find_flavor(std::string_view wanted) const {
  const auto found = std::find_if(flavors.begin(), flavors.end(),
                                  [wanted](const auto& flavor) { return flavor.first == wanted; });
  return found == flavors.end() ? nullptr : &found->second;
}

LogPart take_apart(const EventLog& log) {
  LogPart part;
  part.name = log.name;
  if (log.events.empty()) return part;
  if (log.events.front().at("event") != "run_started") {
    throw EventLogError(fmt::format(
        "the event log {} has no beginning: its first line is `{}` where `run_started` was due",
        log.name, log.events.front().at("event").get<std::string>()));
  }
  std::size_t line = 0;
  for (const PartJson& event : log.events) {
    ++line;
    try {
      take_event(part, event);
    } catch (const std::exception& error) {
      throw EventLogError(
          fmt::format("the event log {} is damaged: line {}: {}", log.name, line, error.what()));
    }
  }
  return part;
}

}  // namespace sandproof::conformance
