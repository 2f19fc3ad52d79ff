// SPDX-License-Identifier: Apache-2.0
// Writing one log of several: one head, then all bodies by their time; see merge.h.
#include "conformance/report/merge.h"

#include <algorithm>
#include <map>
#include <set>

#include "conformance/report/log_part.h"
#include "conformance/report/merge_check.h"

namespace sandproof::conformance {
namespace {

using PartJson = nlohmann::json;

/// The lines of the merged log.
class MergedLog {
 public:
  void add(std::string_view kind, PartJson event, double t_ms) {
    event["event"] = kind;
    event["seq"] = next_++;
    event["t_ms"] = t_ms;
    text_ += event.dump(-1, ' ', false, PartJson::error_handler_t::replace) + '\n';
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::uint64_t next_ = 0;
};

class Merger {
 public:
  /// `parts` have begun; `unbegun` are the names of the logs that have not.
  Merger(std::vector<LogPart> parts, std::vector<std::string> unbegun)
      : parts_(std::move(parts)), unbegun_(std::move(unbegun)) {}
  std::string run();

 private:
  void add_started();
  void add_known_failures();
  void add_rules();
  void add_parts();
  void add_missing_shards();
  void add_part(PartJson part);
  void add_flavors();
  void add_plan(const std::string& flavor);
  void add_bodies();
  void add_finished();
  void number_workers();
  std::set<const PartJson*> refusals_that_count() const;

