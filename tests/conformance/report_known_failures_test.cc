// SPDX-License-Identifier: Apache-2.0
// A run against its list of known failures, as a function of the log: each way in which the list
// can be wrong, in the model, for people and for programs.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "conformance/report/console.h"
#include "conformance/report/json_report.h"
#include "conformance/report/live_progress.h"
#include "conformance/report/verify.h"
#include "tests/conformance/report_known_list.h"

namespace sandproof::conformance {
namespace {

using fabricated::fails;
using fabricated::Json;
using fabricated::known_failure;
using fabricated::Log;
using fabricated::log_with_list;
using fabricated::usual_end;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Json kList = {{"known_failures", "ci/known.yaml"}};

const KnownFailureResult& only_entry(const RunModel& model) {
  return model.known_failures->entries.at(0);
}

std::string console(const RunModel& model) {
  Terminal wide;
  wide.width = 200;
  return console_report(model, wide);
}

TEST(KnownFailures, AFailureAsListedIsExpected) {
  const RunModel model =
      usual_end(log_with_list({{{"case", "O*"}, {"link", "https://x.test/1"}}})).model();
  EXPECT_EQ(exit_code_of(model), 0);
  EXPECT_EQ(only_entry(model).state, EntryState::kHolds);
  EXPECT_EQ(model.flavors[0].cases[0].outcome, Outcome::kExpectedFailure);
  EXPECT_EQ(model.flavors[0].cases[0].deviation, "the daemon (https://x.test/1)");
  EXPECT_EQ(model.flavors[0].rules[0].state, Outcome::kExpectedFailure);
  const std::string text = console(model);
  EXPECT_THAT(text, AllOf(HasSubstr("local: conformant as declared, with 1 known failure."),
                          HasSubstr("ci/known.yaml: 1 of 1 known failure as listed."),
                          HasSubstr("the daemon (https://x.test/1)"), Not(HasSubstr("line 4"))));
  const Json json = Json::parse(to_json_report(model));
  EXPECT_EQ(json["known_failures"]["hold"], true);
  EXPECT_EQ(json["known_failures"]["entries"][0]["state"], "holds");
  EXPECT_EQ(json["known_failures"]["entries"][0]["cases"],
            Json::array({{{"flavor", "local"}, {"case", "One"}, {"fit", "as_listed"}}}));
  EXPECT_EQ(json["flavors"][0]["cases"][0]["known_failure"], 0);
}

TEST(KnownFailures, WithoutAListThereIsNone) {
  Log log = fabricated::small_log();
  log.planned("One", {"A-001"}).finishes("One", "failed").finished();
  EXPECT_FALSE(log.model().known_failures);
  EXPECT_TRUE(Json::parse(to_json_report(log.model()))["known_failures"].is_null());
  EXPECT_THAT(console(log.model()), Not(HasSubstr("known failure")));
}

TEST(KnownFailures, AnEmptyListAcceptsNothing) {
  const RunModel model = usual_end(log_with_list({})).model();
  EXPECT_EQ(exit_code_of(model), 1);
  EXPECT_EQ(model.flavors[0].cases[0].outcome, Outcome::kFailed);
  EXPECT_THAT(console(model),
              AllOf(HasSubstr("1 failure not listed"), HasSubstr("not listed: One on local.")));
  EXPECT_EQ(Json::parse(to_json_report(model))["known_failures"]["unlisted"],
            Json::array({{{"flavor", "local"}, {"case", "One"}}}));
}

TEST(KnownFailures, AFailureOfAShouldIsNewsToo) {
  Log log = log_with_list({});
  log.finishes("One", "passed").finishes("Two", "passed");
  fails(log, "Three", "no").finished();
  const RunModel model = log.model();
  EXPECT_EQ(model.flavors[0].verdict, Verdict::kConformant);
  EXPECT_EQ(exit_code_of(model), 1);
  EXPECT_EQ(Json::parse(to_json_report(model))["verdict"], "not_conformant");
}

/// What an entry comes to in usual_end(), where One fails with "the status is 0".
struct ListRow {
  const char* name;
  Json keys;
  EntryState state;
  int exit_code;
  const char* says;
};

void PrintTo(const ListRow& row, std::ostream* out) { *out << row.name; }

class EveryEntry : public testing::TestWithParam<ListRow> {};

TEST_P(EveryEntry, IsJudged) {
  const ListRow& row = GetParam();
  // The entry that excuses One in any case, so that the other one alone decides.
  const RunModel model =
      usual_end(
          log_with_list({{{"case", "One"}, {"line", 90}, {"message", "the status"}}, row.keys}))
          .model();
  const KnownFailureResult& result = model.known_failures->entries.at(1);
  EXPECT_EQ(to_string(result.state), to_string(row.state)) << result.detail;
  EXPECT_EQ(exit_code_of(model), row.exit_code);
  EXPECT_EQ(is_problem(row.state), row.exit_code == 1);
  EXPECT_THAT(result.detail, HasSubstr(row.says));
  const Json json = Json::parse(to_json_report(model))["known_failures"];
  EXPECT_EQ(json["entries"][1]["state"], to_string(row.state));
  EXPECT_EQ(json["entries"][1]["detail"], result.detail);
  EXPECT_EQ(json["hold"], row.exit_code == 0);
  if (row.exit_code == 1) {
    EXPECT_THAT(console(model), AllOf(HasSubstr("line 4, "), HasSubstr(row.says)));
  }
  EXPECT_THAT(inconsistencies(Json::parse(to_json_report(model))), IsEmpty());
}

const ListRow kRows[] = {
    {"as_listed", {{"case", "One"}}, EntryState::kHolds, 0, ""},
    {"as_listed_by_rule", {{"rule", "a-00[1]"}}, EntryState::kHolds, 0, ""},
    {"as_listed_across_lines",
     {{"case", "One"}, {"message", "status  is 0"}},
     EntryState::kHolds,
     0,
     ""},
    {"a_pass", {{"case", "Two"}}, EntryState::kPassed, 1, "passed: Two on local"},
    {"a_pass_of_a_should", {{"case", "Three"}}, EntryState::kPassed, 1, "passed: Three on local"},
    {"a_pass_of_a_rule", {{"rule", "A-002"}}, EntryState::kPassed, 1, "passed: Two on local"},
    {"a_pass_within_a_pattern",
     {{"case", "*"}, {"suite_cases", 3}},
     EntryState::kPassed,
     1,
     "passed: Two on local, Three on local"},
    {"another_message_that_nothing_explains",
     {{"case", "One"}, {"message", "no such"}},
     EntryState::kStale,
     1,
     "as other entries say"},
    {"no_such_case",
     {{"case", "Onee"}, {"suite_cases", 0}, {"nearest", {"One"}}},
     EntryState::kStale,
     1,
     "the suite has no case for it; did you mean `One`?"},
    {"no_such_flavor",
     {{"case", "One"}, {"flavor", "locl"}, {"flavors", Json::array()}, {"nearest", {"local"}}},
     EntryState::kStale,
     1,
     "there is no flavor `locl`; did you mean `local`?"},
    {"last_day_today", {{"case", "One"}, {"expires", "2024-05-01"}}, EntryState::kHolds, 0, ""},
    {"last_day_yesterday",
     {{"case", "One"}, {"expires", "2024-04-30"}},
     EntryState::kExpired,
     1,
     "it expired on 2024-04-30, 1 day ago"},
    {"long_expired",
     {{"case", "One"}, {"expires", "2023-05-01"}},
     EntryState::kExpired,
     1,
     "366 days ago"},
    {"not_selected", {{"case", "Four"}}, EntryState::kNotJudged, 0, ""},
    {"partly_selected",
     {{"case", "*e"}, {"message", "status"}, {"suite_cases", 9}},
     EntryState::kPassed,
     1,
     "Three on local"},
    {"a_rule_that_is_partly_selected",
     {{"rule", "A-002"}, {"suite_cases", 2}},
     EntryState::kNotJudged,
     0,
     ""},
    {"another_flavor",
     {{"case", "Two"}, {"flavor", "docker"}, {"flavors", {"docker"}}},
     EntryState::kNotJudged,
     0,
     ""},
};

INSTANTIATE_TEST_SUITE_P(KnownFailures, EveryEntry, testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(KnownFailures, AnotherFailureIsToldWithWhatWasExpected) {
  const RunModel model =
      usual_end(log_with_list({{{"case", "One"}, {"message", "no such"}}})).model();
  EXPECT_EQ(exit_code_of(model), 1);
  EXPECT_EQ(only_entry(model).state, EntryState::kOtherFailure);
  EXPECT_EQ(model.flavors[0].cases[0].outcome, Outcome::kFailed);
  EXPECT_THAT(model.known_failures->unlisted, IsEmpty());
  EXPECT_THAT(console(model),
              AllOf(HasSubstr("ci/known.yaml:4 lists another failure: failed with `no such`"),
                    HasSubstr("is 0"), HasSubstr("failed otherwise: One on local")));
}

TEST(KnownFailures, AnExpiredEntryExcusesNothing) {
  const RunModel model =
      usual_end(log_with_list({{{"case", "One"}, {"expires", "2024-01-31"}}})).model();
  EXPECT_EQ(exit_code_of(model), 1);
  EXPECT_EQ(model.flavors[0].cases[0].outcome, Outcome::kFailed);
  EXPECT_THAT(console(model), AllOf(HasSubstr("ci/known.yaml:4 excused it until 2024-01-31"),
                                    HasSubstr("It still fails")));
}

TEST(KnownFailures, AnUnexpectedPassIsToldAtTheCase) {
  const RunModel model = usual_end(log_with_list({{{"case", "One"}}, {{"case", "Two"}}})).model();
  EXPECT_EQ(model.flavors[0].cases[1].outcome, Outcome::kUnexpectedPass);
  EXPECT_EQ(model.flavors[0].rules[1].state, Outcome::kUnexpectedPass);
  EXPECT_EQ(model.flavors[0].verdict, Verdict::kNotConformant);
  EXPECT_THAT(console(model),
              AllOf(HasSubstr("Two on local: passed, although it is a known failure"),
                    HasSubstr("ci/known.yaml:4 says that it fails: the daemon")));
}

TEST(KnownFailures, HangsAndCrashesHaveToBeNamed) {
  const auto states = [](const Json& keys, bool crash) {
    Log log = log_with_list({keys});
    crash ? log.crashes("One") : log.times_out("One");
    log.finishes("Two", "passed").finishes("Three", "passed").finished();
    return only_entry(log.model()).state;
  };
  const Json unnamed = {{"case", "One"}, {"message", "wait"}};
  EXPECT_EQ(states(unnamed, false), EntryState::kOtherFailure);
  EXPECT_EQ(
      states({{"case", "One"}, {"message", "wait on process"}, {"outcome", "timeout"}}, false),
      EntryState::kHolds);
  EXPECT_EQ(states({{"case", "One"}, {"message", ""}, {"outcome", "timeout"}}, false),
            EntryState::kHolds);
  EXPECT_EQ(states({{"case", "One"}, {"message", "terminate"}, {"outcome", "crashed"}}, true),
            EntryState::kHolds);
  EXPECT_EQ(states({{"case", "One"}, {"message", "signaled(6)"}, {"outcome", "crashed"}}, true),
            EntryState::kOtherFailure);
  EXPECT_EQ(states({{"case", "One"}, {"message", "terminate"}}, true), EntryState::kOtherFailure);
}

TEST(KnownFailures, ARuleHoldsWhileOneOfItsCasesFails) {
  Log log;
  log.started(kList);
  log.add("known_failure", known_failure({{"rule", "A-001"}, {"suite_cases", 2}}));
  log.rule("A-001").flavor("local").planned("One", {"A-001"}).planned("Two", {"A-001"});
  fails(log, "One", "status is 0").finishes("Two", "passed").finished();
  const RunModel model = log.model();
  EXPECT_EQ(only_entry(model).state, EntryState::kHolds);
  EXPECT_EQ(model.flavors[0].cases[1].outcome, Outcome::kPassed);
  EXPECT_EQ(exit_code_of(model), 0);
}

TEST(KnownFailures, OneThatRunsNowhereIsStale) {
  Log log;
  log.started(kList);
  log.add("known_failure", known_failure({{"case", "One"}}));
  log.rule("A-001").flavor("local");
  log.planned("One", {"A-001"}, {{"disposition", "not_observable"}, {"reason", "needs a quota"}});
  log.finished();
  EXPECT_EQ(only_entry(log.model()).state, EntryState::kStale);
  EXPECT_THAT(only_entry(log.model()).detail, HasSubstr("no case of it runs on local"));
}

TEST(KnownFailures, OneThatTheBindingDeclaresIsStale) {
  const Json deviations = {{"deviations", {{{"rule", "A-001"}, {"reason", "by design"}}}}};
  const RunModel model = usual_end(log_with_list({{{"case", "One"}}}, deviations)).model();
  EXPECT_EQ(only_entry(model).state, EntryState::kStale);
  EXPECT_THAT(only_entry(model).detail, HasSubstr("declares the deviation already"));
  EXPECT_EQ(model.flavors[0].cases[0].deviation, "by design");
  EXPECT_EQ(exit_code_of(model), 1);
}

TEST(KnownFailures, AnIncompleteRunIsNoVerdictOnTheList) {
  Log log = log_with_list({{{"case", "One"}}, {{"case", "Two"}}});
  fails(log, "One", "status is 0").finished(true, "interrupted by SIGINT");
  EXPECT_EQ(log.model().known_failures->entries[1].state, EntryState::kNotJudged);
  EXPECT_EQ(exit_code_of(log.model()), 6);
}

/// A refusal that does not hold, with the case that it is charged to.
Log broken_refusal(const std::vector<Json>& entries) {
  Log log;
  log.started(kList);
  for (const Json& keys : entries) log.add("known_failure", known_failure(keys));
  log.rule("CAP-002").rule("A-001", "M", {"attach"});
  log.flavor("local", {{"capabilities", Json::array()}});
  log.planned("One", {"A-001"}, {{"disposition", "unsupported"}, {"capability", "attach"}});
  log.add("refusal", {{"flavor", "local"},
                      {"capability", "attach"},
                      {"held", false},
                      {"message", "attach() gave a session"}});
  return log.finished();
}

TEST(KnownFailures, ARefusalIsListedByItsRule) {
  const RunModel model =
      broken_refusal({{{"rule", "CAP-002"}, {"message", "gave a session"}}}).model();
  EXPECT_EQ(only_entry(model).state, EntryState::kHolds);
  EXPECT_EQ(exit_code_of(model), 0);
  EXPECT_EQ(model.flavors[0].rules[0].state, Outcome::kExpectedFailure);
  EXPECT_EQ(model.flavors[0].cases[0].outcome, Outcome::kExpectedFailure);
}

TEST(KnownFailures, ARefusalThatIsNotListedIsOneFailure) {
  const RunModel model = broken_refusal({}).model();
  EXPECT_EQ(exit_code_of(model), 1);
  ASSERT_EQ(model.known_failures->unlisted.size(), 1U);
  EXPECT_EQ(model.known_failures->unlisted[0].name, "refusal of `attach`");
}

TEST(KnownFailures, RemindOfReasonsAndDays) {
  const RunModel model =
      usual_end(log_with_list({{{"case", "One"}, {"reason", "TODO"}, {"expires", "2024-05-10"}}}))
          .model();
  EXPECT_EQ(exit_code_of(model), 0);
  EXPECT_THAT(console(model), AllOf(HasSubstr("no reason yet (TODO): line 4"),
                                    HasSubstr("expires within 14 days: line 4")));
}

TEST(KnownFailures, AreNoNewsWhileTheRunGoesOn) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  LiveProgress progress(ends[1], {});
  const auto fail = [&progress](const char* name) {
    progress.take({{"event", "case_finished"},
                   {"flavor", "local"},
                   {"case", name},
                   {"outcome", "failed"},
                   {"duration_ms", 1.0}});
  };
  Json listed = known_failure({{"case", "One"}});
  listed["event"] = "known_failure";
  progress.take(listed);
  for (const char* name : {"One", "Two"}) {
    progress.take(
        {{"event", "case_planned"}, {"flavor", "local"}, {"case", name}, {"rules", {"A-001"}}});
    fail(name);
  }
  ::close(ends[1]);
  std::string text(1000, '\0');
  text.resize(static_cast<std::size_t>(::read(ends[0], text.data(), text.size())));
  ::close(ends[0]);
  EXPECT_THAT(text, AllOf(HasSubstr("Two on local"), Not(HasSubstr("One"))));
}

TEST(KnownFailures, EventsComeBackAsTheyWere) {
  const KnownFailure known{
      7,      "Kill*",          "",           "docker*", "timeout",  "wait on",
      "slow", "https://x.test", "2027-02-28", 3,         {"docker"}, {"KillIs"}};
  EXPECT_EQ(known_failure_of(to_event(known)), known);
}

}  // namespace
}  // namespace sandproof::conformance
