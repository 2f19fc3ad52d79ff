// SPDX-License-Identifier: Apache-2.0
// `sandproof run`, `replay`, `list` and `mutants` through the real program: exit codes, reports,
// and what a person reads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Json = nlohmann::json;

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string first_case_of(const std::string& rule) {
  const Json list = Json::parse(run_binary({"list", "cases", "--json"}).out);
  for (const Json& row : list["cases"]) {
    if (row["rules"][0] == rule && row["with"].empty() && row["needs"].empty()) return row["case"];
  }
  return {};
}

/// What a program that takes its time says meanwhile.
std::string without_progress(const std::string& text) {
  static const std::regex kProgress(R"([0-9]+ of [0-9]+ cases, [0-9]+ s\n)");
  return std::regex_replace(text, kProgress, "");
}

TEST(Run, APartThatHoldsIsZero) {
  const TemporaryDirectory directory;
  const auto report = directory.path() / "out.json";
  const BinaryResult result = run_binary(
      {"run", "--flavor", "local", "--rule", "KILL-00[12]", "--report", "json:" + report.string()});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(without_progress(result.err), IsEmpty());
  EXPECT_THAT(result.out, AllOf(HasSubstr("local: conformant as declared."),
                                HasSubstr("a part of the suite"), Not(HasSubstr("\x1b"))));
  const Json json = Json::parse(content(report));
  EXPECT_EQ(json["verdict"], "conformant");
  std::set<std::string> ids;
  for (const Json& rule : json["flavors"][0]["rules"]) ids.insert(rule["id"].get<std::string>());
  EXPECT_EQ(ids.size(), json["rules"].size());
  EXPECT_EQ(directory.entries(), 1U);
}

TEST(Run, AFlavorThatFailsIsOneAndSaysHowToReplay) {
  const BinaryResult result = run_binary(
      {"run", "--flavor", "local", "--rule", "KILL-002", "--seed", "17", "--set", kNoPrograms});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("KILL-002"), HasSubstr("PATH /nonexistent"),
                    HasSubstr("sandproof replay --flavor local --case "),
                    HasSubstr("--seed 17 --set 'environment={\"PATH\":\"/nonexistent\"}'"),
                    HasSubstr("local: not conformant: ")));
}

TEST(Run, AMachineThatIsNotReadyIsThreeBeforeAnythingIsWritten) {
  const TemporaryDirectory directory;
  const std::string log = (directory.path() / "run.log").string();
  const BinaryResult result =
      run_shell("ulimit -n 20; exec sandproof run --flavor local --event-log " + log);
  EXPECT_EQ(result.code, 3) << result.out;
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("the flavor `local` cannot start: "), HasSubstr("descriptors"),
                    HasSubstr("only 20"), HasSubstr("`sandproof doctor --flavor local`")));
  EXPECT_EQ(directory.entries(), 0U);
}

TEST(Run, ASoftLimitOfDescriptorsIsNoHindrance) {
  const BinaryResult result =
      run_shell("ulimit -S -n 20; exec sandproof run --flavor local --rule KILL-001");
  EXPECT_EQ(result.code, 0) << result.err;
}

TEST(Run, AFlavorWithoutAnEnvironmentIsThree) {
  const BinaryResult result = run_binary(
      {"run", "--flavor", "local", "--rule", "KILL-001", "--set", "base_dir=/nonexistent/base"});
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, AllOf(HasSubstr("the flavor `local` cannot start: no session"),
                                HasSubstr("/nonexistent/base"),
                                HasSubstr("`sandproof doctor --flavor local`")));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST(Run, WhatIsToldMeanwhileIsNotAmongTheReport) {
  const BinaryResult result =
      run_binary({"run", "--flavor", "local", "--rule", "KILL-002", "--set", kNoPrograms});
  const std::string told = first_case_of("KILL-002") + " on local error after ";
  EXPECT_THAT(result.err, HasSubstr("KILL-002 " + told));
  EXPECT_THAT(result.out, Not(HasSubstr(told)));
}

TEST(Run, AnInterruptedOneIsSixAndSaysSo) {
  const TemporaryDirectory directory;
  const auto log = directory.path() / "run.log";
  const auto report = directory.path() / "out.json";
  RunningBinary binary({"run", "--flavor", "local", "-j1", "--event-log", log.string(), "--report",
                        "json:" + report.string()});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (content(log).find("case_finished") == std::string::npos) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::yield();
  }
  binary.signal(SIGINT);
  const BinaryResult result = binary.finish();
  EXPECT_EQ(result.code, 6) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("local: incomplete: "));
  EXPECT_EQ(Json::parse(content(report))["verdict"], "incomplete");
}

