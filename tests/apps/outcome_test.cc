// SPDX-License-Identifier: Apache-2.0
// Every outcome of a case and every exit code, from outside: the program over flavors that are
// broken on purpose, one per outcome.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

nlohmann::json json_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

struct OutcomeRow {
  const char* outcome;
  const char* flavor;
  const char* test_case;
  int code;
  /// In what a person reads.
  const char* says;
};

void PrintTo(const OutcomeRow& row, std::ostream* out) { *out << row.outcome; }

constexpr const char* kCreate = "CreateGivesAnOpenSession";

/// `not_run` needs a run that ends early, and has a test of its own below.
const OutcomeRow kOutcomes[] = {
    {"passed", "passed", kCreate, 0, "passed: conformant as declared."},
    {"failed", "failed", kCreate, 1, "Which is: \"wrong\\n\""},
    {"error", "error", kCreate, 1, "the table of sessions is broken"},
    {"timeout", "timeout", kCreate, 1, "on timeout: hung: "},
    {"crashed", "crashed", kCreate, 1, "signaled(6)"},
    {"unsupported", "unsupported", "ClaimedAttachIsNotRefused", 0, "it forgets its sessions"},
    {"not_observable", "passed", "KillReachesTheWholeTree", 0, "nobody looks into the backend"},
    {"expected_failure", "expected-failure", kCreate, 0, "https://example.com/17"},
    {"unexpected_pass", "unexpected-pass", kCreate, 1, "Take the deviation out."},
};

class EveryOutcome : public ::testing::TestWithParam<OutcomeRow> {};

TEST_P(EveryOutcome, IsSeenFromOutside) {
  const OutcomeRow& row = GetParam();
  const TemporaryDirectory directory;
  const auto report = directory.path() / "out.json";
  const BinaryResult result =
      run_broken_flavors({"run", "--flavor", row.flavor, "--case", row.test_case, "--time-scale",
                          "0.2", "--report", "json:" + report.string()});
  EXPECT_EQ(result.code, row.code) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr(row.says));
  const nlohmann::json json = json_file(report);
  EXPECT_EQ(json["exit_code"], row.code);
  EXPECT_EQ(json["flavors"][0]["cases"][0]["outcome"], row.outcome);
}

INSTANTIATE_TEST_SUITE_P(Outcome, EveryOutcome, ::testing::ValuesIn(kOutcomes),
                         [](const auto& row) { return std::string(row.param.outcome); });

TEST(Outcome, TheLineForADebuggerCrashesInItsOwnProcess) {
  const BinaryResult result = run_broken_flavors({"run", "--flavor", "crashed", "--case", kCreate});
  constexpr std::string_view kDebugger = "gdb --args ";
  const std::size_t at = result.out.find(kDebugger);
  ASSERT_NE(at, std::string::npos) << result.out;
  const std::size_t begin = at + kDebugger.size();
  const std::string line = result.out.substr(begin, result.out.find('\n', begin) - begin);
  const std::filesystem::path folder = std::filesystem::path(BROKEN_FLAVORS_BIN).parent_path();
  const TemporaryDirectory scratch;
  const BinaryResult alone = run_shell("ulimit -c 0; export TMPDIR='" + scratch.path().string() +
                                       "' PATH='" + folder.string() + "':$PATH; exec " + line);
  EXPECT_EQ(alone.code, 128 + SIGABRT) << alone.out << alone.err;
}

TEST(Outcome, WhatARunDoesNotReachIsNotRun) {
  const TemporaryDirectory directory;
  const auto report = directory.path() / "out.json";
  const BinaryResult result =
      run_broken_flavors({"run", "--flavor", "error", "--rule", "SESSION-00[12]", "-j1",
                          "--fail-fast", "--report", "json:" + report.string()});
  // What was found is known.
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("error: not conformant: 1 MUST rule does not hold"),
                                HasSubstr("--fail-fast:"), HasSubstr("not run: ")));
  const nlohmann::json flavor = json_file(report)["flavors"][0];
  EXPECT_EQ(flavor["case_counts"]["error"], 1);
  EXPECT_GT(flavor["case_counts"]["not_run"], 0);
  for (const nlohmann::json& row : flavor["cases"]) {
    if (row["outcome"] != "not_run") continue;
    EXPECT_THAT(row["reason"].get<std::string>(), StartsWith("--fail-fast: "));
  }
  const BinaryResult verified = run_broken_flavors({"verify", report.string()});
  EXPECT_EQ(verified.code, 0) << verified.out;
}

struct ExitRow {
  const char* name;
  std::vector<std::string> arguments;
  int code;
};

void PrintTo(const ExitRow& row, std::ostream* out) { *out << row.name; }

/// 0, 1 and 6 stand above; here are the runs that do not come to a report.
const ExitRow kExits[] = {
    {"usage", {"run", "--flavor", "pased"}, 2},
    {"configuration", {"run", "--flavor", "passed", "--set", "nonsense=1"}, 2},
    {"environment", {"run", "--flavor", "does-not-start"}, 3},
    {"no_sessions", {"run", "--flavor", "no-sessions", "--case", kCreate}, 3},
    {"nothing_selected", {"run", "--flavor", "passed", "--case", "Zzz*"}, 4},
    {"runner", {"run", "--flavor", "passed", "--case", kCreate, "--report", "json:/dev/full"}, 5},
};

class EveryExit : public ::testing::TestWithParam<ExitRow> {};

TEST_P(EveryExit, IsOneSentence) {
  const BinaryResult result = run_broken_flavors(GetParam().arguments);
  EXPECT_EQ(result.code, GetParam().code) << result.out;
  EXPECT_THAT(result.err, StartsWith("sandproof: "));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

INSTANTIATE_TEST_SUITE_P(Exit, EveryExit, ::testing::ValuesIn(kExits),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Exit, AFlavorWithoutSessionsIsNamedWithItsReasonBeforeAnythingIsWritten) {
  const TemporaryDirectory directory;
  const auto report = directory.path() / "out.json";
  const BinaryResult result =
      run_broken_flavors({"run", "--flavor", "no-sessions", "--report", "json:" + report.string()});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, AllOf(HasSubstr("the flavor `no-sessions` cannot start: "),
                                HasSubstr("the backend is down: connection refused"),
                                HasSubstr("doctor --flavor no-sessions`")));
  EXPECT_EQ(directory.entries(), 0U);
}

TEST(Exit, ACreateThatFailsNowAndThenIsTheFlavorsFault) {
  const BinaryResult result = run_broken_flavors(
      {"run", "--flavor", "now-and-then", "--case", kCreate, "--time-scale", "0.2"});
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("connection refused"));
}

TEST(Exit, EveryCodeAndEveryOutcomeStandsInATable) {
  std::set<int> codes = {6};
  std::set<std::string> outcomes = {"not_run"};
  for (const OutcomeRow& row : kOutcomes) {
    codes.insert(row.code);
    outcomes.insert(row.outcome);
  }
  for (const ExitRow& row : kExits) codes.insert(row.code);
  EXPECT_EQ(codes, (std::set<int>{0, 1, 2, 3, 4, 5, 6}));
  // As the report counts them.
  const TemporaryDirectory directory;
  const auto report = directory.path() / "out.json";
  run_broken_flavors(
      {"run", "--flavor", "passed", "--case", kCreate, "--report", "json:" + report.string()});
  std::set<std::string> known;
  const nlohmann::json json = json_file(report);
  for (const auto& count : json["flavors"][0]["case_counts"].items()) known.insert(count.key());
  EXPECT_EQ(outcomes, known);
}

}  // namespace
}  // namespace sandproof::apps
