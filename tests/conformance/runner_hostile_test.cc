// SPDX-License-Identifier: Apache-2.0
// Cases that hang, crash, flood and litter: each costs itself, and the log says what happened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <map>
#include <string>

#include "sandproof/sanitized.h"
#include "tests/conformance/runner_launch.h"

namespace sandproof::conformance {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::SizeIs;

// Instrumented programs print a report and exit where others die by a signal.
json crash_of(const Finished& run, const std::string& test_case) {
  json end = end_of(run.events, test_case);
  EXPECT_EQ(end.value("event", ""), "case_crashed") << test_case << ": " << end;
  return end;
}

TEST(RunnerHostile, ACrashCostsOneCase) {
  const Finished run =
      run_fixture({"--jobs", "2", "--cases",
                   "ReadsANullPointer,Passes,Aborts,Echoes,ExitsWithSuccess,OverflowsTheStack,"
                   "ThrowsOnAThread,ClosesAllDescriptors,PrintsRandom"});
  EXPECT_EQ(run.exit_code, 0) << run.error_output;
  for (const char* name : {"Passes", "Echoes", "PrintsRandom"}) {
    EXPECT_EQ(end_of(run.events, name).value("outcome", "?"), "passed") << name;
  }
  const json aborted = crash_of(run, "Aborts");
  EXPECT_EQ(aborted.value("status", ""), "signaled(6)");
  EXPECT_THAT(aborted.value("stderr", ""), HasSubstr("assertion `world is sane' failed"));
  EXPECT_EQ(crash_of(run, "ExitsWithSuccess").value("status", ""), "exited(0)");
  EXPECT_EQ(crash_of(run, "ThrowsOnAThread").value("status", ""), "signaled(6)");
  EXPECT_EQ(crash_of(run, "ClosesAllDescriptors").value("status", ""), "exited(0)");
  const std::string segv = crash_of(run, "ReadsANullPointer").value("status", "");
  const std::string overflow = crash_of(run, "OverflowsTheStack").value("status", "");
  if (!kSanitized) {
    EXPECT_EQ(segv, "signaled(11)");
    EXPECT_EQ(overflow, "signaled(11)");
  }
  EXPECT_EQ(run.events.back().at("event"), "run_finished");
  EXPECT_EQ(run.events.back().at("interrupted"), false);
}

TEST(RunnerHostile, AHangEndsAtItsLimitAndSaysWhatWasWaitedFor) {
  const Finished run = run_fixture({"--cases", "HangsInVerb,HangsQuietly,StopsItself,Passes"});
  const json hang = end_of(run.events, "HangsInVerb");
  EXPECT_EQ(hang.value("event", ""), "case_timeout");
  EXPECT_EQ(hang.value("kind", ""), "limit");
  EXPECT_GE(hang.value("after_ms", 0), 1000);
  ASSERT_THAT(hang.at("waits"), SizeIs(1));
  const json wait = hang.at("waits")[0];
  EXPECT_EQ(wait.at("verb"), "wait");
  EXPECT_THAT(wait.at("file").get<std::string>(), HasSubstr("hostile_cases.cc"));
  EXPECT_GT(wait.at("line"), 0);
  EXPECT_GT(wait.at("for_ms"), 0);
  EXPECT_EQ(wait.at("last_bytes"), "login:\\n");

  const json quiet = end_of(run.events, "HangsQuietly");
  EXPECT_EQ(quiet.value("event", ""), "case_timeout");
  EXPECT_THAT(quiet.at("waits"), SizeIs(0));
  EXPECT_EQ(quiet.value("stderr", ""), "last words");
  EXPECT_EQ(end_of(run.events, "StopsItself").value("event", ""), "case_timeout");
  EXPECT_EQ(end_of(run.events, "Passes").value("outcome", "?"), "passed");
}

// The flavor does not come back from a hook of its own: nothing in its program can end that.
TEST(RunnerHostile, AFlavorThatIsStuckInAVerbCostsOneCase) {
  const std::map<std::string, std::string> verbs = {{"SticksInCreate", "create_session"},
                                                    {"SticksInExec", "exec"},
                                                    {"SticksInRead", "read_some"},
                                                    {"SticksInClose", "close"}};
  std::string cases = "Passes";
  for (const auto& [name, verb] : verbs) cases += "," + name;
  const Finished run = run_fixture({"--jobs", "2", "--cases", cases});
  for (const auto& [name, verb] : verbs) {
    const json end = end_of(run.events, name);
    EXPECT_EQ(end.value("event", ""), "case_timeout") << name;
    ASSERT_THAT(end.value("waits", json::array()), SizeIs(1)) << name;
    const json wait = end.at("waits")[0];
    EXPECT_EQ(wait.at("verb"), verb);
    EXPECT_THAT(wait.at("file").get<std::string>(), HasSubstr("hostile_cases.cc")) << name;
  }
  EXPECT_EQ(end_of(run.events, "Passes").value("outcome", "?"), "passed");
  EXPECT_EQ(run.events.back().at("event"), "run_finished");
}

TEST(RunnerHostile, NoProgressInAVerbEndsALongCaseEarly) {
  // Limits of 60 s scaled to 6 s; no progress is half of that.
  const Finished run = run_fixture(
      {"--time-scale", "0.1", "--jobs", "2", "--cases", "HangsInVerbForLong,IsQuietForAWhile"});
  const json hang = end_of(run.events, "HangsInVerbForLong");
  EXPECT_EQ(hang.value("kind", ""), "no_progress") << hang;
  EXPECT_GE(hang.value("after_ms", 0), 3000);
  // 2 s of quiet without a verb are nobody's fault.
  EXPECT_EQ(end_of(run.events, "IsQuietForAWhile").value("outcome", "?"), "passed");
}

TEST(RunnerHostile, ALimitCapShortensLimits) {
  const Finished run = run_fixture(
      {"--limit-cap", "300", "--time-scale", "1", "--cases", "HangsInVerbForLong,Passes"});
  EXPECT_EQ(end_of(run.events, "HangsInVerbForLong").value("kind", ""), "limit");
  EXPECT_EQ(events_of(run.events, "case_planned", "Passes")[0].at("limit_ms"), 300);
}

TEST(RunnerHostile, EndlessOutputIsDrainedAndItsTailKept) {
  const Finished run =
      run_fixture({"--jobs", "2", "--cases", "PrintsWithoutEnd,PrintsALot,Passes"});
  const json endless = end_of(run.events, "PrintsWithoutEnd");
  EXPECT_EQ(endless.value("event", ""), "case_timeout");
  EXPECT_THAT(endless.value("stderr", ""), HasSubstr("no play makes a dull case\nall work"));
  EXPECT_LE(endless.value("stderr", "").size(), 16u * 1024);
  EXPECT_EQ(end_of(run.events, "PrintsALot").value("outcome", "?"), "passed");
  EXPECT_EQ(end_of(run.events, "Passes").value("outcome", "?"), "passed");
}

TEST(RunnerHostile, GarbageOnTheEventPipeIsNoResult) {
  const Finished run = run_fixture({"--cases", "WritesToTheHarness,Passes"});
  EXPECT_EQ(end_of(run.events, "WritesToTheHarness").value("outcome", "?"), "passed");
  EXPECT_EQ(end_of(run.events, "Passes").value("outcome", "?"), "passed");
}

TEST(RunnerHostile, LeftChildrenAreNamedAndEnded) {
  const Finished run = run_fixture({"--jobs", "2", "--cases", "Leaves200Children,Passes,Echoes"});
  json end = end_of(run.events, "Leaves200Children");
  EXPECT_EQ(end.value("outcome", "?"), "error");
  EXPECT_THAT(end.value("message", ""), HasSubstr("left behind: process "));
  EXPECT_THAT(end.value("message", ""), HasSubstr("and 180 more processes (see CLOSE-005, or"));
  const std::vector<json> left = events_of(run.events, "leftovers");
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left[0].at("case"), "Leaves200Children");
  ASSERT_THAT(left[0].at("items"), SizeIs(21));
  EXPECT_THAT(left[0].at("items")[0].get<std::string>(), HasSubstr("runner_fixture sleep child"));
  EXPECT_EQ(left[0].at("items")[20], "and 180 more processes");
  EXPECT_EQ(end_of(run.events, "Passes").value("outcome", "?"), "passed");
}

