// SPDX-License-Identifier: Apache-2.0
// What becomes of a mutant, from the outcomes of the cases that met it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "conformance/report/mutant_report.h"

namespace sandproof::conformance {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

MutantCase own(Outcome outcome, std::uint64_t fired = 1) {
  return {"OwnCase", {"A-001"}, outcome, fired, 10, "said so"};
}
MutantCase other(Outcome outcome, std::uint64_t fired = 1) {
  return {"OtherCase", {"B-001"}, outcome, fired, 10, ""};
}

MutantResult mutant(std::vector<MutantCase> cases, KilledBy killed_by = KilledBy::kAssertion,
                    const std::vector<std::string>& failing_healthy = {}) {
  MutantResult result;
  result.name = "Breaks";
  result.rule = "A-001";
  result.what = "it does the wrong thing";
  result.killed_by = killed_by;
  result.binding = "local";
  result.cases = std::move(cases);
  classify(result, failing_healthy);
  return result;
}

struct Row {
  const char* name;
  std::vector<MutantCase> cases;
  KilledBy killed_by;
  MutantState state;
};

class Classification : public testing::TestWithParam<Row> {};

TEST_P(Classification, Decides) {
  EXPECT_EQ(mutant(GetParam().cases, GetParam().killed_by).state, GetParam().state)
      << mutant(GetParam().cases, GetParam().killed_by).message;
}

using enum Outcome;
constexpr KilledBy kByAssertion = KilledBy::kAssertion;

INSTANTIATE_TEST_SUITE_P(
    Mutants, Classification,
    testing::Values(
        Row{"assertion", {own(kFailed)}, kByAssertion, MutantState::kKilled},
        Row{"error", {own(kError)}, kByAssertion, MutantState::kMisattributed},
        Row{"secondcase", {own(kPassed), own(kFailed)}, kByAssertion, MutantState::kKilled},
        Row{"hang", {own(kTimeout)}, KilledBy::kTimeout, MutantState::kKilled},
        Row{"crash", {own(kCrashed)}, KilledBy::kCrash, MutantState::kKilled},
        Row{"hangnotdeclared", {own(kTimeout)}, kByAssertion, MutantState::kMisattributed},
        Row{"crashnotdeclared", {own(kCrashed)}, KilledBy::kTimeout, MutantState::kMisattributed},
        Row{"survived", {own(kPassed), other(kPassed)}, kByAssertion, MutantState::kSurvived},
        Row{"misattributed",
            {own(kPassed), other(kFailed)},
            kByAssertion,
            MutantState::kMisattributed},
        Row{"silent", {own(kPassed, 0), other(kPassed, 0)}, kByAssertion, MutantState::kDidNotFire},
        Row{"failswithoutfiring", {own(kFailed, 0)}, kByAssertion, MutantState::kDidNotFire},
        Row{"notrun", {own(kPassed), own(Outcome::kNotRun, 0)}, kByAssertion, MutantState::kNotRun},
        Row{"nothing", {}, kByAssertion, MutantState::kNotRun}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Mutants, ACaseThatFailsAnywayKillsNothing) {
  EXPECT_EQ(mutant({own(kFailed)}, kByAssertion, {"OwnCase"}).state, MutantState::kUnsound);
}

TEST(Mutants, NothingIsBlamedOnOneThatHasNotMetAllItsCases) {
  const auto ended_early = [](std::vector<MutantCase> cases,
                              const std::vector<std::string>& failing_healthy = {}) {
    MutantResult result = mutant({});
    result.cases = std::move(cases);
    result.planned_cases = 3;
    classify(result, failing_healthy);
    return result;
  };
  EXPECT_EQ(ended_early({own(kPassed), other(kPassed)}).state, MutantState::kNotRun);
  EXPECT_EQ(ended_early({own(kPassed, 0)}).state, MutantState::kNotRun);
  EXPECT_EQ(ended_early({own(kError)}).state, MutantState::kNotRun);
  EXPECT_EQ(ended_early({own(kPassed), other(kFailed)}).state, MutantState::kNotRun);
  EXPECT_EQ(ended_early({own(kPassed)}).message, "the run ended when it had met 1 of 3 cases");
  EXPECT_EQ(ended_early({own(kPassed), own(kFailed)}).state, MutantState::kKilled);
  EXPECT_EQ(ended_early({own(kFailed)}, {"OwnCase"}).state, MutantState::kUnsound);
  EXPECT_EQ(ended_early({own(kPassed), own(kPassed), other(kPassed)}).state,
            MutantState::kSurvived);
}

TEST(Mutants, WithoutABindingItIsNotObservable) {
  MutantResult result;
  classify(result, {});
  EXPECT_EQ(result.state, MutantState::kNotObservable);
}

TEST(Mutants, ExtraKillsAreKept) {
  const MutantResult result = mutant({own(kFailed), other(kFailed)});
  EXPECT_EQ(result.killing_case, "OwnCase");
  EXPECT_EQ(result.message, "said so");
  EXPECT_THAT(result.extra_kills, ElementsAre("OtherCase"));
}

MutantReport report_of(std::vector<MutantResult> mutants) {
  MutantReport report;
  report.mutants = std::move(mutants);
  return report;
}

TEST(MutantReport, ExitCodes) {
  EXPECT_EQ(exit_code_of(report_of({mutant({own(kFailed)})}), false), 0);
  EXPECT_EQ(exit_code_of(report_of({mutant({own(kPassed)})}), false), 1);
  EXPECT_EQ(exit_code_of(report_of({}), false), 4);
  EXPECT_EQ(exit_code_of(report_of({mutant({})}), false), 6);
  MutantReport uncovered = report_of({mutant({own(kFailed)})});
  uncovered.uncovered = {{"B-001", "no mutant breaks it"}};
  EXPECT_EQ(exit_code_of(uncovered, false), 0);
  EXPECT_EQ(exit_code_of(uncovered, true), 1);
  MutantReport interrupted = report_of({mutant({own(kFailed)})});
  interrupted.interrupted = "the budget of 1 s is spent";
  EXPECT_EQ(exit_code_of(interrupted, false), 6);
  MutantReport flaky = report_of({mutant({own(kFailed)})});
  flaky.failing_healthy = {"OtherCase on local"};
  EXPECT_EQ(exit_code_of(flaky, false), 1);
}

TEST(MutantReport, TellsWhatIsNotCaught) {
  MutantReport report = report_of({mutant({own(kPassed)}), mutant({own(kFailed)})});
  report.uncovered = {{"B-001", "no mutant breaks it"}};
  const std::string text = mutant_report_text(report, {});
  EXPECT_THAT(text, AllOf(HasSubstr("A-001  Breaks survived on local"),
                          HasSubstr("fault: it does the wrong thing"),
                          HasSubstr("OwnCase passed, fired 1 times"),
                          HasSubstr("no mutant breaks it: B-001"),
                          HasSubstr("1 of 2 mutants killed, 1 survived")));
}

TEST(MutantReport, AsJson) {
  const auto json =
      nlohmann::json::parse(mutant_report_json(report_of({mutant({own(kFailed)})}), false));
  EXPECT_EQ(json["exit_code"], 0);
  EXPECT_EQ(json["counts"]["killed"], 1);
  EXPECT_EQ(json["mutants"][0]["state"], "killed");
  EXPECT_EQ(json["mutants"][0]["killing_case"], "OwnCase");
  EXPECT_EQ(json["mutants"][0]["cases"][0]["outcome"], "failed");
}

}  // namespace
}  // namespace sandproof::conformance
