// SPDX-License-Identifier: Apache-2.0
// The life of results through the real program: run in shards, merged, converted, compared,
// verified.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "tests/apps/run_binary.h"
#include "tests/conformance/report_shards.h"

namespace sandproof::apps {
namespace {

using conformance::fabricated::ShardRun;
using conformance::fabricated::three_shards;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using ResultJson = nlohmann::json;
using Arguments = std::vector<std::string>;

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class Results : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }
  ResultJson json(const std::string& name) const {
    return ResultJson::parse(content_of(path(name)));
  }
  std::string write(const std::string& name, const std::string& text) const {
    return directory_.file(name, text);
  }

  TemporaryDirectory directory_;
};

/// What two runs of the same cases have in common.
ResultJson lasting(ResultJson report) {
  report.erase("checksum");
  for (const char* key :
       {"duration_ms", "started_at", "argv", "jobs", "shuffled", "parts", "event_log_checksum"}) {
    report["run"].erase(key);
  }
  for (ResultJson& flavor : report["flavors"]) {
    flavor.erase("seed");
    for (ResultJson& one : flavor["cases"]) {
      one.erase("duration_ms");
      // Times and pids are told there; how much is asserted may depend on them.
      one.erase("notes");
      one.erase("assertions");
    }
  }
  return report;
}

/// Areas with cases that pass, that are not claimed and that are not observable, and with refusals.
const Arguments kPart = {"--flavor", "local",  "--flavor", "detached", "--area", "CAP",    "--area",
                         "META",     "--area", "ATTACH",   "--area",   "SET",    "--seed", "17"};

Arguments joined(Arguments words, const Arguments& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(Results, ThreeShardsMergedAreOneRun) {
  const Arguments run = joined({"run"}, kPart);
  ASSERT_EQ(run_binary(joined(run, {"--report", "json:" + path("whole.json")})).code, 0);
  std::size_t cases = 0;
  for (const char* shard : {"1", "2", "3"}) {
    // Jobs and order are the machine's business.
    const Arguments more = {"--shard",     std::string(shard) + "/3",
                            "-j",          shard,
                            "--event-log", path(std::string(shard) + ".jsonl"),
                            "--report",    "json:" + path("shard.json")};
    const BinaryResult result = run_binary(joined(joined(run, {"--shuffle"}), more));
    EXPECT_EQ(result.code, 0) << result.out << result.err;
    EXPECT_THAT(result.out, AllOf(StartsWith("shard " + std::string(shard) + " of 3: "),
                                  HasSubstr(", shard " + std::string(shard) + " of 3.")));
    const ResultJson report = json("shard.json");
    for (const ResultJson& flavor : report["flavors"]) cases += flavor["cases"].size();
    EXPECT_EQ(run_binary({"verify", path("shard.json")}).code, 0);
  }
  const BinaryResult merged =
      run_binary({"report", "merge", path("1.jsonl"), path("2.jsonl"), path("3.jsonl"), "--report",
                  "json:" + path("merged.json"), "--event-log", path("merged.jsonl")});
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_THAT(merged.out, AllOf(HasSubstr("detached: conformant as declared."),
                                HasSubstr("seed 17, shuffled, a part of the suite, merged of 3")));
  const ResultJson whole = json("whole.json");
  EXPECT_EQ(cases, whole["flavors"][0]["cases"].size() + whole["flavors"][1]["cases"].size());
  EXPECT_EQ(lasting(json("merged.json")), lasting(whole));
  EXPECT_EQ(run_binary({"verify", path("merged.json"), "--event-log", path("merged.jsonl")}).code,
            0);
  const BinaryResult diff =
      run_binary({"diff", path("whole.json"), path("merged.jsonl"), "--slower-by", "3600000"});
  EXPECT_EQ(diff.code, 0);
  EXPECT_THAT(diff.out, HasSubstr("local: conformant both times: nothing changed."));
}

TEST_F(Results, AJobsIndexIsAnnouncedAndAnEmptyShardIsZero) {
  const Arguments run = {"run",      "--flavor",    "local",          "--rule",
                         "META-001", "--event-log", path("run.jsonl")};
  const BinaryResult result =
      run_binary_with({"JOB_COMPLETION_INDEX=39", "SANDPROOF_SHARDS=40"}, run);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(
      result.out,
      AllOf(StartsWith("shard 40 of 40 (JOB_COMPLETION_INDEX=39, SANDPROOF_SHARDS=40): 0 of"),
            HasSubstr("nothing to run"), HasSubstr("no case of it is in shard 40 of 40")));
  const ResultJson started = ResultJson::parse(
      content_of(path("run.jsonl")).substr(0, content_of(path("run.jsonl")).find('\n')));
  EXPECT_EQ(started["shard"]["index"], 40);
  EXPECT_EQ(started["shard"]["total"], 40);
  EXPECT_EQ(started["shard"]["from"], "JOB_COMPLETION_INDEX=39, SANDPROOF_SHARDS=40");
  const BinaryResult runner = run_binary_with(
      {"GTEST_SHARD_INDEX=0", "GTEST_TOTAL_SHARDS=1", "GTEST_SHARD_STATUS_FILE=" + path("status")},
      run);
  EXPECT_EQ(runner.code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("status")));
  EXPECT_THAT(runner.out, StartsWith("shard 1 of 1 (GTEST_SHARD_INDEX=0, GTEST_TOTAL_SHARDS=1)"));
  EXPECT_EQ(run_binary_with({"GTEST_SHARD_INDEX=1", "GTEST_TOTAL_SHARDS=1"}, run).code, 2);
  const BinaryResult half = run_binary_with({"SANDPROOF_SHARDS=3"}, run);
  EXPECT_EQ(half.code, 2);
  EXPECT_THAT(half.err, HasSubstr("JOB_COMPLETION_INDEX is not set"));
}

