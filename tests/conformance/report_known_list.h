// SPDX-License-Identifier: Apache-2.0
// Makes event logs of runs that were compared with a list of known failures, for the tests of what
// is told of it. Values; any thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/conformance/report_log.h"

namespace sandproof::conformance::fabricated {

/// An entry for one case on `local`, until 2024-05-31, but for what `keys` say.
inline Json known_failure(Json keys) {
  const Json common = {{"line", 4},
                       {"message", "status is"},
                       {"reason", "the daemon"},
                       {"flavors", {"local"}},
                       {"suite_cases", 1},
                       {"expires", "2024-05-31"}};
  for (const auto& [key, value] : common.items()) {
    if (!keys.contains(key)) keys[key] = value;
  }
  return keys;
}

/// Rules A-001, A-002 (MUST) and A-003 (SHOULD) with the cases One, Two and Three; nothing ran yet.
/// The run is of 2024-05-01, its list is ci/known.yaml.
inline Log log_with_list(const std::vector<Json>& entries, Json flavor_keys = Json::object(),
                         Json started = Json::object()) {
  Log log;
  started["known_failures"] = "ci/known.yaml";
  log.started(started);
  for (const Json& keys : entries) log.add("known_failure", known_failure(keys));
  log.rule("A-001").rule("A-002").rule("A-003", "S");
  log.flavor("local", std::move(flavor_keys));
  log.planned("One", {"A-001"}).planned("Two", {"A-002"}).planned("Three", {"A-003"});
  return log;
}

inline Log& fails(Log& log, const std::string& name, const std::string& message) {
  log.on(name, "assertion_failed", {{"message", message}});
  return log.finishes(name, "failed");
}

/// One fails as most entries here say, the others pass.
inline Log usual_end(Log log) {
  fails(log, "One", "the status\n   is 0");
  return log.finishes("Two", "passed").finishes("Three", "passed").finished();
}

/// A list in a state, and whether it holds.
struct ListInState {
  const char* state;
  Log log;
  bool hold;
};

/// Each way in which a list can be right or wrong, in usual_end().
inline std::vector<ListInState> lists_in_every_state() {
  const Json link = {{"case", "One"}, {"link", "https://x.test/1"}};
  const auto with = [&link](const Json& other) { return usual_end(log_with_list({link, other})); };
  Log should = log_with_list({});
  should.finishes("One", "passed").finishes("Two", "passed");
  fails(should, "Three", "no").finished();
  return {
      {"holds", usual_end(log_with_list({link})), true},
      {"not judged", with({{"case", "Four"}, {"line", 9}}), true},
      {"passed", with({{"case", "Two"}, {"line", 9}}), false},
      {"a rule passed", with({{"rule", "A-002"}, {"line", 9}}), false},
      {"a SHOULD passed", with({{"case", "Three"}, {"line", 9}}), false},
      {"failed otherwise", usual_end(log_with_list({{{"case", "One"}, {"message", "no"}}})), false},
      {"stale", with({{"case", "Onee"}, {"suite_cases", 0}, {"line", 9}}), false},
      {"covered", with({{"case", "One"}, {"message", "no"}, {"line", 9}}), false},
      {"expired", usual_end(log_with_list({{{"case", "One"}, {"expires", "2024-04-30"}}})), false},
      {"expired and passed", with({{"case", "Two"}, {"expires", "2024-04-30"}}), false},
      {"unlisted", usual_end(log_with_list({})), false},
      {"an unlisted SHOULD", should, false},
      {"declared",
       usual_end(log_with_list({link}, {{"deviations", {{{"rule", "A-001"}, {"reason", "d"}}}}})),
       false},
  };
}

}  // namespace sandproof::conformance::fabricated
