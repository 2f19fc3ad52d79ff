// SPDX-License-Identifier: Apache-2.0
// A report that somebody changed is found out: by its own numbers, by its checksum, by its events.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/json_report.h"
#include "conformance/report/merge.h"
#include "conformance/report/verify.h"
#include "tests/conformance/report_shards.h"

namespace sandproof::conformance {
namespace {

using fabricated::Json;
using fabricated::Log;
using fabricated::ShardRun;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// One case of each outcome but unexpected_pass, and a warning.
ShardRun eventful_run() {
  ShardRun run;
  run.declared["deviations"] = {{{"rule", "A-002"}, {"reason", "known"}, {"link", ""}}};
  run.cases = {
      {"Passes", "A-001", 1, "passed"},         {"Fails", "A-001", 1, "failed"},
      {"Hangs", "A-001", 1, "timeout"},         {"Crashes", "A-001", 1, "crashed"},
      {"Known", "A-002", 1, "failed"},          {"Warns", "A-003", 1, "failed"},
      {"Refuses", "CAP-002", 1, "unsupported"}, {"Unseen", "CAP-002", 1, "not_observable"}};
  return run;
}

Json report_of(const Log& log) { return Json::parse(to_json_report(log.model())); }
Json eventful() { return report_of(eventful_run().log(0)); }

Json& case_named(Json& report, const std::string& name) {
  for (Json& row : report["flavors"][0]["cases"]) {
    if (row["case"] == name) return row;
  }
  throw std::runtime_error("no case " + name);
}

Json& rule_named(Json& report, const std::string& id) {
  for (Json& row : report["flavors"][0]["rules"]) {
    if (row["id"] == id) return row;
  }
  throw std::runtime_error("no rule " + id);
}

TEST(Verify, AReportOfARunThatFailedFastHoldsAndItsVerdictIsChecked) {
  ShardRun run = eventful_run();
  run.cases.push_back({"NotRun", "A-001", 1, "none"});
  run.killed = true;
  Json report = report_of(run.log(0).failed_fast("--fail-fast: Fails did not pass"));
  EXPECT_EQ(report["exit_code"], 1);
  EXPECT_THAT(inconsistencies(report), IsEmpty());
  report["run"]["failed_fast"] = false;
  EXPECT_THAT(inconsistencies(report), Contains(HasSubstr("exit code is 1")));
  run.cases[1].outcome = run.cases[2].outcome = run.cases[3].outcome = "passed";
  const Json unfailed = report_of(run.log(0).failed_fast("--fail-fast: Warns did not pass"));
  EXPECT_EQ(unfailed["exit_code"], 6);
  EXPECT_THAT(inconsistencies(unfailed), IsEmpty());
}

TEST(Verify, WhatTheProgramWritesHolds) {
  const char* const outcomes[] = {"passed",  "failed", "error",       "timeout",
                                  "crashed", "none",   "unsupported", "not_observable"};
  for (const char* outcome : outcomes) {
    for (const int shard : {0, 1, 2, 3, 4}) {
      for (const bool filtered : {false, true}) {
        ShardRun run = fabricated::three_shards();
        run.total = 4;
        run.filtered = filtered;
        run.declared["deviations"] = {{{"rule", "A-002"}, {"reason", "known"}, {"link", "x"}}};
        run.cases[1].outcome = outcome;
        run.cases[3].outcome = outcome;
        run.unheld = {3};
        const Json report = report_of(run.log(shard));
        EXPECT_THAT(inconsistencies(report), IsEmpty()) << outcome << " " << shard;
        EXPECT_THAT(differences(report, report), IsEmpty());
      }
    }
  }
  EXPECT_THAT(inconsistencies(eventful()), IsEmpty());
  EXPECT_THAT(inconsistencies(report_of(fabricated::small_log())), IsEmpty());
}

/// What somebody does to the report, and what the finding says. `seen_alone`: its own numbers show
/// it, even when the checksum was made again.
struct Tampering {
  const char* name;
  void (*change)(Json& report);
  bool seen_alone;
  std::string says;
};

class EveryTampering : public testing::TestWithParam<Tampering> {};

TEST_P(EveryTampering, IsCaught) {
  const Json sound = eventful();
  Json report = sound;
  GetParam().change(report);
  ASSERT_NE(report, sound);
  // By somebody in a hurry.
  EXPECT_THAT(inconsistencies(report), Contains(HasSubstr("its checksum is")));
  // With the log.
  EXPECT_THAT(differences(report, sound), testing::Not(IsEmpty()));
  // By somebody who makes the checksum again.
  report["checksum"] = report_checksum(report);
  const std::vector<std::string> findings = inconsistencies(report);
  if (GetParam().seen_alone) {
    EXPECT_THAT(findings, Contains(HasSubstr(GetParam().says)));
  } else {
    EXPECT_THAT(findings, IsEmpty());
  }
}

const Tampering kTamperings[] = {
    {"a_failed_case_passes", [](Json& r) { case_named(r, "Fails")["outcome"] = "passed"; }, true,
     "Fails is said to be passed, and has failed assertions"},
    {"a_failed_case_passes_without_its_failures",
     [](Json& r) {
       case_named(r, "Fails")["outcome"] = "passed";
       case_named(r, "Fails")["failures"] = Json::array();
     },
     true, "case_counts says"},
    {"a_hung_case_passes",
     [](Json& r) {
       case_named(r, "Hangs")["outcome"] = "passed";
       case_named(r, "Hangs").erase("timeout");
     },
     true, "Hangs is said to be passed, and has a wait"},
    {"a_crashed_case_is_not_observable",
     [](Json& r) { case_named(r, "Crashes")["outcome"] = "not_observable"; }, true,
     "Crashes is said to be not_observable"},
    {"a_failure_is_declared_expected",
     [](Json& r) {
       case_named(r, "Fails")["outcome"] = "expected_failure";
       case_named(r, "Fails")["deviation"] = "known";
     },
     true, "a rule that no declared deviation is of"},
    {"a_case_is_removed",
     [](Json& r) {
       Json& cases = r["flavors"][0]["cases"];
       cases.erase(cases.begin() + 1);
     },
     true, "A-001 lists the cases"},
    {"a_case_is_there_twice",
     [](Json& r) { r["flavors"][0]["cases"].push_back(case_named(r, "Passes")); }, true,
     "Passes is there twice"},
    {"a_case_changes_its_rule", [](Json& r) { case_named(r, "Fails")["rules"] = {"A-003"}; }, true,
     "A-003 lists the cases"},
    {"a_count_of_cases", [](Json& r) { r["flavors"][0]["case_counts"]["failed"] = 0; }, true,
     "case_counts says 0 failed, and of its cases it is 2"},
    {"a_count_of_rules", [](Json& r) { r["flavors"][0]["rule_counts"]["passed"] = 4; }, true,
     "rule_counts says 4 passed"},
    {"a_state", [](Json& r) { rule_named(r, "A-001")["state"] = "passed"; }, true,
     "A-001 is said to be passed, and by its cases it is crashed"},
    {"a_rule_is_not_selected", [](Json& r) { rule_named(r, "A-001")["selected"] = false; }, true,
     "A-001 is not selected, and should be"},
    {"a_rule_is_removed",
     [](Json& r) {
       Json& rules = r["flavors"][0]["rules"];
       rules.erase(rules.begin());
     },
     true, "it has 3 rules, and the contract 4"},
    {"a_must_becomes_a_should", [](Json& r) { r["rules"][0]["level"] = "SHOULD"; }, true,
     "warnings are"},
    {"the_warnings", [](Json& r) { r["flavors"][0]["warnings"] = Json::array(); }, true,
     "its warnings are []"},
    {"the_verdict_of_the_flavor", [](Json& r) { r["flavors"][0]["verdict"] = "conformant"; }, true,
     "its verdict is conformant, and by its rules it is not_conformant"},
    {"the_verdict", [](Json& r) { r["verdict"] = "conformant"; }, true,
     "its verdict is conformant, and by its flavors it is not_conformant"},
    {"the_exit_code", [](Json& r) { r["exit_code"] = 0; }, true, "its exit code is 0"},
    {"a_refused_capability_is_claimed",
     [](Json& r) { r["flavors"][0]["capabilities"] = {"attach"}; }, true,
     "a capability that the flavor claims"},
    {"an_outcome_that_there_is_not", [](Json& r) { case_named(r, "Fails")["outcome"] = "fine"; },
     true, "`fine`, which there is not"},
    {"why_a_case_is_not_observable_is_removed",
     [](Json& r) { case_named(r, "Unseen")["reason"] = ""; }, true,
     "Unseen is said to be not_observable, and has no reason"},
    {"why_a_case_is_not_observable_is_another",
     [](Json& r) { case_named(r, "Unseen")["reason"] = "needs images: somewhere else"; }, true,
     "because it `needs images: somewhere else`, which the flavor does not declare"},
    {"a_case_applies_where_nothing_is_claimed",
     [](Json& r) { case_named(r, "Unseen")["reason"] = "applies where `attach` is not claimed"; },
     true, "which the flavor does not declare"},
    {"the_reason_of_a_rule", [](Json& r) { rule_named(r, "A-002")["reason"] = "unknown"; }, true,
     "A-002 has the reason `unknown`, and by its cases it is `known`"},
    {"a_key_is_removed", [](Json& r) { case_named(r, "Fails").erase("failures"); }, true,
     "it is no whole report"},
    {"a_key_of_another_type", [](Json& r) { r["flavors"][0]["rules"] = "none"; }, true,
     "it is no whole report: `flavors[0].rules` is a text, and has to be a list of objects"},
    {"the_flavors_are_a_text", [](Json& r) { r["flavors"] = "x"; }, true,
     "it is no whole report: `flavors` is a text, and has to be a list of objects"},
    {"a_case_without_a_rule", [](Json& r) { case_named(r, "Fails")["rules"] = Json::array(); },
     true, "].rules` is a list, and has to be a list of at least one text"},
    {"a_duration", [](Json& r) { case_named(r, "Passes")["duration_ms"] = 1.0; }, false, ""},
    {"a_message", [](Json& r) { case_named(r, "Fails")["failures"][0]["message"] = "!"; }, false,
     ""},
    {"a_seed", [](Json& r) { case_named(r, "Passes")["seed"] = 8; }, false, ""},
};

INSTANTIATE_TEST_SUITE_P(Verify, EveryTampering, testing::ValuesIn(kTamperings),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Verify, AReasonWithoutACaseIsTheDeclared) {
  Log log;
  log.started().rule("A-001", "M", {}, {"faults"}).rule("A-002", "M", {"attach"});
  log.rule("A-003", "M", {}, {}, "stdin").rule("A-004").rule("A-005", "M", {}, {"images"});
  log.flavor("local", {{"capabilities", {"stdin"}},
                       {"unclaimed", {{"attach", "it ends"}}},
                       {"not_provided", {{"faults", "real processes"}}}});
  log.add("refusal", {{"flavor", "local"}, {"capability", "attach"}, {"held", true}}).finished();
  const Json sound = report_of(log);
  EXPECT_THAT(inconsistencies(sound), IsEmpty());
  for (const char* id : {"A-001", "A-002", "A-003", "A-004", "A-005"}) {
    Json report = sound;
    rule_named(report, id)["reason"] = "";
    report["checksum"] = report_checksum(report);
    EXPECT_THAT(inconsistencies(report),
                Contains(AllOf(HasSubstr(id), HasSubstr("by what the flavor declares"))));
  }
  Json report = sound;
  report["flavors"][0]["not_provided"].erase("faults");
  report["checksum"] = report_checksum(report);
  EXPECT_THAT(inconsistencies(report), Contains(HasSubstr("A-001")));
}

TEST(Verify, ACompleteRunHasNoCaseThatWasNotRun) {
  ShardRun run = fabricated::three_shards();
  run.cases[0].outcome = "none";
  Json report = report_of(run.log(0));
  report["run"]["complete"] = true;
  report["checksum"] = report_checksum(report);
  EXPECT_THAT(inconsistencies(report),
              Contains(HasSubstr("One was not run, and the run says that it is complete")));
}

TEST(Verify, ACompleteRunHasNoMissingShard) {
  const ShardRun run = fabricated::three_shards();
  Json report = Json::parse(
      to_json_report(fabricated::merged_model(merge_event_logs({run.parsed(1), run.parsed(3)}))));
  EXPECT_THAT(inconsistencies(report), IsEmpty());
  report["run"]["complete"] = true;
  report["checksum"] = report_checksum(report);
  EXPECT_THAT(inconsistencies(report), Contains(HasSubstr("a part of it is missing")));
}

TEST(Verify, AReportWithoutAChecksumIsToldSo) {
  Json report = eventful();
  report.erase("checksum");
  EXPECT_THAT(inconsistencies(report), ElementsAre(HasSubstr("it has no checksum")));
}

TEST(Verify, TheLayoutOfTheFileDoesNotCount) {
  const Json report = eventful();
  EXPECT_THAT(inconsistencies(Json::parse(report.dump())), IsEmpty());
  EXPECT_THAT(inconsistencies(Json::parse(report.dump(8))), IsEmpty());
}

TEST(Verify, ADifferenceNamesTheCaseAndBothValues) {
  const Json sound = eventful();
  Json report = sound;
  case_named(report, "Fails")["outcome"] = "passed";
  EXPECT_THAT(differences(report, sound),
              ElementsAre("flavors[local].cases[Fails].outcome is \"passed\" in the report, and "
                          "\"failed\" by the events"));
  report = sound;
  report["flavors"][0]["cases"].erase(1);
  EXPECT_THAT(differences(report, sound),
              ElementsAre("flavors[local].cases has no Fails, which the events have"));
  EXPECT_THAT(differences(sound, report),
              ElementsAre("flavors[local].cases has Fails, which the events do not have"));
  report = sound;
  std::swap(report["flavors"][0]["cases"][0], report["flavors"][0]["cases"][1]);
  EXPECT_THAT(differences(report, sound), ElementsAre(HasSubstr("in another order")));
  report = sound;
  report["run"].erase("seed");
  report["note"] = "all is well";
  EXPECT_THAT(differences(report, sound),
              ElementsAre("run.seed is missing in the report",
                          "note is in the report, and not by the events"));
}

TEST(Verify, AnotherLogIsSaidFirst) {
  ShardRun other = eventful_run();
  other.started["seed"] = 8;
  const std::vector<std::string> findings = differences(eventful(), report_of(other.log(0)));
  ASSERT_FALSE(findings.empty());
  EXPECT_THAT(findings.front(),
              AllOf(StartsWith("it was not made from this event log"), HasSubstr("fnv1a64:")));
}

}  // namespace
}  // namespace sandproof::conformance
