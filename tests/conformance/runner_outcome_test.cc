// SPDX-License-Identifier: Apache-2.0
// How cases end, and what the log says of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/conformance/runner_launch.h"

namespace sandproof::conformance {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;

TEST(RunnerOutcome, EveryEndOfABodyIsOneOutcome) {
  const Finished run =
      run_fixture({"--jobs", "2", "--cases",
                   "Passes,Fails,ThrowsError,ThrowsNumber,FailsAndThrows,AssertsNothing,Skips,"
                   "InjectsFaultsThatNobodyHas"});
  EXPECT_EQ(run.exit_code, 0) << run.error_output;
  const auto outcome = [&](const std::string& test_case) {
    return end_of(run.events, test_case).value("outcome", "?");
  };
  const auto message = [&](const std::string& test_case) {
    return end_of(run.events, test_case).value("message", "");
  };
  EXPECT_EQ(outcome("Passes"), "passed");
  EXPECT_EQ(outcome("Fails"), "failed");
  EXPECT_EQ(outcome("ThrowsError"), "error");
  EXPECT_EQ(message("ThrowsError"), "threw NotFoundError: no such thing");
  EXPECT_EQ(outcome("ThrowsNumber"), "error");
  EXPECT_THAT(message("ThrowsNumber"), HasSubstr("not a std::exception"));
  EXPECT_EQ(outcome("FailsAndThrows"), "failed");
  EXPECT_EQ(message("FailsAndThrows"), "threw runtime_error: besides");
  EXPECT_EQ(outcome("AssertsNothing"), "error");
  EXPECT_EQ(message("AssertsNothing"), "asserted nothing");
  EXPECT_EQ(outcome("Skips"), "error");
  EXPECT_THAT(message("Skips"), HasSubstr("skipped itself"));
  EXPECT_EQ(outcome("InjectsFaultsThatNobodyHas"), "error");
  EXPECT_THAT(message("InjectsFaultsThatNobodyHas"), HasSubstr("toy injects no faults"));
}

TEST(RunnerOutcome, FailedAssertionsAreEventsWithTheirPlace) {
  const Finished run = run_fixture({"--cases", "Fails"});
  const std::vector<json> failures = events_of(run.events, "assertion_failed", "Fails");
  ASSERT_THAT(failures, SizeIs(2));
  EXPECT_THAT(failures[0].at("file").get<std::string>(), HasSubstr("outcome_cases.cc"));
  EXPECT_THAT(failures[0].at("message").get<std::string>(), HasSubstr("first"));
  EXPECT_FALSE(failures[0].at("fatal"));
  EXPECT_TRUE(failures[1].at("fatal"));
  EXPECT_EQ(failures[1].at("line").get<int>(), failures[0].at("line").get<int>() + 1);
  EXPECT_EQ(end_of(run.events, "Fails").at("assertions"), 2);
}

TEST(RunnerOutcome, AssertionsOfOtherThreadsCount) {
  const Finished run = run_fixture({"--cases", "AssertsOnThreads"});
  EXPECT_THAT(events_of(run.events, "assertion_failed", "AssertsOnThreads"), SizeIs(8));
  EXPECT_EQ(end_of(run.events, "AssertsOnThreads").at("outcome"), "failed");
  EXPECT_EQ(end_of(run.events, "AssertsOnThreads").at("assertions"), 8);
}

TEST(RunnerOutcome, AFloodOfFailuresIsBounded) {
  const Finished run = run_fixture({"--cases", "FailsWithoutEnd,Passes"});
  const std::vector<json> failures = events_of(run.events, "assertion_failed", "FailsWithoutEnd");
  EXPECT_THAT(failures, SizeIs(50));
  for (const json& failure : failures) {
    EXPECT_LT(failure.at("message").get<std::string>().size(), 10'000u);
  }
  const std::vector<json> notes = events_of(run.events, "note", "FailsWithoutEnd");
  ASSERT_THAT(notes, SizeIs(201));
  EXPECT_THAT(notes.back().at("text").get<std::string>(),
              AllOf(HasSubstr("9950 more failed assertions"), HasSubstr("9800 more notes")));
  EXPECT_EQ(end_of(run.events, "FailsWithoutEnd").at("assertions"), 10'000);
  EXPECT_EQ(end_of(run.events, "Passes").at("outcome"), "passed");
}

TEST(RunnerOutcome, TheLogTellsTheWholeRunInOrder) {
  const Finished run = run_fixture({"--cases", "Passes", "--seed", "7", "--time-scale", "2"});
  std::vector<std::string> names;
  for (const json& event : run.events) names.push_back(event.at("event"));
  const std::vector<std::string> expected{
      "run_started",  "rule", "rule",          "rule",         "rule",
      "rule",         "rule", "flavor",        "case_planned", "worker_started",
      "case_started", "note", "case_finished", "worker_ended", "run_finished"};
  EXPECT_EQ(names, expected);
  EXPECT_EQ(run.events[0].at("format"), 1);
  EXPECT_EQ(run.events[0].at("seed"), 7);
  EXPECT_EQ(run.events[8].at("limit_ms"), 40'000);
  EXPECT_EQ(run.events[8].at("disposition"), "run");
  EXPECT_EQ(run.events.back().at("interrupted"), false);
  // The supervisor's progress printed each of them too.
  EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'),
            static_cast<long>(names.size()));
}

TEST(RunnerOutcome, BoundsAndTimesAreScaled) {
  const Finished run = run_fixture({"--cases", "NeedsScaledTime", "--time-scale", "3"});
  const std::vector<json> notes = events_of(run.events, "note", "NeedsScaledTime");
  ASSERT_THAT(notes, SizeIs(1));
  EXPECT_EQ(notes[0].at("text"), "bound 12000 default 99000 scaled 3000");
}

TEST(RunnerOutcome, SeedsBelongToCasesAndNotToTheOrder) {
  const std::string names = "PrintsRandom,Passes,Echoes,NeedsScaledTime,LeavesSessions";
  const auto facts = [&](const std::string& seed, const std::string& shuffle) {
    const Finished run = run_fixture({"--cases", names, "--seed", seed, "--shuffle", shuffle});
    std::vector<std::string> order;
    for (const json& event : events_of(run.events, "case_started")) order.push_back(event["case"]);
    const std::vector<json> notes = events_of(run.events, "note", "PrintsRandom");
    return std::pair(order, notes.empty() ? json() : notes[0].at("text"));
  };
  const auto [plain_order, plain_random] = facts("5", "no");
  const auto [order, random] = facts("5", "yes");
  const auto [again_order, again_random] = facts("5", "yes");
  EXPECT_EQ(random, plain_random);
  EXPECT_EQ(order, again_order);
  EXPECT_NE(order, plain_order);
  EXPECT_NE(facts("6", "no").second, plain_random);
}

TEST(RunnerOutcome, FailFastHandsOutNoMore) {
  const Finished run =
      run_fixture({"--fail-fast", "yes", "--cases",
                   "Passes,FailsAsDeclared,FailsAShould,Echoes,Fails,ThrowsError,Aborts"});
  EXPECT_EQ(run.exit_code, 0);
  // A warning is no failure.
  EXPECT_THAT(events_of(run.events, "case_started"), SizeIs(5));
  const json finished = run.events.back();
  EXPECT_EQ(finished.at("event"), "run_finished");
  EXPECT_EQ(finished.at("interrupted"), true);
  EXPECT_EQ(finished.at("failed_fast"), true);
  EXPECT_THAT(finished.at("reason").get<std::string>(),
              AllOf(HasSubstr("--fail-fast"), HasSubstr("Fails did not pass on toy")));
}

TEST(RunnerOutcome, CasesThatDoNotApplyAreNotRunAndSayWhy) {
  const Finished run =
      run_fixture({"--cases", "GoesElsewhere,NeedsAQuota,AppliesWithoutAttach,Echoes"});
  const auto plan = [&](const std::string& name) {
    const std::vector<json> planned = events_of(run.events, "case_planned", name);
    return planned.size() == 1 ? planned[0] : json::object();
  };
  EXPECT_EQ(plan("GoesElsewhere").value("disposition", ""), "unsupported");
  EXPECT_EQ(plan("GoesElsewhere").value("capability", ""), "cross_process");
  EXPECT_THAT(plan("GoesElsewhere").value("reason", ""), HasSubstr("it is a toy"));
  EXPECT_EQ(plan("NeedsAQuota").value("disposition", ""), "not_observable");
  EXPECT_THAT(plan("NeedsAQuota").value("reason", ""),
              AllOf(HasSubstr("needs "), HasSubstr("there is nothing to limit")));
  EXPECT_EQ(plan("AppliesWithoutAttach").value("disposition", ""), "not_observable");
  EXPECT_EQ(plan("AppliesWithoutAttach").value("reason", ""),
            "applies where `attach` is not claimed");
  EXPECT_THAT(events_of(run.events, "case_started"), SizeIs(1));
}

TEST(RunnerOutcome, ALogThatCannotBeWrittenIsAnErrorBeforeAnythingRuns) {
  const Finished run = run_fixture({"--cases", "Passes", "--log", "/nonexistent/log.jsonl"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_THAT(run.error_output,
              AllOf(HasSubstr("/nonexistent/log.jsonl"), HasSubstr("No such file or directory")));
  EXPECT_EQ(run.output, "");
}

TEST(RunnerOutcome, ALogThatCannotBeReadAgainIsRefused) {
  for (const char* log : {"/dev/full", "/dev/null", "/"}) {
    const Finished run = run_fixture({"--cases", "Passes", "--log", log});
    EXPECT_EQ(run.exit_code, 5);
    EXPECT_THAT(run.error_output, HasSubstr(std::string("cannot write the event log ") + log));
  }
}

TEST(RunnerOutcome, ALogThatCannotGrowEndsTheRun) {
  const Finished run =
      run_fixture({"--cases", "HangsWithChildren,Passes", "--jobs", "2", "--file-limit", "2000"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_THAT(run.error_output,
              AllOf(HasSubstr("the run cannot go on"), HasSubstr("File too large")));
  EXPECT_THAT(events_of(run.events, "run_started"), SizeIs(1));
  EXPECT_THAT(events_of(run.events, "run_finished"), SizeIs(0));
}

TEST(RunnerOutcome, ATemporaryLogIsRemoved) {
  // run_fixture() checks that the temporary directory is empty afterwards.
  const Finished run = run_fixture({"--cases", "Passes", "--log", ""});
  EXPECT_EQ(run.exit_code, 0) << run.error_output;
  EXPECT_THAT(run.output, HasSubstr("run_finished"));
}

}  // namespace
}  // namespace sandproof::conformance
