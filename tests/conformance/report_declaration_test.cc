// SPDX-License-Identifier: Apache-2.0
// Results against the declaration: capabilities, needs, refusals and deviations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/run_model.h"
#include "tests/conformance/report_log.h"

namespace sandproof::conformance {
namespace {

using fabricated::Json;
using fabricated::Log;
using fabricated::small_log;
using testing::HasSubstr;

const RuleResult& rule_of(const RunModel& model, std::string_view rule) {
  return *model.flavors.at(0).find_rule(rule);
}

/// One MUST rule that asks for `attach`; the flavor does not claim it.
Log log_without_attach() {
  Log log;
  log.started().rule("CAP-002").rule("A-001", "M", {"attach"});
  log.flavor("local", {{"capabilities", {"stdin"}}, {"unclaimed", {{"attach", "it ends"}}}});
  return log;
}

Log& plan_unsupported(Log& log) {
  return log.planned("One", {"A-001"},
                     {{"disposition", "unsupported"},
                      {"capability", "attach"},
                      {"reason", "'attach' is not claimed: it ends"}});
}

Json refusal(bool held) {
  return {{"flavor", "local"}, {"capability", "attach"}, {"held", held}, {"message", "it worked"}};
}

TEST(Declaration, ARefusalThatHeldIsUnsupported) {
  Log log = log_without_attach();
  plan_unsupported(log).add("refusal", refusal(true)).finished();
  const RunModel model = log.model();
  EXPECT_EQ(model.flavors[0].cases[0].outcome, Outcome::kUnsupported);
  EXPECT_EQ(rule_of(model, "A-001").state, Outcome::kUnsupported);
  EXPECT_THAT(rule_of(model, "A-001").reason, HasSubstr("it ends"));
  EXPECT_EQ(rule_of(model, "CAP-002").state, Outcome::kPassed);
  EXPECT_EQ(exit_code_of(model), 0);
}

TEST(Declaration, ARefusalThatDidNotHoldIsAFailure) {
  Log log = log_without_attach();
  plan_unsupported(log).add("refusal", refusal(false)).finished();
  const RunModel model = log.model();
  EXPECT_EQ(model.flavors[0].cases[0].outcome, Outcome::kFailed);
  EXPECT_EQ(rule_of(model, "A-001").state, Outcome::kFailed);
  EXPECT_EQ(rule_of(model, "CAP-002").state, Outcome::kFailed);
  EXPECT_THAT(rule_of(model, "CAP-002").reason, HasSubstr("it worked"));
  EXPECT_EQ(exit_code_of(model), 1);
}

TEST(Declaration, ARefusalThatWasNeverCheckedIsNotTakenForOne) {
  Log log = log_without_attach();
  plan_unsupported(log).finished();
  const RunModel model = log.model();
  EXPECT_EQ(model.flavors[0].cases[0].outcome, Outcome::kNotRun);
  EXPECT_EQ(model.flavors[0].verdict, Verdict::kNotConformant);
}

TEST(Declaration, ABrokenRefusalCountsInAFilteredRunToo) {
  Log log;
  log.started({{"filtered", true}}).rule("CAP-002").rule("A-001", "M", {"attach"});
  log.flavor("local", {{"capabilities", Json::array()}});
  plan_unsupported(log).add("refusal", refusal(false)).finished();
  EXPECT_TRUE(rule_of(log.model(), "CAP-002").selected);
  EXPECT_EQ(exit_code_of(log.model()), 1);
}

TEST(Declaration, WhereEverythingIsClaimedThereIsNothingToRefuse) {
  Log log;
  log.started().rule("CAP-002").flavor("local").finished();
  EXPECT_EQ(rule_of(log.model(), "CAP-002").state, Outcome::kNotObservable);
}

TEST(Declaration, RulesWithoutACaseAreExplainedByTheDeclaration) {
  Log log;
  log.started()
      .rule("A-001", "M", {"attach"})
      .rule("A-002", "M", {}, {"faults"})
      .rule("A-003", "M", {}, {}, "stdin")
      .rule("A-004", "M", {"stdin"}, {"process table"});
  log.flavor("local", {{"capabilities", {"stdin"}},
                       {"provides", {"process table"}},
                       {"not_provided", {{"faults", "real processes"}}}});
  log.add("refusal", refusal(true)).planned("One", {"A-004"}).finishes("One", "passed").finished();
  const RunModel model = log.model();
  EXPECT_EQ(rule_of(model, "A-001").state, Outcome::kUnsupported);
  EXPECT_EQ(rule_of(model, "A-002").state, Outcome::kNotObservable);
  EXPECT_THAT(rule_of(model, "A-002").reason, HasSubstr("needs faults: real processes"));
  EXPECT_EQ(rule_of(model, "A-003").state, Outcome::kNotObservable);
  EXPECT_EQ(rule_of(model, "A-004").state, Outcome::kPassed);
  EXPECT_EQ(exit_code_of(model), 0);
}

TEST(Declaration, ACaseThatRunsOutweighsOnesThatCannot) {
  Log log;
  log.started().rule("A-001").flavor("local");
  log.planned("One", {"A-001"}, {{"disposition", "not_observable"}, {"reason", "needs a quota"}});
  log.planned("Two", {"A-001"}).finishes("Two", "passed").finished();
  EXPECT_EQ(rule_of(log.model(), "A-001").state, Outcome::kPassed);
}

Json deviating(const std::string& rule) {
  return {{"deviations", {{{"rule", rule}, {"reason", "known"}, {"link", "https://x.test/1"}}}}};
}

TEST(Deviation, AFailureThatWasDeclaredIsExpected) {
  for (const char* outcome : {"failed", "error"}) {
    Log log = small_log(deviating("A-001"));
    log.planned("One", {"A-001"}).planned("Two", {"A-002"}).planned("Three", {"A-003"});
    log.finishes("One", outcome).finishes("Two", "passed").finishes("Three", "passed").finished();
    const RunModel model = log.model();
    EXPECT_EQ(rule_of(model, "A-001").state, Outcome::kExpectedFailure);
    EXPECT_EQ(rule_of(model, "A-001").reason, "known (https://x.test/1)");
    EXPECT_EQ(exit_code_of(model), 0);
  }
}

TEST(Deviation, HangsAndCrashesCanBeDeclaredToo) {
  Log log = small_log(deviating("A-001"));
  log.planned("One", {"A-001"}).planned("Two", {"A-001"});
  log.times_out("One").crashes("Two").finished();
  EXPECT_EQ(rule_of(log.model(), "A-001").state, Outcome::kExpectedFailure);
}

TEST(Deviation, ThatDoesNotShowIsAnUnexpectedPass) {
  Log log = small_log(deviating("A-001"));
  log.planned("One", {"A-001"}).planned("Two", {"A-002"}).planned("Three", {"A-003"});
  log.finishes("One", "passed").finishes("Two", "passed").finishes("Three", "passed").finished();
  const RunModel model = log.model();
  EXPECT_EQ(model.flavors[0].cases[0].outcome, Outcome::kUnexpectedPass);
  EXPECT_EQ(rule_of(model, "A-001").state, Outcome::kUnexpectedPass);
  EXPECT_EQ(exit_code_of(model), 1);
}

TEST(Deviation, IsOfARuleSoOneFailingCaseIsEnough) {
  Log log = small_log(deviating("A-001"));
  log.planned("One", {"A-001"}).planned("Two", {"A-001"});
  log.finishes("One", "passed").finishes("Two", "failed").finished();
  const RunModel model = log.model();
  EXPECT_EQ(model.flavors[0].cases[0].outcome, Outcome::kPassed);
  EXPECT_EQ(model.flavors[0].cases[1].outcome, Outcome::kExpectedFailure);
  EXPECT_EQ(rule_of(model, "A-001").state, Outcome::kExpectedFailure);
}

TEST(Deviation, CoversOnlyFailuresThatAreChargedToItsRule) {
  Log log = small_log(deviating("A-002"));
  log.planned("One", {"A-001", "A-002"}).finishes("One", "failed").finished();
  EXPECT_EQ(rule_of(log.model(), "A-001").state, Outcome::kFailed);
  EXPECT_EQ(rule_of(log.model(), "A-002").state, Outcome::kFailed);
}

TEST(Deviation, SaysNothingWhileACaseOfItIsMissing) {
  Log log = small_log(deviating("A-001"));
  log.planned("One", {"A-001"}).planned("Two", {"A-001"}).finishes("One", "passed").finished();
  EXPECT_EQ(log.model().flavors[0].cases[0].outcome, Outcome::kPassed);
  EXPECT_EQ(exit_code_of(log.model()), 6);
}

}  // namespace
}  // namespace sandproof::conformance
