// SPDX-License-Identifier: Apache-2.0
// Which binding a mutant is made from, which cases it meets, and which rules nothing covers.
#include "conformance/program/mutant_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/program/program_error.h"

namespace sandproof::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Rule rule(std::string_view id, Level level = Level::kMust) {
  return {id, level, "", "", {}, std::nullopt, {}, "0.1", {}};
}

Case test_case(std::string_view name, std::vector<std::string_view> rules) {
  return {.name = name, .rules = std::move(rules), .body = nullptr};
}

Mutant mutant(std::string_view name, std::string_view broken) {
  return {.name = name, .rule = broken, .what = "a fault"};
}

Binding binding(const std::string& name, Capabilities capabilities) {
  Binding result;
  result.flavor.name = name;
  result.flavor.capabilities = capabilities;
  return result;
}

class MutantPlanTest : public ::testing::Test {
 protected:
  MutantPlanTest() {
    rules_ = {rule("A-001"), rule("A-002"), rule("A-003", Level::kShould), rule("A-004")};
    cases_ = {test_case("Second", {"A-002", "A-001"}), test_case("First", {"A-001"}),
              test_case("Attaching", {"A-002"}), test_case("Smoke", {"A-003"})};
    cases_[2].with = {Capability::kAttach};
    cases_[3].smoke = true;
    mutants_ = {mutant("BreaksOne", "A-001"), mutant("BreaksTwo", "A-002"),
                mutant("BreaksFour", "A-004")};
    suite_.bindings = {binding("plain", {}), binding("full", Capabilities::all())};
    suite_.cases = &cases_;
    suite_.mutants = &mutants_;
    suite_.rules = &rules_;
  }

  static std::vector<std::string_view> names(const std::vector<const Case*>& cases) {
    std::vector<std::string_view> result;
    for (const Case* one : cases) result.push_back(one->name);
    return result;
  }
  std::vector<MutantPlan> plan(const MutantFilter& filter = {}, bool full = false) const {
    return plan_mutants(suite_, filter, full, "prove");
  }
  ExitCode code_of(const MutantFilter& filter) const {
    try {
      plan(filter);
    } catch (const ProgramError& error) {
      return error.code();
    }
    return ExitCode::kConformant;
  }

  std::vector<Rule> rules_;
  std::vector<Case> cases_;
  std::vector<Mutant> mutants_;
  Suite suite_;
};

TEST_F(MutantPlanTest, CasesThatAreChargedToTheRuleComeFirst) {
  const MutantPlan one = plan()[0];
  EXPECT_EQ(one.binding->name(), "plain");
  EXPECT_THAT(names(one.own), ElementsAre("First", "Second"));
  EXPECT_THAT(names(one.others), ElementsAre("Smoke"));
}

TEST_F(MutantPlanTest, TheFirstBindingOnWhichACaseRuns) {
  EXPECT_EQ(plan()[1].binding->name(), "plain");
  EXPECT_THAT(names(plan()[1].own), ElementsAre("Second"));
  cases_[0].with = {Capability::kAttach};
  EXPECT_EQ(plan()[1].binding->name(), "full");
  EXPECT_THAT(names(plan()[1].own), ElementsAre("Second", "Attaching"));
}

TEST_F(MutantPlanTest, CapabilitiesOfTheMutantCount) {
  mutants_[0].with = {Capability::kAttach};
  EXPECT_EQ(plan()[0].binding->name(), "full");
  mutants_[0].with = {};
  mutants_[0].without = {Capability::kAttach};
  EXPECT_EQ(plan()[0].binding->name(), "plain");
  mutants_[0].with = {Capability::kAttach};
  EXPECT_EQ(plan()[0].binding, nullptr);
}

TEST_F(MutantPlanTest, WithoutACaseThereIsNoBinding) { EXPECT_EQ(plan()[2].binding, nullptr); }

TEST_F(MutantPlanTest, FullTakesEveryCaseThatRuns) {
  EXPECT_THAT(names(plan({}, true)[0].others), ElementsAre("Smoke"));
  EXPECT_THAT(names(plan({}, true)[1].others), ElementsAre("First", "Smoke"));
}

TEST_F(MutantPlanTest, FiltersByNameAndRule) {
  EXPECT_EQ(plan({{"BreaksT*"}, {}}).size(), 1U);
  EXPECT_EQ(plan({{}, {"a-001"}}).size(), 1U);
  EXPECT_EQ(code_of({{"Nope*"}, {}}), ExitCode::kNothingSelected);
  EXPECT_EQ(code_of({{"BreaksOn"}, {}}), ExitCode::kUsage);
  EXPECT_EQ(code_of({{"BreaksOne"}, {"A-002"}}), ExitCode::kNothingSelected);
}

TEST_F(MutantPlanTest, UncoveredAreMustRulesThatCanBeSeenAndNoKilledMutantBreaks) {
  MutantResult killed;
  killed.rule = "A-001";
  killed.state = MutantState::kKilled;
  MutantResult survived = killed;
  survived.rule = "A-002";
  survived.state = MutantState::kSurvived;
  const auto ids = [this](const std::vector<MutantResult>& mutants) {
    std::vector<std::string> result;
    for (const UncoveredRule& one : uncovered_rules(suite_, mutants)) result.push_back(one.id);
    return result;
  };
  EXPECT_THAT(ids({killed, survived}), ElementsAre("A-002"));
  EXPECT_THAT(ids({}), ElementsAre("A-001", "A-002"));
  survived.state = MutantState::kKilled;
  EXPECT_THAT(ids({killed, survived}), IsEmpty());
}

}  // namespace
}  // namespace sandproof::conformance
