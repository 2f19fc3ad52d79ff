// SPDX-License-Identifier: Apache-2.0
// `sandproof run --known-failures` through the program, over flavors that are broken on purpose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kCreatingCase = "CreateGivesAnOpenSession";

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What a person reads, whatever the width.
std::string flat(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto both = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), both), text.end());
  return text;
}

std::string listed(const std::string& fields, const std::string& expires = "2999-12-31") {
  return "- " + fields + "\n  reason: it is broken\n  expires: " + expires + "\n";
}

struct ListRow {
  const char* name;
  const char* flavor;
  std::string list;
  int code;
  const char* says;
};

void PrintTo(const ListRow& row, std::ostream* out) { *out << row.name; }

class EveryList : public ::testing::TestWithParam<ListRow> {};

TEST_P(EveryList, DecidesTheRun) {
  const ListRow& row = GetParam();
  const TemporaryDirectory directory;
  const std::string list = directory.file("known.yaml", row.list);
  const auto report = directory.path() / "out.json";
  const BinaryResult result =
      run_broken_flavors({"run", "--flavor", row.flavor, "--case", kCreatingCase,
                          "--known-failures", list, "--report", "json:" + report.string()});
  EXPECT_EQ(result.code, row.code) << result.out << result.err;
  EXPECT_THAT(flat(result.out), AllOf(HasSubstr(list), HasSubstr(row.says)));
  const nlohmann::json json = nlohmann::json::parse(file_text(report));
  EXPECT_EQ(json["known_failures"]["hold"], row.code == 0);
  EXPECT_EQ(json["exit_code"], row.code);
  EXPECT_EQ(file_text(list), row.list);
}

const ListRow kLists[] = {
    {"as_listed", "error", listed("case: Create*\n  message: the table of sessions is broken"), 0,
     "conformant as declared, with 1 known failure"},
    {"not_listed", "error", "# nothing\n", 1, "not listed: CreateGivesAnOpenSession on error"},
    {"a_pass", "passed", listed("case: Create*\n  message: the table of sessions is broken"), 1,
     "passed, although it is a known failure"},
    {"another_message", "error", listed("case: Create*\n  message: no such image"), 1,
     "lists another failure: failed with `no such image`"},
    {"another_outcome", "crashed",
     listed("case: Create*\n  message: the table of sessions is broken"), 1,
     "failed otherwise: CreateGivesAnOpenSession on crashed"},
    {"a_crash_as_listed", "crashed", listed("case: Create*\n  outcome: crashed"), 0,
     "with 1 known failure"},
    {"stale", "passed", listed("case: CreateGivesAnOpenSesion\n  message: x"), 1,
     "did you mean `CreateGivesAnOpenSession`?"},
    {"expired", "error",
     listed("case: Create*\n  message: the table of sessions is broken", "2020-01-31"), 1,
     "it expired on 2020-01-31"},
    {"declared_too", "expected-failure",
     listed("case: Create*\n  message: the table of sessions is broken\n  "
            "flavor: expected-failure"),
     1, "declares the deviation already"},
    {"not_selected", "passed", listed("rule: KILL-001\n  message: x"), 0, "1 not judged here"},
    {"of_another_flavor", "passed", listed("case: Create*\n  flavor: error\n  message: x"), 0,
     "1 not judged here"},
};