TEST(RunnerHostile, ADaemonIsKnownToBeItsCases) {
  const Finished run = run_fixture(
      {"--jobs", "4", "--cases", "Passes,Echoes,LeavesADaemon,PrintsRandom,NeedsScaledTime"});
  EXPECT_EQ(end_of(run.events, "LeavesADaemon").value("outcome", "?"), "error");
  EXPECT_THAT(end_of(run.events, "LeavesADaemon").value("message", ""),
              HasSubstr("runner_fixture daemon daemon"));
  for (const char* name : {"Passes", "Echoes", "PrintsRandom", "NeedsScaledTime"}) {
    EXPECT_EQ(end_of(run.events, name).value("outcome", "?"), "passed") << name;
  }
}

TEST(RunnerHostile, AHangWithChildrenTakesThemWithIt) {
  const Finished run = run_fixture({"--jobs", "2", "--cases", "HangsWithChildren,Passes"});
  EXPECT_EQ(end_of(run.events, "HangsWithChildren").value("event", ""), "case_timeout");
  EXPECT_EQ(end_of(run.events, "Passes").value("outcome", "?"), "passed");
}

TEST(RunnerHostile, FilesThatAreLeftAreNamedAndRemoved) {
  const Finished run =
      run_fixture({"--cases", "LeavesADirectory,LeavesUnremovableDirectories,Passes"});
  EXPECT_EQ(end_of(run.events, "LeavesADirectory").value("outcome", "?"), "error");
  EXPECT_EQ(end_of(run.events, "LeavesADirectory").value("message", ""),
            "left behind: directory left in TMPDIR (see LEAK-001)");
  ASSERT_THAT(events_of(run.events, "leftovers"), SizeIs(1));
  // What is in its scratch directory is the harness's to remove, whatever it is.
  EXPECT_EQ(end_of(run.events, "LeavesUnremovableDirectories").value("outcome", "?"), "passed");
  EXPECT_EQ(end_of(run.events, "Passes").value("outcome", "?"), "passed");
}

TEST(RunnerHostile, DescriptorsThatAreLeftAreNoted) {
  const Finished run = run_fixture({"--cases", "Passes,LeavesDescriptors,Echoes"});
  EXPECT_EQ(end_of(run.events, "LeavesDescriptors").value("outcome", "?"), "passed");
  const std::vector<json> notes = events_of(run.events, "note", "LeavesDescriptors");
  ASSERT_THAT(notes, SizeIs(1));
  EXPECT_THAT(notes[0].at("text").get<std::string>(),
              AllOf(HasSubstr("open since this case"), HasSubstr("/dev/null")));
}

}  // namespace
}  // namespace sandproof::conformance