TEST_F(Results, AKilledRunIsIncompleteAndNamed) {
  const Arguments run = {"run", "--flavor", "local", "--area", "KILL", "--area", "WAIT"};
  const std::string log = path("2.jsonl");
  RunningBinary binary(joined(run, {"-j1", "--shard", "2/2", "--event-log", log}));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (content_of(log).find("case_finished") == std::string::npos) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::yield();
  }
  binary.signal(SIGKILL);
  // The supervisor lives on to tell; its end of the output closes last.
  binary.finish();
  ASSERT_THAT(content_of(log), Not(HasSubstr("run_finished")));

  const BinaryResult converted =
      run_binary({"report", "convert", log, "--report", "json:" + path("out.json")});
  EXPECT_EQ(converted.code, 6) << converted.err;
  EXPECT_THAT(converted.out, IsEmpty());
  EXPECT_EQ(json("out.json")["verdict"], "incomplete");
  const BinaryResult shown = run_binary({"report", "convert", log});
  EXPECT_EQ(shown.code, 6);
  EXPECT_THAT(shown.out, HasSubstr("local: incomplete: the run was killed before its end"));

  ASSERT_EQ(run_binary(joined(run, {"--shard", "1/2", "--event-log", path("1.jsonl")})).code, 0);
  const BinaryResult merged = run_binary({"report", "merge", path("1.jsonl"), log});
  EXPECT_EQ(merged.code, 6) << merged.err;
  EXPECT_THAT(merged.out, HasSubstr("shard 2 of 2 of local was killed before its end"));
  const BinaryResult none =
      run_binary({"report", "merge", path("1.jsonl"), write("none.jsonl", "")});
  EXPECT_EQ(none.code, 6) << none.err;
  EXPECT_THAT(none.out, HasSubstr("none.jsonl was killed before its"));
  const BinaryResult missing = run_binary({"report", "merge", path("1.jsonl")});
  EXPECT_EQ(missing.code, 6);
  EXPECT_THAT(missing.out, HasSubstr("shard 2 of 2 of local is missing"));
}

