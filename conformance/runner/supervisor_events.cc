// SPDX-License-Identifier: Apache-2.0
// What becomes of what workers report, and of what they do not (supervisor.h).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/runner/ledger.h"
#include "conformance/runner/supervisor.h"

namespace sandproof::conformance::runner {
namespace {

using nlohmann::json;

// A worker that dies before it has begun is tried again; if that keeps happening it is the start of
// the worker itself that fails, and the unit is charged after all.
constexpr int kMostLostStarts = 2;

std::int64_t milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                               start)
      .count();
}

}  // namespace

void Supervisor::on_line(WorkerHandle& worker, std::string_view line) {
  // A body has the descriptor too, and may have written anything: what is not one of our events, or
  // comes when nothing is in progress, is dropped.
  json event = json::parse(line, nullptr, false);
  if (!event.is_object() || !worker.active) return;
  const std::string name = event.value("event", json()).is_string() ? event["event"] : json("");
  try {
    if (name == "begun") {
      log_started(worker);
    } else if (name == "done") {
      on_done(worker, event);
    } else if (name == "refused") {
      on_refused(worker, event);
    } else if (worker.active->unit.test_case != nullptr &&
               (name == "note" || name == "assertion_failed" || name == "leftovers")) {
      event.update(unit_event(worker));
      event.erase("worker");
      log_.append(name, std::move(event));
    }
  } catch (const json::exception&) {
    // As above: it has our event's name and none of its keys.
  }
}

json Supervisor::unit_event(const WorkerHandle& worker) const {
  json event{{"flavor", schedule_.lot(worker.lot()).label}, {"worker", worker.number()}};
  if (worker.active->unit.test_case != nullptr) event["case"] = worker.active->unit.test_case->name;
  return event;
}

void Supervisor::log_started(WorkerHandle& worker) {
  ActiveUnit& active = *worker.active;
  if (active.begun) return;
  active.begun = true;
  if (active.unit.test_case == nullptr) return;
  json event = unit_event(worker);
  event["seed"] = active.unit.seed;
  log_.append("case_started", std::move(event));
}

void Supervisor::on_done(WorkerHandle& worker, const json& event) {
  std::string outcome = event.at("outcome");
  std::string message = event.at("message");
  json finished = unit_event(worker);
  for (const char* key : {"duration_ms", "assertions"}) finished[key] = event.at(key);
  for (const char* key : {"places", "left_out"}) {
    if (event.contains(key)) finished[key] = event.at(key);
  }

  const std::vector<std::string> left = end_leftovers(worker);
  if (!left.empty()) {
    json leftovers = unit_event(worker);
    leftovers["items"] = left;
    log_.append("leftovers", std::move(leftovers));
    if (outcome == "passed") {
      outcome = "error";
      message = left_behind(left);
    }
  }
  finished["outcome"] = outcome;
  if (!message.empty()) finished["message"] = message;
  if (outcome != "passed") {
    worker.read_output(kReadAtOnce);
    if (const std::string tail = worker.tail().text(); !tail.empty()) finished["stderr"] = tail;
  }
  if (!schedule_.lot(worker.lot()).selected->mutant.empty()) {
    finished["fired"] = worker.block().fired.load();
  }
  log_.append("case_finished", std::move(finished));
  close_unit(worker, outcome == "passed");
  if (!worker.end_status()) give_next(worker);
}

void Supervisor::log_refusal(WorkerHandle& worker, bool held, const std::string& message) {
  json refusal = unit_event(worker);
  refusal.erase("worker");
  refusal["capability"] = to_string(worker.active->unit.capability);
  refusal["held"] = held;
  refusal["message"] = message;
  log_.append("refusal", std::move(refusal));
  close_unit(worker, held);
}

void Supervisor::on_refused(WorkerHandle& worker, const json& event) {
  const bool held = event.at("held");
  const std::string message = event.at("message");
  const std::vector<std::string> left = end_leftovers(worker);
  if (held && !left.empty()) {
    log_refusal(worker, false, left_behind(left));
  } else {
    log_refusal(worker, held, message);
  }
  if (!worker.end_status()) give_next(worker);
}

