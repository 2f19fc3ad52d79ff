// SPDX-License-Identifier: Apache-2.0
// What the runner does with a sandbox: cleans up behind cases, decorates with mutants, checks
// refusals, goes to other processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/conformance/runner_launch.h"

namespace sandproof::conformance {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

TEST(RunnerSandbox, SessionsThatACaseLeavesAreDestroyed) {
  // The toy's environments outlive their handles; its census is part of the check.
  const Finished run = run_fixture({"--cases", "LeavesSessions,UsesASandboxFromThreads,Echoes"});
  for (const char* name : {"LeavesSessions", "UsesASandboxFromThreads", "Echoes"}) {
    EXPECT_EQ(end_of(run.events, name).value("outcome", "?"), "passed") << end_of(run.events, name);
  }
  EXPECT_THAT(events_of(run.events, "leftovers"), SizeIs(0));
}

TEST(RunnerSandbox, WhatTheBackendStillHoldsIsAnError) {
  const Finished run = run_fixture({"--cases", "LeavesABackendThing,FailsAndLeavesABackendThing"});
  EXPECT_EQ(end_of(run.events, "LeavesABackendThing").value("outcome", "?"), "error");
  EXPECT_EQ(end_of(run.events, "LeavesABackendThing").value("message", ""),
            "left behind: environment leak:volume (see LEAK-001)");
  // A failure stays one: the leftovers are told beside it.
  EXPECT_EQ(end_of(run.events, "FailsAndLeavesABackendThing").value("outcome", "?"), "failed");
  EXPECT_THAT(events_of(run.events, "leftovers"), SizeIs(2));
}

TEST(RunnerSandbox, RefusalsAreCheckedOncePerUnclaimedCapability) {
  const Finished run = run_fixture({"--flavor", "bare", "--refusals", "yes", "--cases", "Echoes"});
  std::map<std::string, json> refusals;
  for (const json& event : events_of(run.events, "refusal")) {
    EXPECT_EQ(event.at("flavor"), "bare");
    refusals[event.at("capability")] = event;
  }
  ASSERT_THAT(refusals, SizeIs(11));
  for (const auto& [capability, event] : refusals) {
    EXPECT_TRUE(event.at("held").get<bool>()) << event;
  }
  EXPECT_THAT(refusals["attach"].value("message", ""), HasSubstr("bare"));
  EXPECT_EQ(refusals["outlives"].value("message", ""), "outlives has no operation of its own");
}

TEST(RunnerSandbox, ARefusalThatDoesNotHoldSaysWhy) {
  const Finished run = run_fixture(
      {"--flavor", "bare", "--mutants", "RefusesBadly", "--refusals", "yes", "--cases", "Passes"});
  std::map<std::string, std::string> broken;
  for (const json& event : events_of(run.events, "refusal")) {
    if (!event.at("held").get<bool>()) broken[event.at("capability")] = event.at("message");
  }
  ASSERT_THAT(broken, SizeIs(2));
  EXPECT_THAT(broken["attach"], HasSubstr("does not name the flavor"));
  EXPECT_THAT(broken["restore"], HasSubstr("but it was NotFoundError: no such snapshot"));
}

TEST(RunnerSandbox, MutantsAreFlavorsOfTheirOwnAndProveThatTheyFired) {
  const Finished run =
      run_fixture({"--jobs", "2", "--mutants", "EchoesSomethingElse,CrashesInCreate", "--cases",
                   "Echoes,Passes"});
  EXPECT_EQ(run.exit_code, 0) << run.error_output;
  std::map<std::string, json> ends;
  for (const char* name : {"case_finished", "case_crashed"}) {
    for (const json& event : events_of(run.events, name)) {
      ends[event.at("flavor").get<std::string>() + "/" + event.at("case").get<std::string>()] =
          event;
    }
  }
  ASSERT_THAT(ends, SizeIs(4));
  const json wrong = ends["toy+EchoesSomethingElse/Echoes"];
  EXPECT_EQ(wrong.value("outcome", "?"), "failed");
  EXPECT_EQ(wrong.value("fired", 0), 1);
  const json untouched = ends["toy+EchoesSomethingElse/Passes"];
  EXPECT_EQ(untouched.value("outcome", "?"), "passed");
  EXPECT_EQ(untouched.value("fired", -1), 0);
  const json crashed = ends["toy+CrashesInCreate/Echoes"];
  EXPECT_EQ(crashed.value("event", ""), "case_crashed");
  EXPECT_EQ(crashed.value("fired", 0), 1);
  for (const json& flavor : events_of(run.events, "flavor")) {
    EXPECT_EQ(flavor.at("flavor"), flavor.at("binding").get<std::string>() + "+" +
                                       flavor.at("mutant").get<std::string>());
  }
}

TEST(RunnerSandbox, ALeftOutAssertionIsNotEvaluated) {
  const Launch::Words options{"--mutants", "EchoesSomethingElse", "--cases", "Echoes", "--places",
                              "yes"};
  const Finished whole = run_fixture(options);
  const json end = end_of(whole.events, "Echoes");
  ASSERT_THAT(end.at("places"), SizeIs(2));
  const std::vector<json> failures = events_of(whole.events, "assertion_failed");
  ASSERT_THAT(failures, SizeIs(1));
  const std::string place = failures[0].at("file").get<std::string>() + ":" +
                            std::to_string(failures[0].at("line").get<int>());
  EXPECT_THAT(end.at("places"), Contains(json(place)));

  for (const std::string& left_out : {place, place.substr(place.rfind('/') + 1)}) {
    Launch::Words without = options;
    without.insert(without.end(), {"--left-out", left_out});
    const Finished run = run_fixture(without);
    EXPECT_EQ(end_of(run.events, "Echoes").value("outcome", "?"), "passed") << left_out;
    EXPECT_EQ(end_of(run.events, "Echoes").value("assertions", 0), 2);
  }
}

TEST(RunnerSandbox, AnotherProcessKnowsTheConfiguration) {
  const Finished run = run_fixture({"--flavor", "detached", "--cases", "GoesElsewhere"});
  const json end = end_of(run.events, "GoesElsewhere");
  EXPECT_EQ(end.value("outcome", "?"), "passed") << end;
  for (const json& failure : events_of(run.events, "assertion_failed")) {
    ADD_FAILURE() << failure.at("message").get<std::string>();
  }
}

}  // namespace
}  // namespace sandproof::conformance