  std::vector<LogPart> parts_;
  std::vector<std::string> unbegun_;
  MergedLog log_;
  /// In the order in which the logs name them.
  std::vector<std::string> flavors_;
  bool whole_ = true;
};

void Merger::add_started() {
  // Nobody is left to tell more of a run of which no part has begun.
  constexpr int kLogFormat = 1;
  if (parts_.empty()) return log_.add("run_started", {{"format", kLogFormat}}, 0);
  PartJson started = parts_.front().started;
  started.erase("shard");
  started["filtered"] = parts_.front().filtered;
  for (const LogPart& part : parts_) {
    for (const char* key : {"shuffled", "fail_fast"}) {
      if (part.started.value(key, false)) started[key] = true;
    }
    started["jobs"] = std::max(started.value("jobs", 1), part.started.value("jobs", 1));
    // ISO 8601 in UTC: the earliest is the least.
    started["started_at"] =
        std::min(started.value("started_at", ""), part.started.value("started_at", ""));
  }
  log_.add("run_started", std::move(started), 0);
}

void Merger::add_part(PartJson part) {
  whole_ = whole_ && part.at("state") == "finished";
  log_.add("part", std::move(part), 0);
}

void Merger::add_parts() {
  for (const LogPart& part : parts_) {
    // What was merged before keeps its own parts.
    for (const PartJson& old : part.parts) add_part(old);
    whole_ = whole_ && !part.finished.is_null();
    if (!part.parts.empty()) continue;
    PartJson event{{"name", part.name},
                   {"flavors", part.flavor_names()},
                   {"state", part.finished.is_null() ? "killed" : "finished"},
                   {"started_at", part.started.value("started_at", "")},
                   {"duration_ms", part.elapsed_ms},
                   {"seed", part.seed},
                   {"argv", part.started.value("argv", PartJson::array())}};
    if (part.shard) event["shard"] = part.started.at("shard");
    add_part(std::move(event));
  }
  // Which shard it was to be is not known: that one is missing, too.
  for (const std::string& name : unbegun_) {
    add_part({{"name", name}, {"flavors", PartJson::array()}, {"state", "killed"}});
  }
  add_missing_shards();
}

/// They are the same in all but one that was killed while it wrote them.
void Merger::add_known_failures() {
  if (parts_.empty()) return;
  const auto most =
      std::max_element(parts_.begin(), parts_.end(), [](const LogPart& a, const LogPart& b) {
        return a.known_failures.size() < b.known_failures.size();
      });
  for (const PartJson& entry : most->known_failures) log_.add("known_failure", entry, 0);
}

/// The same holds for them.
void Merger::add_rules() {
  if (parts_.empty()) return;
  const auto most = std::max_element(
      parts_.begin(), parts_.end(),
      [](const LogPart& a, const LogPart& b) { return a.rules.size() < b.rules.size(); });
  for (const PartJson& rule : most->rules) log_.add("rule", rule, 0);
}

/// Flavors that were divided together miss a shard together.
void Merger::add_missing_shards() {
  std::map<std::pair<int, int>, std::vector<std::string>> missing;
  for (const std::string& flavor : flavors_) {
    std::set<int> there;
    int total = 0;
    for (const LogPart& part : parts_) {
      // One that was killed before it named its flavors is there, too.
      const bool has_flavor = part.find_flavor(flavor) != nullptr;
      if (!part.shard || (!has_flavor && part.planned)) continue;
      if (has_flavor) total = part.shard->total;
      there.insert(part.shard->index);
    }
    for (int index = 1; index <= total; ++index) {
      if (!there.contains(index)) missing[{index, total}].push_back(flavor);
    }
  }
  for (const auto& [shard, flavors] : missing) {
    add_part({{"name", ""},
              {"flavors", flavors},
              {"state", "missing"},
              {"shard", {{"index", shard.first}, {"total", shard.second}}}});
  }
}

void Merger::add_flavors() {
  for (const std::string& flavor : flavors_) {
    for (const LogPart& part : parts_) {
      const PartJson* const declaration = part.find_flavor(flavor);
      if (declaration == nullptr) continue;
      PartJson event = *declaration;
      // A replay needs the seed of the run that the flavor was in.
      if (!event.contains("seed")) event["seed"] = part.seed;
      log_.add("flavor", std::move(event), 0);
      break;
    }
  }
}

/// In the suite's order. What a missing shard, or one that was killed while it planned, was to run
/// is known from the others.
void Merger::add_plan(const std::string& flavor) {
  std::map<std::string, const PartCase*> rows;
  for (const LogPart& part : parts_) {
    for (const auto& [key, row] : part.cases) {
      if (key.first != flavor) continue;
      const PartCase*& known = rows[key.second];
      if (known == nullptr || row.own) known = &row;
    }
  }
  std::vector<const PartCase*> ordered;
  for (const auto& [name, row] : rows) ordered.push_back(row);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const PartCase* a, const PartCase* b) { return a->position < b->position; });
  for (const PartCase* row : ordered) log_.add("case_planned", row->planned, 0);
}

/// A number is never used twice in a log.
void Merger::number_workers() {
  std::int64_t first = 0;
  for (LogPart& part : parts_) {
    std::int64_t last = first;
    for (PartJson& event : part.body) {
      const auto worker = event.find("worker");
      if (worker == event.end() || !worker->is_number_integer()) continue;
      *worker = worker->get<std::int64_t>() + first;
      last = std::max(last, worker->get<std::int64_t>() + 1);
    }
    first = last;
  }
}

/// One of each flavor and capability, as one run has them: where shards disagree, one that did not
/// hold.
std::set<const PartJson*> Merger::refusals_that_count() const {
  std::map<std::pair<std::string, std::string>, const PartJson*> chosen;
  for (const LogPart& part : parts_) {
    for (const PartJson& event : part.body) {
      if (event.at("event") != "refusal") continue;
      const PartJson*& known = chosen[{event.at("flavor"), event.at("capability")}];
      if (known == nullptr || (known->at("held") && !event.at("held"))) known = &event;
    }
  }
  std::set<const PartJson*> result;
  for (const auto& [key, event] : chosen) result.insert(event);
  return result;
}

void Merger::add_bodies() {
  number_workers();
  const std::set<const PartJson*> refusals = refusals_that_count();
  std::vector<const PartJson*> events;
  for (const LogPart& part : parts_) {
    for (const PartJson& event : part.body) {
      if (event.at("event") == "refusal" && !refusals.contains(&event)) continue;
      events.push_back(&event);
    }
  }
  // Each log is in order, and stays so.
  std::stable_sort(events.begin(), events.end(), [](const PartJson* a, const PartJson* b) {
    return a->value("t_ms", 0.0) < b->value("t_ms", 0.0);
  });
  for (const PartJson* event : events) {
    log_.add(event->at("event").get<std::string>(), bare(*event), event->value("t_ms", 0.0));
  }
}

void Merger::add_finished() {
  if (!whole_) return;
  bool interrupted = false;
  bool failed_fast = false;
  double elapsed_ms = 0;
  std::string reason;
  for (const LogPart& part : parts_) {
    elapsed_ms = std::max(elapsed_ms, part.elapsed_ms);
    if (!part.finished.value("interrupted", false)) continue;
    interrupted = true;
    failed_fast = failed_fast || part.finished.value("failed_fast", false);
    if (!reason.empty()) reason += "; ";
    reason += (part.shard ? to_string(*part.shard) : part.name) + ": " +
              part.finished.value("reason", "interrupted");
  }
  log_.add("run_finished",
           {{"interrupted", interrupted}, {"failed_fast", failed_fast}, {"reason", reason}},
           elapsed_ms);
}

std::string Merger::run() {
  for (const LogPart& part : parts_) {
    for (const std::string& flavor : part.flavor_names()) {
      if (!contains(flavors_, flavor)) flavors_.push_back(flavor);
    }
  }
  add_started();
  add_known_failures();
  add_parts();
  add_rules();
  add_flavors();
  for (const std::string& flavor : flavors_) add_plan(flavor);
  add_bodies();
  add_finished();
  return log_.take();
}

}  // namespace

std::string merge_event_logs(const std::vector<EventLog>& logs) {
  if (logs.empty()) throw MergeError("there is no event log to merge");
  std::vector<LogPart> parts;
  std::vector<std::string> unbegun;
  for (const EventLog& log : logs) {
    LogPart part = take_apart(log);
    if (part.begun()) {
      parts.push_back(std::move(part));
    } else {
      unbegun.push_back(log.name);
    }
  }
  check_parts_fit(parts);
  return Merger(std::move(parts), std::move(unbegun)).run();
}

}  // namespace sandproof::conformance