TEST_F(Results, EveryOutcomeIsConverted) {
  ShardRun run = three_shards();
  run.declared["deviations"] = {{{"rule", "A-001"}, {"reason", "known"}, {"link", ""}},
                                {{"rule", "A-002"}, {"reason", "gone"}, {"link", ""}}};
  run.cases = {{"Passes", "A-003"},
               {"Fails", "A-003", 1, "failed"},
               {"Errs", "A-003", 1, "error"},
               {"Hangs", "A-003", 1, "timeout"},
               {"Crashes", "A-003", 1, "crashed"},
               {"Breaks", "A-001", 1, "failed"},
               {"Holds", "A-002", 1, "passed"},
               {"Refuses", "CAP-002", 1, "unsupported"},
               {"Unseen", "CAP-002", 1, "not_observable"},
               {"Waits", "A-003", 1, "none"}};
  const std::string log = write("run.jsonl", run.log(0).text());
  const BinaryResult result =
      run_binary({"report", "convert", log, "--report", "json:" + path("out.json")});
  EXPECT_EQ(result.code, 6) << result.err;
  std::vector<std::string> outcomes;
  const ResultJson report = json("out.json");
  for (const ResultJson& one : report["flavors"][0]["cases"]) outcomes.push_back(one["outcome"]);
  EXPECT_THAT(outcomes, ::testing::ElementsAre("passed", "failed", "error", "timeout", "crashed",
                                               "expected_failure", "unexpected_pass", "unsupported",
                                               "not_observable", "not_run"));
  EXPECT_EQ(run_binary({"verify", path("out.json"), "--event-log", log}).code, 0);
  EXPECT_EQ(run_binary({"verify", path("out.json")}).code, 0);
}

TEST_F(Results, ConvertEndsAsTheRunDid) {
  ShardRun run = three_shards();
  EXPECT_EQ(run_binary({"report", "convert", write("0.jsonl", run.log(0).text())}).code, 0);
  run.cases[0].outcome = "failed";
  EXPECT_EQ(run_binary({"report", "convert", write("1.jsonl", run.log(0).text())}).code, 1);
  run.cases.clear();
  run.filtered = true;
  EXPECT_EQ(run_binary({"report", "convert", write("4.jsonl", run.log(0).text())}).code, 4);
  run.killed = true;
  EXPECT_EQ(run_binary({"report", "convert", write("6.jsonl", run.log(0).text())}).code, 6);
}

TEST_F(Results, AFailureOfAnotherFlavorsRunIsReplayedWithItsSeed) {
  ShardRun other = three_shards();
  other.flavor = "docker";
  other.started["seed"] = 99;
  other.cases[0].outcome = "failed";
  const BinaryResult result =
      run_binary({"report", "merge", write("a.jsonl", three_shards().log(0).text()),
                  write("b.jsonl", other.log(0).text())});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("replay --flavor docker --case One --seed 99"),
                                HasSubstr("several seeds")));
}

TEST_F(Results, DiffTellsWhatWasLost) {
  ShardRun run = three_shards();
  const std::string before = write("before.jsonl", run.log(0).text());
  run.cases[0].outcome = "failed";
  const std::string after = write("after.jsonl", run.log(0).text());
  run_binary({"report", "convert", after, "--report", "json:" + path("after.json")});
  for (const std::string& file : {after, path("after.json")}) {
    const BinaryResult lost = run_binary_with(
        {"LC_ALL=C.UTF-8"}, {"diff", before, file, "--report", "json:" + path("diff.json")});
    EXPECT_EQ(lost.code, 1) << lost.err;
    EXPECT_THAT(lost.out, AllOf(HasSubstr("local: conformant before, not conformant now: 2 lost."),
                                HasSubstr("A-001  One         passed → failed"),
                                HasSubstr("Something was lost.")));
    EXPECT_EQ(json("diff.json")["lost"], true);
  }
  EXPECT_EQ(run_binary({"diff", after, before}).code, 0);
  EXPECT_EQ(run_binary({"diff", after, "--flavors", "local,local"}).code, 0);
  const BinaryResult unknown = run_binary({"diff", after, "--flavors", "local,docker"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("`docker`"), HasSubstr("it has local")));
}

TEST_F(Results, AReportEditedByHandIsCaught) {
  ShardRun run = three_shards();
  run.cases[0].outcome = "failed";
  const std::string log = write("run.jsonl", run.log(0).text());
  run_binary({"report", "convert", log, "--report", "json:" + path("out.json")});
  EXPECT_EQ(run_binary({"verify", path("out.json"), "--event-log", log}).code, 0);
  std::string text = content_of(path("out.json"));
  const std::size_t at = text.find("\"outcome\": \"failed\"");
  ASSERT_NE(at, std::string::npos);
  write("out.json", text.replace(at, 19, "\"outcome\": \"passed\""));
  const BinaryResult alone = run_binary({"verify", path("out.json")});
  EXPECT_EQ(alone.code, 1);
  EXPECT_THAT(alone.out, AllOf(HasSubstr("does not hold"), HasSubstr("One is said to be passed"),
                               HasSubstr("its checksum is")));
  const BinaryResult against = run_binary({"verify", path("out.json"), "--event-log", log});
  EXPECT_EQ(against.code, 1);
  EXPECT_THAT(against.out,
              HasSubstr("does not hold: 1 finding\n  flavors[local].cases[One].outcome"));
}

