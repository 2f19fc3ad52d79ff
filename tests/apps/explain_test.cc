// SPDX-License-Identifier: Apache-2.0
// `sandproof explain` as a person meets it: which rules a word stands for, and where states come
// from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Explain, ARuleHasItsReasonItsCasesAndItsMutants) {
  const BinaryResult result = run_binary({"explain", "kill-002"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_THAT(result.out,
              AllOf(StartsWith("KILL-002  MUST\n"), HasSubstr("Why it matters"),
                    HasSubstr("KillIsIdempotent "), HasSubstr("cases/kill.cc"),
                    HasSubstr("sandproof mutants --rule KILL-002"), Not(HasSubstr("\x1b"))));
}

TEST(Explain, ACaseAndAMutantStandForTheirRule) {
  const std::string rule = run_binary({"explain", "KILL-002"}).out;
  EXPECT_EQ(run_binary({"explain", "KillIsIdempotent"}).out, rule);
  const auto json =
      nlohmann::json::parse(run_binary({"explain", "KILL-002", "--format", "json"}).out);
  const std::string mutant = json["rules"][0]["mutants"][0]["mutant"];
  EXPECT_EQ(run_binary({"explain", mutant}).out, rule);
}

TEST(Explain, AnAreaAndAPatternAreLists) {
  const std::string area = run_binary({"explain", "wait"}).out;
  EXPECT_THAT(area, AllOf(StartsWith("WAIT-001  M "), HasSubstr("\nWAIT-006  M "),
                          Not(HasSubstr("Why it matters"))));
  EXPECT_EQ(run_binary({"explain", "WAIT-*"}).out, area);
  EXPECT_EQ(run_binary({"explain", "WAI?"}).out, area);
  EXPECT_THAT(run_binary({"explain", "CAP-004", "WAIT"}).out, StartsWith("CAP-004   S "));
}

TEST(Explain, SeveralIdsAreExplainedInFull) {
  const BinaryResult result = run_binary({"explain", "KILL-002", "KILL-001"});
  EXPECT_THAT(result.out, AllOf(StartsWith("KILL-001  MUST"), HasSubstr("\nKILL-002  MUST")));
}

TEST(Explain, AllAsJsonHasEveryRuleWithItsFlavors) {
  const BinaryResult result = run_binary({"explain", "--all", "--format", "json"});
  const auto json = nlohmann::json::parse(result.out);
  const auto rules = nlohmann::json::parse(run_binary({"list", "rules", "--json"}).out)["rules"];
  ASSERT_EQ(json["rules"].size(), rules.size());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    EXPECT_EQ(json["rules"][i]["id"], rules[i]["id"]);
    EXPECT_FALSE(json["rules"][i]["flavors"].empty());
  }
}

TEST(Explain, StatesComeFromTheReportAndFromTheLog) {
  const TemporaryDirectory directory;
  const std::string report = (directory.path() / "out.json").string();
  const std::string log = (directory.path() / "run.log").string();
  EXPECT_EQ(run_binary({"run", "--flavor", "local", "--area", "META", "--report", "json:" + report,
                        "--event-log", log})
                .code,
            0);
  for (const std::string& file : {report, log}) {
    const BinaryResult result = run_binary({"explain", "META-002", "--report", file});
    EXPECT_THAT(result.out, AllOf(HasSubstr("In " + file), HasSubstr(" local  passed, "),
                                  Not(HasSubstr("detached"))));
    // A rule that the run left out has no state.
    EXPECT_THAT(run_binary({"explain", "KILL-001", "--report", file}).out,
                HasSubstr("the run left it out"));
  }
}

TEST(Explain, WhatLiesInTheDirectoryIsTheDefault) {
  const TemporaryDirectory directory;
  const std::string there = "cd '" + directory.path().string() + "' && ";
  EXPECT_THAT(run_shell(there + "sandproof explain META-002").out,
              HasSubstr("On each flavor, by what it declares"));
  const BinaryResult with = run_shell(
      there +
      "sandproof run --flavor local --area META --report json:conformance.json >/dev/null "
      "&& sandproof explain META-002");
  EXPECT_THAT(with.out, HasSubstr("In conformance.json, of 20"));
  // What is none is left aside with a word: nobody asked for it.
  const BinaryResult broken =
      run_shell(there + "echo '{' >conformance.json; sandproof explain META-002");
  EXPECT_EQ(broken.code, 0);
  EXPECT_THAT(broken.err, AllOf(HasSubstr("conformance.json"), HasSubstr("left aside")));
  EXPECT_THAT(broken.out, HasSubstr("On each flavor, by what it declares"));
  const BinaryResult named =
      run_shell(there + "sandproof explain META-002 --report conformance.json");
  EXPECT_EQ(named.code, 2);
}

TEST(Explain, AllAsMarkdownIsTheContract) {
  const BinaryResult result = run_binary({"explain", "--all", "--format", "markdown"});
  EXPECT_EQ(result.out, run_shell("cat '" SANDPROOF_ROOT "/docs/contract.md'").out)
      << "`scripts/contract` writes the page";
}

}  // namespace
}  // namespace sandproof::apps