INSTANTIATE_TEST_SUITE_P(KnownFailures, EveryList, ::testing::ValuesIn(kLists),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(KnownFailures, FailFastGoesOnAfterWhatIsListed) {
  const TemporaryDirectory directory;
  const std::string list = directory.file(
      "known.yaml", listed("rule: SESSION-00*\n  message: the table of sessions is broken"));
  const BinaryResult result =
      run_broken_flavors({"run", "--flavor", "error", "--rule", "SESSION-00[12]", "--fail-fast",
                          "--known-failures", list});
  EXPECT_EQ(result.code, 0) << result.out;
}

TEST(KnownFailures, AreRefusedByNameBeforeAnythingRuns) {
  const TemporaryDirectory directory;
  const std::string bad = directory.file("bad.yaml", "- case: A\n  mesage: x\n");
  const std::string good = directory.file("good.yaml", listed("case: Create*\n  message: x"));
  const std::string flow =
      directory.file("flow.yaml", "[{case: A, message: m, reason: r, expires: 2999-12-31}]\n");
  struct Refused {
    std::vector<std::string> arguments;
    std::string says;
  };
  const Refused rows[] = {
      {{"--known-failures", bad}, bad + ":2: there is no field `mesage`"},
      {{"--known-failures", "/nonexistent/k.yaml"}, "/nonexistent/k.yaml cannot be read"},
      {{"--update-known-failures"}, "--known-failures"},
      {{"--known-failures", good, "--update-known-failures", "--case", kCreatingCase},
       "the whole suite"},
      {{"--known-failures", good, "--update-known-failures", "--area", "KILL"}, "a filter"},
      {{"--known-failures", good, "--update-known-failures", "--shard", "1/2"}, "a shard"},
      {{"--known-failures", good, "--update-known-failures", "--fail-fast"}, "--fail-fast"},
      {{"--known-failures", flow, "--update-known-failures"}, "cannot be changed line by line"},
      {{"--known-failures", "/nonexistent/k.yaml", "--update-known-failures"}, "cannot be written"},
  };
  for (const Refused& row : rows) {
    std::vector<std::string> arguments = {"run", "--flavor", "passed"};
    arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
    const BinaryResult result = run_broken_flavors(arguments);
    EXPECT_EQ(result.code, 2) << result.out;
    EXPECT_THAT(result.err, HasSubstr(row.says));
    EXPECT_THAT(result.out, IsEmpty());
  }
  EXPECT_EQ(file_text(good), listed("case: Create*\n  message: x"));
}

TEST(KnownFailures, AnUpdateMakesTheNextRunHold) {
  const TemporaryDirectory directory;
  const std::string list = (directory.path() / "known.yaml").string();
  // Nothing of the suite gets as far as to take time.
  const std::vector<std::string> run = {"run", "--flavor",         "error", "--time-scale",
                                        "5",   "--known-failures", list};
  std::vector<std::string> update = run;
  update.emplace_back("--update-known-failures");
  const BinaryResult first = run_broken_flavors(update);
  EXPECT_EQ(first.code, 1) << "the verdict is on the file as it was";
  EXPECT_THAT(first.out, HasSubstr("entries added; say why instead of TODO"));
  const std::string written = file_text(list);
  EXPECT_THAT(written, HasSubstr("- case: CreateGivesAnOpenSession\n  flavor: error\n"));
  const BinaryResult second = run_broken_flavors(run);
  EXPECT_EQ(second.code, 0) << second.out;
  EXPECT_THAT(second.out, HasSubstr("no reason yet (TODO)"));
  EXPECT_EQ(file_text(list), written);
}

TEST(KnownFailures, AnInterruptedRunUpdatesNothing) {
  const TemporaryDirectory directory;
  const std::string text = listed("case: Create*\n  message: x");
  const std::string list = directory.file("known.yaml", text);
  const auto log = directory.path() / "run.log";
  RunningBinary binary({"run", "--flavor", "timeout", "--time-scale", "0.1", "--event-log",
                        log.string(), "--known-failures", list, "--update-known-failures"},
                       {}, BROKEN_FLAVORS_BIN);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (file_text(log).find("case_started") == std::string::npos) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::yield();
  }
  binary.signal(SIGINT);
  const BinaryResult result = binary.finish();
  EXPECT_EQ(result.code, 6);
  EXPECT_THAT(result.err, HasSubstr("is left as it is: the run is incomplete"));
  EXPECT_EQ(file_text(list), text);
}

TEST(KnownFailures, TheirPageShowsTheListOfItsRuns) {
  std::istringstream list(file_text(SANDPROOF_ROOT "/docs/known-failures.yaml"));
  std::string indented;
  for (std::string line; std::getline(list, line);) {
    indented += (line.empty() ? "" : "    ") + line + "\n";
  }
  EXPECT_THAT(file_text(SANDPROOF_ROOT "/docs/known-failures.md"), HasSubstr("\n\n" + indented));
}

TEST(KnownFailures, OfShardsAreThoseOfTheWholeRun) {
  const TemporaryDirectory directory;
  const auto path = [&directory](const std::string& name) {
    return (directory.path() / name).string();
  };
  // The rule has cases in both shards; the other entry is stale in the end.
  const std::string list = directory.file(
      "known.yaml", listed("rule: SESSION-00[1-3]\n  message: the table of sessions is broken") +
                        listed("case: SessionsCanBeCreatedFromManyThread*\n  message: x"));
  const std::vector<std::string> run = {"run",    "--flavor",         "error",
                                        "--rule", "SESSION-00[1-3]",  "--seed",
                                        "7",      "--known-failures", list};
  const auto with = [&run](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return run_broken_flavors(more);
  };
  const int whole = with({"--report", "json:" + path("whole.json")}).code;
  for (const std::string shard : {"1", "2"}) {
    with({"--shard", shard + "/2", "--event-log", path(shard + ".jsonl")});
  }
  const BinaryResult merged =
      run_broken_flavors({"report", "merge", path("1.jsonl"), path("2.jsonl"), "--report",
                          "json:" + path("merged.json"), "--event-log", path("merged.jsonl")});
  EXPECT_EQ(merged.code, whole) << merged.out << merged.err;
  const auto known = [](const std::string& file) {
    return nlohmann::json::parse(file_text(file))["known_failures"];
  };
  EXPECT_EQ(known(path("merged.json")), known(path("whole.json")));
  EXPECT_EQ(known(path("whole.json"))["entries"][0]["state"], "holds");
  for (const char* report : {"whole.json", "merged.json"}) {
    const BinaryResult verified = run_broken_flavors({"verify", path(report)});
    EXPECT_EQ(verified.code, 0) << verified.out;
  }
  EXPECT_EQ(
      run_broken_flavors({"verify", path("merged.json"), "--event-log", path("merged.jsonl")}).code,
      0);
  // By hand.
  std::string edited = file_text(path("whole.json"));
  const std::string state = "\"state\": \"holds\"";
  edited.replace(edited.find(state), state.size(), "\"state\": \"stale\"");
  const BinaryResult caught = run_broken_flavors({"verify", directory.file("edited.json", edited)});
  EXPECT_EQ(caught.code, 1);
  EXPECT_THAT(flat(caught.out), HasSubstr("is said to be stale, and by its cases it is holds"));
}

}  // namespace
}  // namespace sandproof::apps