/// Files that are no results, or the wrong ones.
TEST_F(Results, OtherFilesAreRefusedInOneSentence) {
  const std::string log = write("run.jsonl", three_shards().log(0).text());
  run_binary({"report", "convert", log, "--report", "json:" + path("out.json")});
  const std::string report = path("out.json");
  ResultJson odd = json("out.json");
  odd["flavors"] = "x";
  const std::string rubbish = write("rubbish.txt", "hello\nworld\n");
  const std::string other = write("other.json", "{\"answer\": 42}\n");
  const std::string damaged = write("damaged.jsonl", three_shards().log(0).text() + "x\n");
  const std::string newer = write("newer.json", R"({"format": 2, "flavors": [], "rules": []})");
  struct Wrong {
    Arguments arguments;
    std::string says;
  };
  const std::vector<Wrong> wrongs = {
      {{"report", "merge", report}, "reports are made from event logs"},
      {{"report", "convert", report}, "reports are made from event logs"},
      {{"report", "convert", rubbish}, "line 1 is not a JSON object"},
      {{"report", "convert", write("torn.txt", "hello")}, "torn.txt is no event log"},
      {{"report", "merge", log, path("torn.txt")}, "torn.txt is no event log"},
      {{"report", "convert", other}, "line 1 has no \"event\""},
      {{"report", "merge", log, damaged}, damaged},
      {{"report", "merge", log, log}, "twice"},
      {{"report", "merge", log, "--event-log", log}, "would overwrite"},
      {{"report", "merge", write("headless.jsonl", "{\"event\": \"rule\", \"seq\": 0}\n")},
       "no beginning"},
      {{"report", "convert", log, "--report", "json:/nonexistent/x"}, "/nonexistent/x"},
      {{"verify", log}, "is an event log, not a report"},
      {{"verify", other}, "is no report of a run"},
      {{"verify", rubbish}, "is no report of a run"},
      {{"verify", newer}, "the format of"},
      {{"verify", report, "--event-log", report}, "give the log itself"},
      {{"verify", report, "--event-log", "/nonexistent/x"}, "/nonexistent/x"},
      {{"diff", other, log}, "is no report of a run"},
      {{"diff", log, rubbish}, rubbish},
      {{"diff", log, write("odd.json", odd.dump())},
       "odd.json is no whole report: `flavors` is a text, and has to be a list of objects"},
      {{"diff", write("short.json", R"({"format": 1, "flavors": [], "rules": []})"), log},
       "short.json is no whole report: `run` is missing"},
  };
  for (const Wrong& wrong : wrongs) {
    const BinaryResult result = run_binary(wrong.arguments);
    EXPECT_EQ(result.code, 2) << ::testing::PrintToString(wrong.arguments);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, AllOf(StartsWith("sandproof: "), HasSubstr(wrong.says)));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  // Nothing was written on the way.
  EXPECT_EQ(content_of(log), three_shards().log(0).text());
}

TEST_F(Results, AnEmptyLogIsARunThatWasKilledAtOnce) {
  const BinaryResult result = run_binary({"report", "convert", write("empty.jsonl", "")});
  EXPECT_EQ(result.code, 6);
}

TEST_F(Results, ALogOfWhichOnlyABeginningWasWrittenIsOneToo) {
  ASSERT_EQ(run_binary({"run", "--flavor", "local", "--rule", "META-001", "--event-log",
                        path("run.jsonl")})
                .code,
            0);
  const std::string line = content_of(path("run.jsonl")).substr(0, 12);
  for (std::size_t size = 1; size <= line.size(); ++size) {
    const BinaryResult result =
        run_binary({"report", "convert", write("torn.jsonl", line.substr(0, size))});
    EXPECT_EQ(result.code, 6) << result.err;
  }
}

}  // namespace
}  // namespace sandproof::apps