TEST(Run, NothingThatCanBeSeenHereIsStillAnAnswer) {
  const BinaryResult result = run_binary({"run", "--flavor", "local", "--rule", "ATTACH-001"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("not claimed (`attach`"));
}

TEST(Run, RulesWithoutACaseAreToldFromRulesThatThereAreNot) {
  const BinaryResult unseen = run_binary({"run", "--flavor", "local", "--rule", "FAULT-*"});
  EXPECT_EQ(unseen.code, 4);
  EXPECT_THAT(
      unseen.err,
      AllOf(HasSubstr("--rule `FAULT-*`: FAULT-001 to "), HasSubstr("cannot be observed here"),
            HasSubstr("needed: faults, which no "), HasSubstr("explain FAULT-001`")));
  EXPECT_EQ(std::count(unseen.err.begin(), unseen.err.end(), '\n'), 1) << unseen.err;
  const BinaryResult nothing =
      run_binary({"run", "--flavor", "local", "--rule", "KILL-001", "--area", "WAIT"});
  EXPECT_EQ(nothing.code, 4);
  EXPECT_THAT(nothing.err, Not(HasSubstr("observed")));
}

TEST(Run, DirectoriesOfOthersAreNoLeftovers) {
  const TemporaryDirectory directory;
  const auto foreign = directory.path() / "sandproof-local-of-somebody";
  std::filesystem::create_directory(foreign);
  const BinaryResult result =
      run_binary({"run", "--flavor", "local", "--rule", "DESTROY-001", "--rule", "LEAK-001", "-j4",
                  "--set", "base_dir=" + directory.path().string()});
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_TRUE(std::filesystem::is_directory(foreign));
  EXPECT_EQ(directory.entries(), 1U);
}

TEST(Run, WhileItRunsItsReportSaysIncomplete) {
  const TemporaryDirectory directory;
  const auto log = directory.path() / "run.log";
  const std::string report = directory.file("out.json", "an older one");
  RunningBinary binary({"run", "--flavor", "local", "--case", "KillIsIdempotent", "-j1",
                        "--event-log", log.string(), "--report", "json:" + report});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (content(log).find("worker_started") == std::string::npos) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::yield();
  }
  // Whoever is killed now: nobody takes the older one for this one.
  EXPECT_THAT(content(report), Not(HasSubstr("older")));
  EXPECT_EQ(binary.finish().code, 0);
  EXPECT_EQ(Json::parse(content(report))["verdict"], "conformant");
}

TEST(Run, AStackConfiguresTheFlavor) {
  const TemporaryDirectory directory;
  const std::string stack =
      directory.file("stack.json", R"({"sandboxes": [{"name": "good", "flavor": "local"},
                       {"name": "bad", "flavor": "local",
                        "config": {"environment": {"PATH": "/nonexistent"}}}]})");
  EXPECT_EQ(run_binary({"run", "--stack", stack, "--rule", "KILL-001"}).code, 0);
  const BinaryResult bad =
      run_binary({"run", "--stack", stack, "--sandbox", "bad", "--rule", "KILL-001"});
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.out, HasSubstr("--sandbox bad"));
}

TEST(Run, ColoursCanBeForcedAndForbidden) {
  const std::vector<std::string> line = {"run", "--flavor", "local", "--rule", "KILL-001"};
  std::vector<std::string> always = line;
  always.insert(always.end(), {"--color", "always"});
  EXPECT_THAT(run_binary(always).out, HasSubstr("\x1b[32m"));
  EXPECT_THAT(run_binary(line).out, Not(HasSubstr("\x1b")));
}

TEST(Replay, RunsOneCaseAndTellsWhatItDid) {
  const std::string name = first_case_of("KILL-001");
  const BinaryResult result =
      run_binary({"replay", "--flavor", "local", "--case", name, "--seed", "5"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr(name + " on local: passed"), HasSubstr("seed 5")));
}

TEST(Replay, InThisProcessForADebugger) {
  const std::string name = first_case_of("KILL-001");
  const BinaryResult good =
      run_binary({"replay", "--flavor", "local", "--case", name, "--in-process"});
  EXPECT_EQ(good.code, 0);
  EXPECT_THAT(good.out, HasSubstr(name + ": passed, "));
  const BinaryResult bad = run_binary({"replay", "--flavor", "local", "--case", name,
                                       "--in-process", "--set", "base_dir=/nonexistent/base"});
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.out, HasSubstr("/nonexistent/base"));
}

TEST(List, ShowsEveryTableToPeopleAndPrograms) {
  for (const char* table : {"rules", "cases", "bindings", "mutants"}) {
    const BinaryResult text = run_binary({"list", table});
    EXPECT_EQ(text.code, 0);
    EXPECT_THAT(text.out, Not(IsEmpty()));
    const Json json = Json::parse(run_binary({"list", table, "--json"}).out);
    EXPECT_FALSE(json.at(table).empty());
  }
  EXPECT_EQ(run_binary({"list"}).out, run_binary({"list", "rules"}).out);
}

TEST(Mutants, OneThatIsKilledIsZero) {
  const TemporaryDirectory directory;
  const auto report = directory.path() / "mutants.json";
  const BinaryResult result =
      run_binary({"mutants", "--rule", "KILL-001", "--report", "json:" + report.string()});
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("killed in "));
  const Json json = Json::parse(content(report));
  for (const Json& mutant : json["mutants"]) {
    EXPECT_EQ(mutant["state"], "killed") << mutant["mutant"];
    EXPECT_EQ(mutant["rule"], "KILL-001");
    EXPECT_GT(mutant["fired"], 0);
  }
}

TEST(Mutants, APlaceWithoutAnAssertionIsRefused) {
  const BinaryResult elsewhere =
      run_binary({"mutants", "--mutant", "SessionHasNoId", "--leave-out", "cases/session.cc:1"});
  EXPECT_EQ(elsewhere.code, 2);
  EXPECT_THAT(elsewhere.err, HasSubstr("no case evaluated an assertion at cases/session.cc:1;"));
  const BinaryResult no_place =
      run_binary({"mutants", "--mutant", "SessionHasNoId", "--leave-out", "session"});
  EXPECT_EQ(no_place.code, 2);
  EXPECT_THAT(no_place.err, HasSubstr("not `session`"));
}

}  // namespace
}  // namespace sandproof::apps
