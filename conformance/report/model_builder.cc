// SPDX-License-Identifier: Apache-2.0
// Builds the model: one handler per event of docs/event-log.md, in a table. What the events of a
// case add up to is decided here; the states of the rules and the verdict in rule_states.cc.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/report/rule_states.h"
#include "conformance/report/run_model.h"

namespace sandproof::conformance {
namespace {

using Json = nlohmann::json;
using Strings = std::vector<std::string>;
using Reasons = std::map<std::string, std::string>;

class Builder {
 public:
  void take(const Json& event);
  RunModel finish(const EventLog& log);

 private:
  void run_started(const Json& event);
  void part(const Json& event);
  void known_failure(const Json& event);
  void rule(const Json& event);
  void flavor(const Json& event);
  void case_planned(const Json& event);
  void case_started(const Json& event);
  void note(const Json& event);
  void assertion_failed(const Json& event);
  void case_finished(const Json& event);
  void case_timeout(const Json& event);
  void case_crashed(const Json& event);
  void leftovers(const Json& event);
  void refusal(const Json& event);
  void run_finished(const Json& event);

  FlavorResult& flavor_of(const Json& event);
  CaseResult& case_of(const Json& event);

  RunModel model_;
  std::vector<Refusal> refusals_;
  std::map<std::pair<std::string, std::string>, std::pair<std::size_t, std::size_t>> places_;
};

/// A case that ended twice, which a sound log does not have, keeps the worse end.
void end_as(CaseResult& result, Outcome outcome) {
  result.outcome = result.outcome == Outcome::kNotRun ? outcome : std::min(result.outcome, outcome);
}

std::vector<Wait> waits_of(const Json& event) {
  std::vector<Wait> waits;
  const auto found = event.find("waits");
  if (found == event.end()) return waits;
  for (const Json& wait : *found) {
    waits.push_back({wait.value("verb", ""), wait.value("object", ""), wait.value("file", ""),
                     wait.value("line", std::int64_t{0}), wait.value("for_ms", 0.0),
                     wait.value("last_bytes", "")});
  }
  return waits;
}

void take_last_lines(CaseResult& result, const Json& event) {
  const auto text = event.find("stderr");
  if (text != event.end() && text->is_string()) result.stderr_tail = *text;
}

std::optional<ShardInfo> shard_of(const Json& event) {
  const auto shard = event.find("shard");
  if (shard == event.end() || !shard->is_object()) return std::nullopt;
  return ShardInfo{shard->at("index"), shard->at("total"), shard->value("from", "")};
}

void Builder::take(const Json& event) {
  using Handler = void (Builder::*)(const Json&);
  static const std::map<std::string_view, Handler> handlers = {
      {"run_started", &Builder::run_started},
      {"part", &Builder::part},
      {"known_failure", &Builder::known_failure},
      {"rule", &Builder::rule},
      {"flavor", &Builder::flavor},
      {"case_planned", &Builder::case_planned},
      {"case_started", &Builder::case_started},
      {"note", &Builder::note},
      {"assertion_failed", &Builder::assertion_failed},
      {"case_finished", &Builder::case_finished},
      {"case_timeout", &Builder::case_timeout},
      {"case_crashed", &Builder::case_crashed},
      {"leftovers", &Builder::leftovers},
      {"refusal", &Builder::refusal},
      {"run_finished", &Builder::run_finished},
  };
  model_.elapsed_ms = event.value("t_ms", model_.elapsed_ms);
  const auto found = handlers.find(event.at("event").get_ref<const std::string&>());
  if (found != handlers.end()) (this->*found->second)(event);
}

void Builder::run_started(const Json& event) {
  const int format = event.value("format", 1);
  if (format != 1) {
    throw EventLogError(fmt::format("its format is {}, and this program reads format 1", format));
  }
  model_.version = event.value("version", "");
  model_.program = event.value("program", model_.program);
  model_.started_at = event.value("started_at", "");
  model_.argv = event.value("argv", Strings{});
  model_.seed = event.value("seed", std::uint64_t{0});
  model_.time_scale = event.value("time_scale", 1.0);
  model_.jobs = event.value("jobs", std::int64_t{1});
  model_.shuffled = event.value("shuffled", false);
  model_.filtered = event.value("filtered", false);
  model_.fail_fast = event.value("fail_fast", false);
  model_.shard = shard_of(event);
  const auto mutant = event.find("mutant");
  if (mutant != event.end() && mutant->is_string()) model_.mutant = *mutant;
  if (event.contains("known_failures")) {
    model_.known_failures = KnownFailuresResult{event["known_failures"], {}, {}};
  }
}

void Builder::known_failure(const Json& event) {
  if (!model_.known_failures) throw EventLogError("a known failure without a list of them");
  KnownFailureResult result;
  result.entry = known_failure_of(event);
  model_.known_failures->entries.push_back(std::move(result));
}

void Builder::part(const Json& event) {
  PartInfo info;
  info.name = event.value("name", "");
  info.flavors = event.value("flavors", Strings{});
  info.shard = shard_of(event);
  info.state = event.at("state");
  info.started_at = event.value("started_at", "");
  info.duration_ms = event.value("duration_ms", 0.0);
  info.seed = event.value("seed", std::uint64_t{0});
  if (info.state != "finished") {
    std::string what = info.shard ? to_string(*info.shard) : info.name;
    if (!info.flavors.empty()) what += fmt::format(" of {}", fmt::join(info.flavors, ", "));
    const std::string how = info.state == "missing" ? "is missing" : "was killed before its end";
    std::string& reason = model_.interrupt_reason;
    reason += fmt::format("{}{} {}", reason.empty() ? "" : "; ", what, how);
  }
  model_.parts.push_back(std::move(info));
}

void Builder::rule(const Json& event) {
  RuleInfo info;
  info.id = event.at("id");
  info.must = event.at("level") != "S";
  info.sentence = event.value("sentence", "");
  info.capabilities = event.value("capabilities", Strings{});
  const auto unless = event.find("unless");
  if (unless != event.end() && unless->is_string()) info.unless = unless->get<std::string>();
  info.needs = event.value("needs", Strings{});
  model_.rules.push_back(std::move(info));
}

void Builder::flavor(const Json& event) {
  FlavorResult result;
  result.name = event.at("flavor");
  result.binding = event.value("binding", result.name);
  result.replay = event.value("replay", Strings{});
  if (event.contains("seed")) result.seed = event["seed"].get<std::uint64_t>();
  result.capabilities = event.value("capabilities", Strings{});
  result.unclaimed = event.value("unclaimed", Reasons{});
  result.provides = event.value("provides", Strings{});
  result.not_provided = event.value("not_provided", Reasons{});
  for (const Json& deviation : event.value("deviations", Json::array())) {
    result.deviations.push_back(
        {deviation.at("rule"), deviation.value("reason", ""), deviation.value("link", "")});
  }
  model_.flavors.push_back(std::move(result));
}

FlavorResult& Builder::flavor_of(const Json& event) {
  const std::string& name = event.at("flavor").get_ref<const std::string&>();
  for (FlavorResult& flavor : model_.flavors) {
    if (flavor.name == name) return flavor;
  }
  throw EventLogError(fmt::format("the flavor '{}' was never announced", name));
}

CaseResult& Builder::case_of(const Json& event) {
  const auto found = places_.find({event.at("flavor"), event.at("case")});
  if (found == places_.end()) {
    throw EventLogError(fmt::format("the case '{}' of '{}' was never planned",
                                    event.at("case").get<std::string>(),
                                    event.at("flavor").get<std::string>()));
  }
  return model_.flavors[found->second.first].cases[found->second.second];
}

void Builder::case_planned(const Json& event) {
  FlavorResult& flavor = flavor_of(event);
  CaseResult result;
  result.name = event.at("case");
  result.rules = event.at("rules").get<Strings>();
  result.limit_ms = event.value("limit_ms", 0.0);
  const std::string disposition = event.value("disposition", "run");
  if (disposition != "run") {
    result.outcome = disposition == "unsupported" ? Outcome::kUnsupported : Outcome::kNotObservable;
    // Null for cases that run.
    if (event.contains("reason") && event["reason"].is_string()) result.reason = event["reason"];
    if (event.contains("capability") && event["capability"].is_string()) {
      result.capability = event["capability"];
    }
  }
  const auto flavor_index = static_cast<std::size_t>(&flavor - model_.flavors.data());
  places_.emplace(std::pair(flavor.name, result.name),
                  std::pair(flavor_index, flavor.cases.size()));
  flavor.cases.push_back(std::move(result));
}

void Builder::case_started(const Json& event) {
  CaseResult& result = case_of(event);
  result.started = true;
  if (event.contains("seed")) result.seed = event["seed"].get<std::uint64_t>();
}

void Builder::note(const Json& event) { case_of(event).notes.push_back(event.value("text", "")); }

void Builder::assertion_failed(const Json& event) {
  case_of(event).failures.push_back({event.value("file", ""), event.value("line", std::int64_t{0}),
                                     event.value("message", ""), event.value("fatal", false)});
}

void Builder::case_finished(const Json& event) {
  CaseResult& result = case_of(event);
  result.duration_ms = event.value("duration_ms", 0.0);
  result.assertions = event.value("assertions", std::int64_t{0});
  result.left_out = event.value("left_out", std::uint64_t{0});
  result.fired = std::max(result.fired, event.value("fired", std::uint64_t{0}));
  const auto message = event.find("message");
  if (message != event.end() && message->is_string()) result.reason = *message;
  take_last_lines(result, event);
  const std::string outcome = event.at("outcome");
  if (outcome == "error") {
    end_as(result, Outcome::kError);
  } else if (outcome == "failed" || !result.failures.empty()) {
    end_as(result, Outcome::kFailed);
  } else if (outcome != "passed") {
    throw EventLogError(fmt::format("a case cannot finish as '{}'", outcome));
  } else if (result.assertions == 0) {
    result.reason = "nothing was asserted";
    end_as(result, Outcome::kError);
  } else {
    end_as(result, Outcome::kPassed);
  }
}

void Builder::case_timeout(const Json& event) {
  CaseResult& result = case_of(event);
  end_as(result, Outcome::kTimeout);
  result.no_progress = event.value("kind", "limit") == "no_progress";
  result.duration_ms = event.value("after_ms", 0.0);
  result.waits = waits_of(event);
  take_last_lines(result, event);
  result.fired = std::max(result.fired, event.value("fired", std::uint64_t{0}));
}

void Builder::case_crashed(const Json& event) {
  CaseResult& result = case_of(event);
  end_as(result, Outcome::kCrashed);
  result.status = event.value("status", "");
  result.duration_ms = event.value("after_ms", 0.0);
  result.waits = waits_of(event);
  take_last_lines(result, event);
  result.fired = std::max(result.fired, event.value("fired", std::uint64_t{0}));
}

void Builder::leftovers(const Json& event) {
  CaseResult& result = case_of(event);
  for (const Json& item : event.value("items", Json::array())) {
    result.leftovers.push_back(item.is_string() ? item.get<std::string>() : item.dump());
  }
}

void Builder::refusal(const Json& event) {
  refusals_.push_back({flavor_of(event).name, event.at("capability"), event.at("held"),
                       event.value("message", ""), std::nullopt, ""});
}

void Builder::run_finished(const Json& event) {
  model_.finished = true;
  model_.interrupted = event.value("interrupted", false);
  model_.failed_fast = event.value("failed_fast", false);
  const auto reason = event.find("reason");
  if (reason != event.end() && reason->is_string()) model_.interrupt_reason = *reason;
}

RunModel Builder::finish(const EventLog& log) {
  model_.torn = log.torn;
  model_.log_checksum = log.checksum;
  for (FlavorResult& flavor : model_.flavors) {
    for (CaseResult& result : flavor.cases) {
      // A case that left something behind is in error even if all its assertions held.
      if (result.outcome == Outcome::kPassed && !result.leftovers.empty()) {
        result.outcome = Outcome::kError;
        result.reason = "something was left behind";
      }
    }
  }
  judge(model_, refusals_);
  return std::move(model_);
}

}  // namespace

RunModel build_run_model(const EventLog& log) {
  Builder builder;
  std::size_t line = 0;
  for (const Json& event : log.events) {
    ++line;
    try {
      builder.take(event);
    } catch (const Json::exception& error) {
      throw EventLogError(fmt::format("the event log {} is damaged: line {} ({}): {}", log.name,
                                      line, event.at("event").get<std::string>(), error.what()));
    } catch (const EventLogError& error) {
      throw EventLogError(
          fmt::format("the event log {} is damaged: line {}: {}", log.name, line, error.what()));
    }
  }
  return builder.finish(log);
}

}  // namespace sandproof::conformance
