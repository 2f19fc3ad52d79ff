// SPDX-License-Identifier: Apache-2.0
// From events to outcomes, states and verdicts: every outcome, every verdict, every exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/run_model.h"
#include "tests/conformance/report_log.h"

namespace sandproof::conformance {
namespace {

using fabricated::Json;
using fabricated::Log;
using fabricated::small_log;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const CaseResult& only_case(const RunModel& model) { return model.flavors.at(0).cases.at(0); }

Outcome state_of(const RunModel& model, std::string_view rule) {
  return model.flavors.at(0).find_rule(rule)->state;
}

/// How the one case of A-001 ends; pass.
struct Ending {
  const char* name;
  void (*end)(Log& log);
  Outcome outcome;
  Verdict verdict;
  int exit_code;
};

class EveryEnding : public testing::TestWithParam<Ending> {};

TEST_P(EveryEnding, GivesOutcomeStateVerdictAndExitCode) {
  Log log = small_log();
  log.planned("First", {"A-001"}).planned("Second", {"A-002"}).planned("Third", {"A-003"});
  GetParam().end(log);
  log.finishes("Second", "passed").finishes("Third", "passed").finished();
  const RunModel model = log.model();
  EXPECT_EQ(only_case(model).outcome, GetParam().outcome);
  EXPECT_EQ(state_of(model, "A-001"), GetParam().outcome);
  EXPECT_EQ(state_of(model, "A-002"), Outcome::kPassed);
  EXPECT_EQ(model.flavors[0].verdict, GetParam().verdict);
  EXPECT_EQ(exit_code_of(model), GetParam().exit_code);
}

const Ending kEndings[] = {
    {"passed", [](Log& log) { log.finishes("First", "passed"); }, Outcome::kPassed,
     Verdict::kConformant, 0},
    {"failed", [](Log& log) { log.finishes("First", "failed"); }, Outcome::kFailed,
     Verdict::kNotConformant, 1},
    {"error", [](Log& log) { log.finishes("First", "error"); }, Outcome::kError,
     Verdict::kNotConformant, 1},
    {"timeout", [](Log& log) { log.times_out("First"); }, Outcome::kTimeout,
     Verdict::kNotConformant, 1},
    {"crashed", [](Log& log) { log.crashes("First"); }, Outcome::kCrashed, Verdict::kNotConformant,
     1},
    {"not_run", [](Log&) {}, Outcome::kNotRun, Verdict::kIncomplete, 6},
    {"started_only",
     [](Log& log) {
       log.on("First", "case_started", {{"seed", 1}});
     },
     Outcome::kNotRun, Verdict::kIncomplete, 6},
    {"nothing_asserted",
     [](Log& log) {
       log.on("First", "case_finished", {{"outcome", "passed"}, {"assertions", 0}});
     },
     Outcome::kError, Verdict::kNotConformant, 1},
    {"assertion_against_its_outcome",
     [](Log& log) {
       log.on("First", "assertion_failed", {{"message", "no"}});
       log.finishes("First", "passed");
     },
     Outcome::kFailed, Verdict::kNotConformant, 1},
    {"left_something",
     [](Log& log) {
       log.finishes("First", "passed");
       log.on("First", "leftovers", {{"items", {"process 12: sleep 60"}}});
     },
     Outcome::kError, Verdict::kNotConformant, 1},
    {"ended_twice",
     [](Log& log) {
       log.times_out("First");
       log.finishes("First", "passed");
     },
     Outcome::kTimeout, Verdict::kNotConformant, 1},
};

INSTANTIATE_TEST_SUITE_P(RunModel, EveryEnding, testing::ValuesIn(kEndings),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(RunModel, KeepsWhatACaseTold) {
  Log log = small_log();
  log.planned("First", {"A-001", "A-002"}, {{"limit_ms", 20000}});
  log.on("First", "note", {{"text", "exec sleep 60"}});
  log.times_out("First").finished();
  const CaseResult result = only_case(log.model());
  EXPECT_THAT(result.notes, ElementsAre("exec sleep 60"));
  EXPECT_EQ(result.limit_ms, 20000);
  EXPECT_EQ(result.duration_ms, 20000);
  ASSERT_EQ(result.waits.size(), 1U);
  EXPECT_EQ(result.waits[0].verb, "wait");
  EXPECT_EQ(result.waits[0].line, 41);
  EXPECT_EQ(result.waits[0].last_bytes, "ready\\n");
  EXPECT_FALSE(result.no_progress);
}

TEST(RunModel, ARuleIsInTheWorstStateOfItsCases) {
  Log log = small_log();
  log.planned("One", {"A-001"}).planned("Two", {"A-001"}).planned("Three", {"A-002", "A-001"});
  log.finishes("One", "passed").finishes("Two", "failed").times_out("Three").finished();
  EXPECT_EQ(state_of(log.model(), "A-001"), Outcome::kTimeout);
  EXPECT_EQ(state_of(log.model(), "A-002"), Outcome::kTimeout);
}

TEST(RunModel, AShouldThatFailsIsAWarning) {
  Log log = small_log();
  log.planned("One", {"A-001"}).planned("Two", {"A-002"}).planned("Three", {"A-003"});
  log.finishes("One", "passed").finishes("Two", "passed").finishes("Three", "failed").finished();
  const RunModel model = log.model();
  EXPECT_EQ(model.flavors[0].verdict, Verdict::kConformant);
  EXPECT_THAT(model.flavors[0].warnings, ElementsAre("A-003"));
  EXPECT_EQ(exit_code_of(model), 0);
}

TEST(RunModel, AMustWithoutACaseIsNotConformant) {
  Log log = small_log();
  log.planned("One", {"A-001"}).finishes("One", "passed").finished();
  const RunModel model = log.model();
  EXPECT_EQ(state_of(model, "A-002"), Outcome::kNoCase);
  EXPECT_EQ(exit_code_of(model), 1);
}

TEST(RunModel, AFilteredRunJudgesWhatWasSelected) {
  Log log = small_log({}, {{"filtered", true}});
  log.planned("One", {"A-001"}).finishes("One", "passed").finished();
  const RunModel model = log.model();
  EXPECT_FALSE(model.flavors[0].find_rule("A-002")->selected);
  EXPECT_EQ(state_of(model, "A-002"), Outcome::kNotRun);
  EXPECT_EQ(exit_code_of(model), 0);
  std::size_t counted = 0;
  for (const std::size_t count : model.flavors[0].rule_counts) counted += count;
  EXPECT_EQ(counted, 1U);
}

TEST(RunModel, NothingSelectedIsFour) {
  EXPECT_EQ(exit_code_of(small_log({}, {{"filtered", true}}).finished().model()), 4);
}

TEST(RunModel, WithoutItsLastEventARunIsIncomplete) {
  Log log = small_log();
  log.planned("One", {"A-001"}).planned("Two", {"A-002"}).planned("Three", {"A-003"});
  log.finishes("One", "failed").finishes("Two", "passed").finishes("Three", "passed");
  EXPECT_EQ(exit_code_of(log.model()), 6);
  EXPECT_EQ(exit_code_of(log.finished().model()), 1);
}

TEST(RunModel, EveryPrefixOfALogIsIncompleteAndNeverConformant) {
  Log log = small_log();
  log.planned("One", {"A-001"}).planned("Two", {"A-002"}).planned("Three", {"A-003"});
  log.finishes("One", "passed").finishes("Two", "passed").finishes("Three", "passed").finished();
  const std::string& text = log.text();
  for (std::size_t size = 0; size < text.size(); ++size) {
    const RunModel model = build_run_model(parse_event_log(text.substr(0, size), "test.log"));
    ASSERT_EQ(exit_code_of(model), 6) << "after " << size << " bytes";
  }
  EXPECT_EQ(exit_code_of(log.model()), 0);
}

TEST(RunModel, AnInterruptedRunKeepsItsReason) {
  Log log = small_log();
  log.planned("One", {"A-001"}).planned("Two", {"A-002"});
  log.finishes("One", "failed").finished(true, "stopped after the first failure");
  const RunModel model = log.model();
  EXPECT_TRUE(model.interrupted);
  EXPECT_EQ(model.interrupt_reason, "stopped after the first failure");
  EXPECT_EQ(exit_code_of(model), 6);
}

TEST(RunModel, WhatFailedFastIsKnownAndTheRestIsNot) {
  Log log = small_log();
  log.flavor("other")
      .planned("One", {"A-001"})
      .planned("Two", {"A-002"})
      .planned("Three", {"A-003"});
  log.planned("One", {"A-001"}, {}, "other").planned("Two", {"A-002"}, {}, "other");
  log.finishes("One", "failed").finishes("One", "passed", "other");
  log.failed_fast("--fail-fast: One did not pass on local");
  const RunModel model = log.model();
  EXPECT_FALSE(model.complete);
  EXPECT_EQ(exit_code_of(model), 1);
  EXPECT_EQ(model.flavors[0].verdict, Verdict::kNotConformant);
  EXPECT_EQ(model.flavors[1].verdict, Verdict::kIncomplete);
  for (const CaseResult& result : model.flavors[0].cases) {
    EXPECT_EQ(result.reason.empty(), result.started) << result.name;
  }
  EXPECT_EQ(model.flavors[0].cases[1].reason, "--fail-fast: One did not pass on local");
  EXPECT_THAT(model.flavors[0].warnings, IsEmpty());
}

TEST(RunModel, AStoppedRunWithoutAFailureThatCountsIsIncomplete) {
  Log log = small_log();
  log.planned("One", {"A-001"}).planned("Three", {"A-003"});
  log.finishes("Three", "failed").failed_fast("--fail-fast: Three did not pass on local");
  EXPECT_EQ(exit_code_of(log.model()), 6);
}

TEST(RunModel, OnlyAShouldThatFailedIsAWarningOfAStoppedRun) {
  Log log = small_log();
  log.rule("A-004", "S").rule("A-005", "S").planned("One", {"A-001"}).planned("Three", {"A-003"});
  log.planned("Four", {"A-004"}).finishes("Three", "failed").finished(true, "SIGINT");
  // A-004 was not run, and A-005 has no case.
  EXPECT_THAT(log.model().flavors[0].warnings, ElementsAre("A-003"));
}

TEST(RunModel, UnknownEventsAndKeysAreIgnored) {
  Log log = small_log();
  log.add("brand_new", {{"x", 1}}).planned("One", {"A-001"}, {{"colour", "blue"}});
  EXPECT_EQ(log.model().flavors[0].cases.size(), 1U);
}

std::string error_of(const Log& log) {
  try {
    log.model();
  } catch (const EventLogError& error) {
    return error.what();
  }
  return "no error";
}

TEST(RunModel, RefusesEventsThatDoNotFitTogether) {
  EXPECT_THAT(error_of(small_log().finishes("Ghost", "passed")), HasSubstr("never planned"));
  EXPECT_THAT(error_of(small_log().planned("One", {"A-001"}, {}, "ghost")), HasSubstr("'ghost'"));
  EXPECT_THAT(error_of(small_log().planned("One", {"B-009"})), HasSubstr("B-009"));
  EXPECT_THAT(error_of(small_log().planned("One", {})), HasSubstr("names no rule"));
  EXPECT_THAT(
      error_of(small_log()
                   .planned("One", {"A-001"})
                   .on("One", "case_finished", {{"outcome", "passed"}, {"duration_ms", "long"}})),
      HasSubstr("line 7"));
  EXPECT_THAT(error_of(Log().started({{"format", 2}})), HasSubstr("format"));
}

}  // namespace
}  // namespace sandproof::conformance