json Supervisor::waits_of(const WorkerHandle& worker) const {
  json waits = json::array();
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  for (const WaitRecord& record : read_wait_board(worker.block().board)) {
    const auto open_for = now - std::chrono::nanoseconds(record.since_ns);
    waits.push_back(
        {{"verb", record.verb},
         {"object", record.object},
         {"file", record.file},
         {"line", record.line},
         {"for_ms", std::chrono::duration_cast<std::chrono::milliseconds>(open_for).count()},
         {"last_bytes", record.last_bytes}});
  }
  return waits;
}

void Supervisor::on_timeout(WorkerHandle& worker, std::string_view kind) {
  log_started(worker);
  const ActiveUnit& active = *worker.active;
  const json waits = waits_of(worker);
  if (active.unit.test_case == nullptr) {
    return log_refusal(worker, false, "did not end within its limit; waits: " + waits.dump());
  }
  json event = unit_event(worker);
  event["kind"] = kind;
  event["after_ms"] = milliseconds_since(active.started);
  event["waits"] = waits;
  event["stderr"] = worker.tail().text();
  if (!schedule_.lot(worker.lot()).selected->mutant.empty()) {
    event["fired"] = worker.block().fired.load();
  }
  log_.append("case_timeout", std::move(event));
  close_unit(worker, false);
}

void Supervisor::on_crash(WorkerHandle& worker) {
  Unit& unit = worker.active->unit;
  if (!worker.active->begun && ++unit.lost_starts <= kMostLostStarts) {
    if (!stopped_) schedule_.put_back(worker.lot(), unit);
    worker.active.reset();
    return;
  }
  log_started(worker);
  if (unit.test_case == nullptr) {
    return log_refusal(worker, false, "the worker died: " + *worker.end_status());
  }
  json event = unit_event(worker);
  event["status"] = *worker.end_status();
  event["after_ms"] = milliseconds_since(worker.active->started);
  event["waits"] = waits_of(worker);
  event["stderr"] = worker.tail().text();
  if (!schedule_.lot(worker.lot()).selected->mutant.empty()) {
    event["fired"] = worker.block().fired.load();
  }
  log_.append("case_crashed", std::move(event));
  close_unit(worker, false);
}

bool Supervisor::is_known(const WorkerHandle& worker) const {
  const Case* const test_case = worker.active->unit.test_case;
  const std::string& label = schedule_.lot(worker.lot()).label;
  if (options_.known_failures) {
    // A refusal belongs to CAP-002.
    const std::string name(test_case != nullptr ? test_case->name : "");
    const std::string rule(test_case != nullptr ? test_case->rules.front() : "CAP-002");
    for (const KnownFailure& entry : options_.known_failures->entries) {
      if (lists_flavor(entry, label) && lists_case(entry, name, rule)) return true;
    }
  }
  if (test_case == nullptr) return false;
  const auto& deviations = schedule_.lot(worker.lot()).selected->binding->deviations;
  return std::any_of(deviations.begin(), deviations.end(), [&](const Deviation& deviation) {
    const auto& rules = test_case->rules;
    return std::find(rules.begin(), rules.end(), deviation.rule) != rules.end();
  });
}

/// A SHOULD that does not hold is a warning; with a list of known failures every failure counts.
bool Supervisor::counts(const WorkerHandle& worker) const {
  const Case* const test_case = worker.active->unit.test_case;
  if (test_case == nullptr || options_.known_failures) return true;
  return std::any_of(test_case->rules.begin(), test_case->rules.end(), [this](auto id) {
    const Rule* const rule = suite_.find_rule(id);
    return rule == nullptr || rule->level == Level::kMust;
  });
}

void Supervisor::close_unit(WorkerHandle& worker, bool passed) {
  if (!passed && options_.fail_fast && counts(worker) && !is_known(worker)) {
    const Case* const test_case = worker.active->unit.test_case;
    const std::string what(test_case != nullptr ? test_case->name
                                                : to_string(worker.active->unit.capability));
    failed_fast_ = failed_fast_ || !interrupted_;
    interrupt("--fail-fast: " + what + " did not pass on " + schedule_.lot(worker.lot()).label);
  }
  worker.active.reset();
}

}  // namespace sandproof::conformance::runner
