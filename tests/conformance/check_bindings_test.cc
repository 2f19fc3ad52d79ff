// SPDX-License-Identifier: Apache-2.0
// A binding that does not say all that it has to say is refused in one sentence that names it and
// what to write; the smallest one that does is accepted.
#include "conformance/program/check_bindings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "conformance/program/program_error.h"

namespace sandproof::conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class NoProbe : public Probe {
 public:
  std::vector<ProcessEntry> processes(const std::string&) override { return {}; }
  std::vector<std::string> census(const std::string&) override { return {}; }
  std::vector<std::string> identity_command() override { return {}; }
  std::string harness_identity() override { return {}; }
};

/// A row and the reasons: the least that there can be.
Binding smallest() {
  Binding binding;
  binding.flavor.name = "demo";
  binding.flavor.make_hooks = [](const ComponentContext&) -> std::unique_ptr<SandboxHooks> {
    return nullptr;
  };
  binding.unclaimed = unclaimed_because(binding.flavor, "not written yet");
  return binding;
}

/// "" for bindings that are right.
std::string refusal_of(std::vector<Binding> bindings) {
  try {
    check_bindings(whole_suite(std::move(bindings)));
    return {};
  } catch (const ProgramError& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    return error.what();
  }
}

std::string refusal_with(const std::function<void(Binding&)>& change) {
  Binding binding = smallest();
  change(binding);
  return refusal_of({binding});
}

TEST(CheckBindings, TheSmallestOneIsEnough) { EXPECT_EQ(refusal_of({smallest()}), ""); }

TEST(CheckBindings, EveryCapabilityIsClaimedOrHasItsReason) {
  for (const Capability capability : all_capabilities()) {
    EXPECT_THAT(
        refusal_with([&](Binding& binding) { binding.unclaimed.erase(capability); }),
        AllOf(HasSubstr("`demo`"), HasSubstr("`" + std::string(to_string(capability)) + "`"),
              HasSubstr("binding.unclaimed[Capability::k")));
    EXPECT_NE(refusal_with([&](Binding& binding) { binding.unclaimed[capability] = ""; }), "");
  }
  EXPECT_THAT(refusal_with([](Binding& b) { b.unclaimed.erase(Capability::kCrossProcess); }),
              HasSubstr("Capability::kCrossProcess]"));
  EXPECT_THAT(refusal_with([](Binding& b) { b.flavor.capabilities = {Capability::kAttach}; }),
              AllOf(HasSubstr("`attach`"), HasSubstr("take one of the two out")));
}

TEST(CheckBindings, NamesAndFactoriesAreThere) {
  EXPECT_THAT(refusal_with([](Binding& b) { b.flavor.name = ""; }), HasSubstr("Flavor::name"));
  for (const char* name : {"Demo", "1st", "a b", "a.b", "a+b", "a/b", "\xc3\xa4"}) {
    EXPECT_THAT(refusal_with([name](Binding& b) { b.flavor.name = name; }),
                HasSubstr("lower-case letter"));
  }
  EXPECT_THAT(refusal_with([](Binding& b) { b.flavor.name = std::string(41, 'a'); }),
              HasSubstr("at most 40"));
  EXPECT_EQ(refusal_with([](Binding& b) { b.flavor.name = "my-flavor_2"; }), "");
  EXPECT_THAT(refusal_with([](Binding& b) { b.flavor.make_hooks = nullptr; }),
              HasSubstr("Flavor::make_hooks"));
  EXPECT_THAT(refusal_of({smallest(), smallest()}), HasSubstr("two bindings"));
  EXPECT_THAT(refusal_of({}), HasSubstr("no binding"));
}

TEST(CheckBindings, WhatIsProvidedCanBeShown) {
  for (const Need need :
       {Need::kProcessTable, Need::kLeakCensus, Need::kIdentity, Need::kNoIsolation}) {
    EXPECT_THAT(refusal_with([need](Binding& b) { b.provides = {need}; }),
                AllOf(HasSubstr(std::string(to_string(need))), HasSubstr("Binding::make_probe")));
  }
  for (const Need need : {Need::kFailingStart, Need::kStoppableEnvironment}) {
    EXPECT_THAT(refusal_with([need](Binding& b) { b.provides = {need}; }),
                HasSubstr("Binding::make_faults"));
  }
  const auto probed = [](Binding& b) {
    b.provides = {Need::kProcessTable};
    b.make_probe = [](const Settings&) { return std::make_unique<NoProbe>(); };
  };
  EXPECT_EQ(refusal_with(probed), "");
  EXPECT_THAT(refusal_with([&](Binding& b) {
                probed(b);
                b.not_provided[Need::kProcessTable] = "there is none";
              }),
              HasSubstr("take one of the two out"));
}

TEST(CheckBindings, DeviationsNameARuleAndAReason) {
  const auto with = [](std::vector<Deviation> deviations) {
    return refusal_with([&](Binding& b) { b.deviations = deviations; });
  };
  EXPECT_EQ(with({{"KILL-002", "known", ""}}), "");
  EXPECT_THAT(with({{"KILL-099", "known", ""}}),
              AllOf(HasSubstr("`KILL-099`"), HasSubstr("`KILL-009`")));
  EXPECT_THAT(with({{"KILL-002", "", ""}}), HasSubstr("Deviation::reason"));
  EXPECT_THAT(with({{"KILL-002", "a", ""}, {"KILL-002", "b", ""}}), HasSubstr("twice"));
}

TEST(CheckBindings, RefusalsAreOneSentence) {
  EXPECT_THAT(refusal_with([](Binding& b) { b.unclaimed.clear(); }),
              Not(testing::ContainsRegex("\n|\\. [A-Z]")));
}

}  // namespace
}  // namespace sandproof::conformance
