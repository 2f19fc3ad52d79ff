// SPDX-License-Identifier: Apache-2.0
// Makes the event logs of a run in shards, and of the same run in one piece, for the tests of what
// is merged. Values; any thread.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/conformance/report_known_list.h"

namespace sandproof::conformance::fabricated {

/// A case of the run, the shard that has it, and how it ends: what finishes() takes, "timeout",
/// "crashed", "none" (it never ended), "unsupported" (of `attach`) or "not_observable".
struct ShardCase {
  std::string name;
  std::string rule;
  int shard = 1;
  std::string outcome = "passed";
};

struct ShardRun {
  std::vector<ShardCase> cases;
  int total = 3;
  std::string flavor = "local";
  Json started = Json::object();
  Json declared = {{"capabilities", Json::array()}, {"unclaimed", {{"attach", "it ends"}}}};
  bool filtered = false;
  /// The list of known failures with which the run is compared.
  std::optional<std::vector<Json>> known;
  /// The shards whose refusal of `attach` did not hold.
  std::vector<int> unheld;
  bool killed = false;

  /// One of its shards; 0: all of it, in one piece.
  Log log(int shard) const {
    Log log;
    Json keys = started;
    keys["filtered"] = filtered || shard > 0;
    if (shard > 0) {
      keys["shard"] = {{"index", shard}, {"total", total}, {"filtered", filtered}};
    }
    if (known) keys["known_failures"] = "ci/known.yaml";
    log.started(keys);
    if (known) {
      for (const Json& entry : *known) log.add("known_failure", known_failure(entry));
    }
    log.rule("A-001").rule("A-002").rule("A-003", "S").rule("CAP-002");
    log.flavor(flavor, declared);
    for (std::size_t i = 0; i < cases.size(); ++i) plan(log, cases[i], shard, i);
    log.add("worker_started", {{"worker", 0}, {"pid", 100 + shard}, {"flavor", flavor}});
    for (const ShardCase& one : cases) {
      if (shard == 0 || one.shard == shard) end(log, one);
    }
    const bool held = std::find(unheld.begin(), unheld.end(), shard) == unheld.end();
    log.add("refusal", {{"flavor", flavor},
                        {"capability", "attach"},
                        {"held", held},
                        {"message", held ? "" : "it returned"}});
    log.add("worker_ended", {{"worker", 0}, {"status", "exited(0)"}});
    return killed ? log : log.finished();
  }

  /// As a merge gets it.
  EventLog parsed(int shard) const {
    return parse_event_log(log(shard).text(), "s" + std::to_string(shard) + ".jsonl");
  }

 private:
  void plan(Log& log, const ShardCase& one, int shard, std::size_t position) const {
    Json keys = {{"position", position}, {"limit_ms", 20000}};
    if (one.outcome == "unsupported") {
      keys.update({{"disposition", "unsupported"}, {"reason", "no"}, {"capability", "attach"}});
    } else if (one.outcome == "not_observable") {
      keys.update({{"disposition", "not_observable"}, {"reason", "needs images"}});
    } else {
      keys["disposition"] = "run";
    }
    keys["rules"] = {one.rule};
    if (shard > 0 && one.shard != shard) {
      keys["shard"] = one.shard;
      log.on(one.name, "case_of_other_shard", keys, flavor);
    } else {
      log.on(one.name, "case_planned", keys, flavor);
    }
  }

  void end(Log& log, const ShardCase& one) const {
    if (one.outcome == "timeout") {
      log.times_out(one.name, flavor);
    } else if (one.outcome == "crashed") {
      log.crashes(one.name, flavor);
    } else if (one.outcome == "failed") {
      log.on(one.name, "assertion_failed",
             {{"file", "f.cc"}, {"line", 3}, {"message", "no"}, {"fatal", false}}, flavor);
      log.finishes(one.name, one.outcome, flavor);
    } else if (one.outcome == "passed" || one.outcome == "error") {
      log.finishes(one.name, one.outcome, flavor);
    }
  }
};

/// Six cases over three shards.
inline ShardRun three_shards() {
  ShardRun run;
  run.cases = {{"One", "A-001", 1, "passed"},          {"Two", "A-002", 2, "passed"},
               {"Three", "A-001", 1, "passed"},        {"Four", "A-003", 3, "passed"},
               {"Five", "A-002", 2, "not_observable"}, {"Six", "A-003", 3, "unsupported"}};
  return run;
}

/// The model of the logs, merged.
inline RunModel merged_model(const std::string& text) {
  return build_run_model(parse_event_log(text, "merged"));
}

}  // namespace sandproof::conformance::fabricated
