// SPDX-License-Identifier: Apache-2.0
// `sandproof mutants` that ends early says of no mutant what it does not know.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Mutants, OneThatEndsEarlyBlamesNoMutant) {
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "mutants.json").string();
  // A case at once: the first round alone takes longer than the budget, and not every one of these
  // is killed by the first case of its rule.
  const BinaryResult result = run_binary(
      {"mutants", "--rule", "KILL-*", "-j1", "--budget", "1", "--report", "json:" + file});
  EXPECT_EQ(result.code, 6) << result.out << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr(" not run in "), HasSubstr("; ended early: the")));
  std::ifstream stream(file);
  const nlohmann::json report = nlohmann::json::parse(stream);
  EXPECT_EQ(report["exit_code"], 6);
  EXPECT_EQ(report["interrupted"], "the budget of 1 s is spent");
  std::map<std::string, int> states;
  for (const nlohmann::json& mutant : report["mutants"]) ++states[mutant["state"]];
  EXPECT_GT(states["not_run"], 0);
  EXPECT_EQ(states["not_run"] + states["killed"], static_cast<int>(report["mutants"].size()))
      << report["counts"].dump();
  EXPECT_EQ(report["counts"]["not_run"], states["not_run"]);
}

}  // namespace
}  // namespace sandproof::apps
