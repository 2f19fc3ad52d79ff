// SPDX-License-Identifier: Apache-2.0
// One log with a case of every outcome and hostile text wherever a flavor may speak, for the tests
// of every report. A value; any thread.
#pragma once

#include <string>

#include "tests/conformance/report_log.h"

namespace sandproof::conformance::fabricated {

/// Ends scripts, comments, cells, attributes and fences, calls people, turns text, and has
/// characters that XML does not know.
inline const std::string kHostile =
    "</script><!-- <img src=x onerror=\"document.title='owned'\"> ]]> & `|``` @everybody "
    "\x01\x1b[31m"
    "\xE2\x80\xAE \xE2\x80\xA8 \xEF\xBF\xBE 'end\nof it";

/// The flavors that its plan has, all with the same cases.
inline void plan_every_outcome(Log& log, const std::string& flavor) {
  log.flavor(flavor, {{"capabilities", {"exec"}},
                      {"unclaimed", {{"snapshot", "a reason " + kHostile}}},
                      {"not_provided", {{"images", "another reason"}}},
                      {"replay", {"--set", "greeting=a b"}},
                      {"deviations",
                       {{{"rule", "D-001"}, {"reason", "known " + kHostile}, {"link", ""}},
                        {{"rule", "D-002"}, {"reason", "was broken"}, {"link", "an address"}}}}});
}

inline void run_every_outcome(Log& log, const std::string& flavor) {
  const auto plan = [&](const std::string& name, const std::string& rule,
                        Json keys = Json::object()) {
    keys["limit_ms"] = 20000;
    log.planned(name, {rule}, std::move(keys), flavor);
  };
  plan("Passes", "A-001");
  plan("Fails", "A-001");
  plan("Errs", "A-002");
  plan("Hangs", "A-002");
  plan("Crashes", "A-003");
  plan("Warns", "B-001");
  plan("IsNotClaimed", "C-001",
       {{"disposition", "unsupported"}, {"capability", "snapshot"}, {"reason", "no " + kHostile}});
  plan("FailsAsDeclared", "D-001");
  plan("PassesAgainst", "D-002");
  plan("CannotBeSeen", "E-001", {{"disposition", "not_observable"}, {"reason", "needs images"}});
  log.finishes("Passes", "passed", flavor);
  for (const char* name : {"Fails", "Warns", "FailsAsDeclared"}) {
    log.on(name, "note", {{"text", "exec " + kHostile}}, flavor);
    log.on(
        name, "assertion_failed",
        {{"file", "/src/conformance/cases/kill.cc"}, {"line", 41}, {"message", "not " + kHostile}},
        flavor);
    log.finishes(name, "failed", flavor);
  }
  log.on("Errs", "case_started", {{"worker", 1}, {"seed", 18446744073709551615ULL}}, flavor);
  log.on("Errs", "case_finished",
         {{"worker", 1},
          {"outcome", "error"},
          {"message", "thrown: " + kHostile},
          {"stderr", "its last line"}},
         flavor);
  log.times_out("Hangs", flavor).crashes("Crashes", flavor);
  log.finishes("PassesAgainst", "passed", flavor);
  log.add("refusal",
          {{"flavor", flavor}, {"capability", "snapshot"}, {"held", true}, {"message", ""}});
}

/// Complete but for what a test adds. N-001 has no case.
inline Log every_outcome_log(const std::vector<std::string>& flavors = {"local"}) {
  Log log;
  log.started({{"program", "my-suite"}});
  for (const char* id : {"A-001", "A-002", "A-003"}) log.rule(id);
  log.rule("B-001", "S").rule("C-001", "M", {"snapshot"}).rule("D-001").rule("D-002");
  log.rule("E-001", "M", {}, {"images"}).rule("N-001");
  for (const std::string& flavor : flavors) plan_every_outcome(log, flavor);
  for (const std::string& flavor : flavors) run_every_outcome(log, flavor);
  return log;
}

/// A case that is planned and never begins.
inline Log incomplete_log() {
  Log log = every_outcome_log();
  return log.planned("IsNotRun", {"A-001"}).finished(true, "ended by " + kHostile);
}

}  // namespace sandproof::conformance::fabricated
