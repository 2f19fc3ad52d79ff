// SPDX-License-Identifier: Apache-2.0
// Logs that are merged: the shards of a run give what the run gives in one piece, and what is no
// part of one whole is refused by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "conformance/report/json_report.h"
#include "conformance/report/merge.h"
#include "conformance/report/summary.h"
#include "tests/conformance/report_shards.h"

namespace sandproof::conformance {
namespace {

using fabricated::Json;
using fabricated::Log;
using fabricated::merged_model;
using fabricated::ShardRun;
using fabricated::three_shards;
using testing::AllOf;
using testing::HasSubstr;

/// A report without what tells one piece from several.
Json without_origin(const RunModel& model) {
  Json json = Json::parse(to_json_report(model));
  json.erase("checksum");
  for (const char* key : {"duration_ms", "parts", "event_log_checksum"}) json["run"].erase(key);
  for (Json& flavor : json["flavors"]) flavor.erase("seed");
  return json;
}

std::string merge_all(const ShardRun& run) {
  return merge_event_logs({run.parsed(1), run.parsed(2), run.parsed(3)});
}

const char* const kOutcomes[] = {"passed",  "failed", "error",       "timeout",
                                 "crashed", "none",   "unsupported", "not_observable"};

TEST(Merge, ShardsGiveWhatOnePieceGives) {
  for (const char* outcome : kOutcomes) {
    for (std::size_t which = 0; which < 6; ++which) {
      ShardRun run = three_shards();
      run.cases[which].outcome = outcome;
      EXPECT_EQ(without_origin(merged_model(merge_all(run))), without_origin(run.log(0).model()))
          << outcome << " of " << run.cases[which].name;
    }
  }
}

TEST(Merge, TheOrderOfTheLogsDoesNotCount) {
  const ShardRun run = three_shards();
  const std::string other = merge_event_logs({run.parsed(3), run.parsed(1), run.parsed(2)});
  EXPECT_EQ(without_origin(merged_model(other)), without_origin(run.log(0).model()));
}

TEST(Merge, AFilteredRunStaysOne) {
  ShardRun run = three_shards();
  run.filtered = true;
  run.cases.pop_back();
  run.cases.erase(run.cases.begin() + 3);  // No case of A-003 is left.
  const RunModel model = merged_model(merge_all(run));
  EXPECT_TRUE(model.filtered);
  EXPECT_FALSE(model.flavors[0].find_rule("A-003")->selected);
  EXPECT_EQ(without_origin(model), without_origin(run.log(0).model()));
}

/// One of its cases fails in a shard, so that the other has to be there, too.
TEST(Merge, ADeclaredDeviationIsJudgedByAllItsCases) {
  ShardRun run = three_shards();
  run.declared["deviations"] = {{{"rule", "A-001"}, {"reason", "known"}, {"link", ""}}};
  run.cases[0].outcome = "failed";
  EXPECT_EQ(without_origin(merged_model(merge_all(run))), without_origin(run.log(0).model()));
  EXPECT_EQ(exit_code_of(run.log(1).model()), 0);
}

TEST(Merge, ARefusalThatDidNotHoldAnywhereDoesNotHold) {
  ShardRun run = three_shards();
  run.unheld = {2};
  const RunModel model = merged_model(merge_all(run));
  EXPECT_EQ(model.flavors[0].find_rule("CAP-002")->state, Outcome::kFailed);
  EXPECT_EQ(model.flavors[0].cases[5].outcome, Outcome::kFailed);
  run.unheld = {};
  EXPECT_EQ(merged_model(merge_all(run)).flavors[0].find_rule("CAP-002")->state, Outcome::kPassed);
}

TEST(Merge, AMissingShardIsNamedAndItsCasesAreNotRun) {
  const ShardRun run = three_shards();
  const RunModel model = merged_model(merge_event_logs({run.parsed(1), run.parsed(3)}));
  EXPECT_EQ(exit_code_of(model), 6);
  EXPECT_EQ(model.interrupt_reason, "shard 2 of 3 of local is missing");
  EXPECT_EQ(model.flavors[0].cases.size(), 6U);
  EXPECT_EQ(model.flavors[0].cases[1].outcome, Outcome::kNotRun);
  EXPECT_EQ(model.flavors[0].find_rule("A-001")->state, Outcome::kPassed);
  EXPECT_THAT(verdict_sentence(model, model.flavors[0]),
              AllOf(HasSubstr("incomplete: shard 2 of 3 of local is missing"),
                    HasSubstr("1 of 6 cases not run")));
}

TEST(Merge, OneShardAloneMissesTheOthers) {
  const RunModel model = merged_model(merge_event_logs({three_shards().parsed(2)}));
  EXPECT_EQ(exit_code_of(model), 6);
  EXPECT_THAT(model.interrupt_reason, AllOf(HasSubstr("shard 1 of 3"), HasSubstr("shard 3 of 3")));
}

TEST(Merge, AShardThatWasKilledAnywhereIsIncompleteAndNamed) {
  const ShardRun run = three_shards();
  const std::string text = run.log(2).text();
  const std::size_t first_line = text.find('\n') + 1;
  // Every whole line, and a step that falls everywhere into torn ones.
  constexpr std::size_t kStep = 37;
  for (std::size_t size = first_line; size < text.size();
       size = std::min(size + kStep, text.find('\n', size) + 1)) {
    const EventLog killed = parse_event_log(text.substr(0, size), "s2.jsonl");
    const RunModel model = merged_model(merge_event_logs({run.parsed(1), killed, run.parsed(3)}));
    ASSERT_EQ(exit_code_of(model), 6) << size;
    ASSERT_EQ(model.flavors[0].cases.size(), 6U) << size;
    ASSERT_EQ(model.interrupt_reason.find("shard 2 of 3"), 0U) << model.interrupt_reason;
  }
}

TEST(Merge, ARunThatWasKilledBeforeItsFirstLineIsIncompleteAndNamed) {
  const ShardRun run = three_shards();
  for (const char* text : {"", "{\"event\":\"run_sta"}) {
    const EventLog none = parse_event_log(text, "none.jsonl");
    const RunModel whole =
        merged_model(merge_event_logs({none, run.parsed(1), run.parsed(2), run.parsed(3)}));
    EXPECT_EQ(exit_code_of(whole), 6);
    EXPECT_EQ(whole.interrupt_reason, "none.jsonl was killed before its end");
    EXPECT_EQ(whole.flavors[0].case_counts, run.log(0).model().flavors[0].case_counts);
    EXPECT_THAT(summary_text(whole, {}), HasSubstr("merged of 4 logs"));
    EXPECT_THAT(summary_text(whole, {}), HasSubstr("seed 123"));
    const RunModel model = merged_model(merge_event_logs({run.parsed(1), none, run.parsed(3)}));
    EXPECT_EQ(exit_code_of(model), 6);
    EXPECT_EQ(model.interrupt_reason,
              "none.jsonl was killed before its end; shard 2 of 3 of local is missing");
    EXPECT_EQ(model.flavors[0].cases.size(), 6U);
  }
}

TEST(Merge, RunsOfWhichNoneBeganAreIncompleteToo) {
  const RunModel model = merged_model(
      merge_event_logs({parse_event_log("", "1.jsonl"), parse_event_log("", "2.jsonl")}));
  EXPECT_EQ(exit_code_of(model), 6);
  EXPECT_THAT(summary_text(model, {}),
              HasSubstr("Incomplete: 1.jsonl was killed before its end; 2.jsonl was killed"));
  EXPECT_THAT(summary_text(merged_model(""), {}),
              HasSubstr("Incomplete: the run was killed before its end."));
}

TEST(Merge, AnInterruptedShardKeepsItsReason) {
  const ShardRun run = three_shards();
  ShardRun killed = run;
  killed.killed = true;
  const std::string text = killed.log(2).finished(true, "interrupted by SIGINT").text();
  const RunModel model = merged_model(
      merge_event_logs({run.parsed(1), parse_event_log(text, "s2.jsonl"), run.parsed(3)}));
  EXPECT_TRUE(model.interrupted);
  EXPECT_EQ(model.interrupt_reason, "shard 2 of 3: interrupted by SIGINT");
}

TEST(Merge, AShardThatFailedFastIsAFailureOfTheWhole) {
  ShardRun run = three_shards();
  run.cases[0].outcome = "failed";
  run.cases[2].outcome = "none";
  ShardRun stopped = run;
  stopped.killed = true;
  const auto merged = [&](std::vector<EventLog> others) {
    const std::string text = stopped.log(1).failed_fast("--fail-fast: One did not pass").text();
    others.push_back(parse_event_log(text, "s1.jsonl"));
    return merged_model(merge_event_logs(others));
  };
  const RunModel model = merged({run.parsed(2), run.parsed(3)});
  EXPECT_EQ(model.interrupt_reason, "shard 1 of 3: --fail-fast: One did not pass");
  EXPECT_EQ(exit_code_of(model), 1);
  // Of one that is missing nothing is known.
  EXPECT_EQ(exit_code_of(merged({run.parsed(2)})), 6);
}

TEST(Merge, TheResultIsALogLikeAnyOther) {
  const EventLog merged = parse_event_log(merge_all(three_shards()), "m.jsonl");
  double last = 0;
  std::set<int> workers;
  for (const Json& event : merged.events) {
    EXPECT_GE(event["t_ms"].get<double>(), last);
    last = event["t_ms"];
    if (event["event"] == "worker_started") {
      EXPECT_TRUE(workers.insert(event["worker"].get<int>()).second);
    }
  }
  EXPECT_EQ(workers.size(), 3U);
  EXPECT_EQ(merged.events.back()["event"], "run_finished");
  // And can be merged with another flavor's.
  ShardRun other = three_shards();
  other.flavor = "docker";
  const RunModel both = merged_model(merge_event_logs({merged, other.parsed(0)}));
  EXPECT_EQ(both.flavors.size(), 2U);
  EXPECT_EQ(both.parts.size(), 4U);
  EXPECT_EQ(exit_code_of(both), 0);
}

TEST(Merge, AMergedLogThatWasCutIsIncompleteAlsoWhenItIsMergedAgain) {
  std::string text = merge_all(three_shards());
  text.erase(text.rfind('{'));  // run_finished.
  ShardRun other = three_shards();
  other.flavor = "docker";
  const RunModel both =
      merged_model(merge_event_logs({parse_event_log(text, "m.jsonl"), other.parsed(0)}));
  EXPECT_EQ(exit_code_of(both), 6);
}

TEST(Merge, FlavorsOfDifferentRunsKeepTheirSeeds) {
  ShardRun one = three_shards();
  ShardRun other = three_shards();
  other.flavor = "docker";
  other.started["seed"] = 99;
  const RunModel model = merged_model(merge_event_logs({one.parsed(0), other.parsed(0)}));
  EXPECT_EQ(model.flavors[0].seed, 123U);
  EXPECT_EQ(model.flavors[1].seed, 99U);
  EXPECT_EQ(exit_code_of(model), 0);
}

TEST(Merge, EachFlavorMayHaveShardsOfItsOwn) {
  const ShardRun one = three_shards();
  ShardRun other = three_shards();
  other.flavor = "docker";
  other.started["seed"] = 99;
  const std::vector<EventLog> logs = {one.parsed(1), other.parsed(3), one.parsed(2),
                                      one.parsed(3), other.parsed(1), other.parsed(2)};
  EXPECT_EQ(exit_code_of(merged_model(merge_event_logs(logs))), 0);
  const RunModel missing =
      merged_model(merge_event_logs({logs[0], logs[1], logs[2], logs[3], logs[4]}));
  EXPECT_EQ(exit_code_of(missing), 6);
  EXPECT_EQ(missing.interrupt_reason, "shard 2 of 3 of docker is missing");
}

TEST(Merge, PartsThatFiltersSelectedMayAddUp) {
  ShardRun one = three_shards();
  one.filtered = true;
  ShardRun other = one;
  one.cases.resize(2);
  other.cases.erase(other.cases.begin(), other.cases.begin() + 2);
  const RunModel model = merged_model(merge_event_logs({one.parsed(0), other.parsed(0)}));
  EXPECT_EQ(model.flavors[0].cases.size(), 6U);
  EXPECT_EQ(exit_code_of(model), 0);
}

std::string refusal_of(const std::vector<EventLog>& logs) {
  try {
    merge_event_logs(logs);
  } catch (const MergeError& error) {
    return error.what();
  } catch (const EventLogError& error) {
    return error.what();
  }
  return "merged";
}

/// One fails; an entry lists it, and another its rule, whose other case passes.
ShardRun listed_run() {
  ShardRun run = three_shards();
  run.cases[0].outcome = "failed";
  run.known = {{{"case", "One"}, {"message", "no"}, {"line", 1}},
               {{"rule", "A-001"}, {"message", "no"}, {"line", 4}, {"suite_cases", 2}}};
  return run;
}

EntryState state_of(const RunModel& model, std::size_t entry) {
  return model.known_failures->entries.at(entry).state;
}

TEST(Merge, AListOfKnownFailuresIsJudgedAsByOneRun) {
  const ShardRun run = listed_run();
  const std::string text = merge_all(run);
  EXPECT_EQ(without_origin(merged_model(text)), without_origin(run.log(0).model()));
  EXPECT_EQ(exit_code_of(merged_model(text)), 0);
  // Once, and again so when it is merged once more.
  EXPECT_EQ(merged_model(text).known_failures->entries.size(), 2U);
  const std::string again = merge_event_logs({parse_event_log(text, "m.jsonl")});
  EXPECT_EQ(without_origin(merged_model(again)), without_origin(run.log(0).model()));
}

TEST(Merge, WhatAShardDoesNotJudgeIsJudgedInTheEnd) {
  ShardRun run = listed_run();
  run.known = {{{"case", "One"}, {"message", "no"}},
               {{"rule", "A-002"}, {"message", "no"}, {"line", 4}, {"suite_cases", 2}},
               {{"case", "Five"}, {"message", "no"}, {"line", 9}}};
  run.cases[4].shard = 3;
  for (const int shard : {1, 2, 3}) {
    const RunModel model = run.log(shard).model();
    EXPECT_EQ(state_of(model, 1), EntryState::kNotJudged) << shard;
    EXPECT_EQ(state_of(model, 2), shard == 3 ? EntryState::kStale : EntryState::kNotJudged);
  }
  const RunModel merged = merged_model(merge_all(run));
  EXPECT_EQ(state_of(merged, 0), EntryState::kHolds);
  EXPECT_EQ(state_of(merged, 1), EntryState::kPassed);
  EXPECT_EQ(state_of(merged, 2), EntryState::kStale);
  EXPECT_EQ(exit_code_of(merged), 1);
  EXPECT_EQ(without_origin(merged), without_origin(run.log(0).model()));
}

TEST(Merge, TheFileOfAListMayBeCalledOtherwise) {
  const ShardRun run = listed_run();
  std::string text = run.log(2).text();
  const std::string name = "ci/known.yaml";
  text.replace(text.find(name), name.size(), "/home/ci/k.yaml");
  EXPECT_EQ(refusal_of({run.parsed(1), parse_event_log(text, "s2.jsonl"), run.parsed(3)}),
            "merged");
}

TEST(Merge, RefusesListsOfKnownFailuresThatDiffer) {
  const ShardRun run = listed_run();
  ShardRun changed = run;
  (*changed.known)[1]["reason"] = "another";
  EXPECT_THAT(refusal_of({run.parsed(1), changed.parsed(2), run.parsed(3)}),
              AllOf(HasSubstr("s1.jsonl"), HasSubstr("s2.jsonl"), HasSubstr("line 4"),
                    HasSubstr("rule `A-001`"), HasSubstr("--known-failures")));
  changed.known->pop_back();
  EXPECT_THAT(refusal_of({run.parsed(1), changed.parsed(2), run.parsed(3)}), HasSubstr("line 4"));
  changed.known.reset();
  EXPECT_THAT(refusal_of({run.parsed(1), changed.parsed(2), run.parsed(3)}),
              AllOf(HasSubstr("s1.jsonl was compared with the known failures of ci/known.yaml"),
                    HasSubstr("s2.jsonl")));
}

/// What is done to the second shard, and what the refusal says besides both names.
struct Misfit {
  const char* name;
  void (*change)(ShardRun& run);
  std::vector<std::string> says;
};

class EveryMisfit : public testing::TestWithParam<Misfit> {};

TEST_P(EveryMisfit, IsRefusedByName) {
  const ShardRun run = three_shards();
  ShardRun changed = run;
  GetParam().change(changed);
  const std::string sentence = refusal_of({run.parsed(1), changed.parsed(2), run.parsed(3)});
  EXPECT_THAT(sentence, AllOf(HasSubstr("s2.jsonl"), HasSubstr("cannot be merged")));
  for (const std::string& text : GetParam().says) EXPECT_THAT(sentence, HasSubstr(text));
}

const Misfit kMisfits[] = {
    {"version", [](ShardRun& run) { run.started["version"] = "9.9"; }, {"version", "0.1.0", "9.9"}},
    {"time_scale", [](ShardRun& run) { run.started["time_scale"] = 3.0; }, {"time scale", "3.0"}},
    {"mutant", [](ShardRun& run) { run.started["mutant"] = "KillsNothing"; }, {"KillsNothing"}},
    {"seed", [](ShardRun& run) { run.started["seed"] = 9; }, {"seed", "123", "9", "--seed"}},
    {"filters", [](ShardRun& run) { run.filtered = true; }, {"filters"}},
    {"total", [](ShardRun& run) { run.total = 4; }, {"shard 1 of 3", "shard 2 of 4"}},
    {"declaration",
     [](ShardRun& run) { run.declared["capabilities"] = {"attach"}; },
     {"`local` differently", "capabilities"}},
    {"one_case_more",
     [](ShardRun& run) {
       run.cases.push_back({"Seven", "A-001", 2, "passed"});
     },
     {"Seven", "alone"}},
    {"one_case_less", [](ShardRun& run) { run.cases.pop_back(); }, {"Six", "alone"}},
    {"another_division", [](ShardRun& run) { run.cases[0].shard = 2; }, {"One", "differently"}},
    {"another_rule", [](ShardRun& run) { run.cases[0].rule = "A-002"; }, {"One", "differently"}},
};

INSTANTIATE_TEST_SUITE_P(Merge, EveryMisfit, testing::ValuesIn(kMisfits),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Merge, RefusesAnotherTableOfRules) {
  const ShardRun run = three_shards();
  Log other;
  other.started({{"filtered", false}}).rule("A-001").rule("A-007").flavor("docker").finished();
  EXPECT_THAT(refusal_of({run.parsed(0), parse_event_log(other.text(), "other.jsonl")}),
              AllOf(HasSubstr("tables of rules"), HasSubstr("A-002"), HasSubstr("other.jsonl")));
}

TEST(Merge, RefusesAShardOrACaseThatIsThereTwice) {
  const ShardRun run = three_shards();
  EXPECT_THAT(refusal_of({run.parsed(1), run.parsed(2), run.parsed(1)}),
              AllOf(HasSubstr("shard 1 of 3"), HasSubstr("twice"), HasSubstr("s1.jsonl")));
  EXPECT_THAT(refusal_of({run.parsed(0), run.parsed(0)}),
              AllOf(HasSubstr("of `local`"), HasSubstr("twice"), HasSubstr("s0.jsonl")));
  EXPECT_THAT(refusal_of({run.parsed(0), run.parsed(1)}), HasSubstr("no shard"));
}

TEST(Merge, RefusesALogWithoutABeginningAndADamagedOne) {
  const ShardRun run = three_shards();
  Log headless;
  headless.rule("A-001");
  EXPECT_THAT(refusal_of({run.parsed(1), parse_event_log(headless.text(), "h.jsonl")}),
              AllOf(HasSubstr("h.jsonl"), HasSubstr("no beginning"), HasSubstr("`rule`")));
  Log ghost;
  ghost.started().planned("One", {"A-001"}, Json::object(), "ghost");
  EXPECT_THAT(refusal_of({parse_event_log(ghost.text(), "g.jsonl")}),
              AllOf(HasSubstr("g.jsonl is damaged: line 2"), HasSubstr("'ghost'")));
  Log bad;
  bad.started({{"shard", {{"index", 4}, {"total", 3}}}});
  EXPECT_THAT(refusal_of({parse_event_log(bad.text(), "b.jsonl")}), HasSubstr("shard 4 of 3"));
  EXPECT_THAT(refusal_of({}), HasSubstr("no event log"));
}

TEST(Merge, AnEmptyShardIsZero) {
  ShardRun run = three_shards();
  run.total = 4;
  const RunModel model = run.log(4).model();
  EXPECT_EQ(exit_code_of(model), 0);
  EXPECT_THAT(verdict_sentence(model, model.flavors[0]), HasSubstr("no case of it is in shard 4"));
}

}  // namespace
}  // namespace sandproof::conformance
