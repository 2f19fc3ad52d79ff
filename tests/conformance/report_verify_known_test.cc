// SPDX-License-Identifier: Apache-2.0
// A list of known failures in a report that somebody changed is found out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/json_report.h"
#include "conformance/report/verify.h"
#include "tests/conformance/report_known_list.h"

namespace sandproof::conformance {
namespace {

using fabricated::Json;
using fabricated::log_with_list;
using fabricated::usual_end;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(VerifyKnown, EveryListThatTheProgramWritesHolds) {
  for (const auto& [state, log, hold] : fabricated::lists_in_every_state()) {
    const Json report = Json::parse(to_json_report(log.model()));
    EXPECT_THAT(inconsistencies(report), IsEmpty()) << state;
    EXPECT_EQ(report["known_failures"]["hold"], hold) << state;
  }
}

TEST(VerifyKnown, RefusalsAreListedAsWell) {
  for (const char* message : {"it returned", "no such"}) {
    fabricated::Log log;
    log.started({{"known_failures", "k.yaml"}});
    log.add("known_failure", fabricated::known_failure(
                                 {{"rule", "CAP-002"}, {"message", message}, {"suite_cases", 0}}));
    log.rule("A-001", "M", {"attach"}).rule("CAP-002").rule("A-002", "M", {"attach"});
    log.flavor("local", {{"unclaimed", {{"attach", "no"}}}});
    log.planned("One", {"A-001"}, {{"disposition", "unsupported"}, {"capability", "attach"}});
    log.add("refusal", {{"flavor", "local"},
                        {"capability", "attach"},
                        {"held", false},
                        {"message", "it returned"}});
    const Json report = Json::parse(to_json_report(log.finished().model()));
    EXPECT_THAT(inconsistencies(report), IsEmpty()) << report.dump(1);
  }
}

/// One is excused by the first entry; the second is stale, the third another's, Two passes in the
/// fourth; Three fails and is not listed.
Json sound_report() {
  fabricated::Log log = log_with_list({{{"case", "One"}, {"line", 1}},
                                       {{"case", "Gone"}, {"line", 5}, {"suite_cases", 0}},
                                       {{"case", "Four"}, {"line", 9}},
                                       {{"case", "Two"}, {"line", 13}}});
  fails(log, "One", "the status is 0");
  log.finishes("Two", "passed");
  fails(log, "Three", "no").finished();
  return Json::parse(to_json_report(log.model()));
}

Json& entry_at(Json& report, std::size_t index) {
  return report["known_failures"]["entries"][index];
}
Json& case_at(Json& report, std::size_t index) { return report["flavors"][0]["cases"][index]; }

/// What somebody does to the list, and what the finding says.
struct ListTampering {
  const char* name;
  void (*change)(Json& report);
  const char* says;
};

class EveryListTampering : public testing::TestWithParam<ListTampering> {};

TEST_P(EveryListTampering, IsCaught) {
  const Json sound = sound_report();
  ASSERT_THAT(inconsistencies(sound), IsEmpty());
  Json report = sound;
  GetParam().change(report);
  ASSERT_NE(report, sound);
  EXPECT_THAT(differences(report, sound), Contains(HasSubstr("known_failure")));
  // By somebody who makes the checksum again.
  report["checksum"] = report_checksum(report);
  EXPECT_THAT(inconsistencies(report), Contains(HasSubstr(GetParam().says)));
}

const ListTampering kListTamperings[] = {
    {"hold", [](Json& r) { r["known_failures"]["hold"] = true; }, "is said to hold"},
    {"a_stale_entry_is_not_judged", [](Json& r) { entry_at(r, 1)["state"] = "not_judged"; },
     "line 5, case `Gone`, is said to be not_judged, and by its cases it is stale"},
    {"a_pass_is_as_listed", [](Json& r) { entry_at(r, 3)["cases"][0]["fit"] = "as_listed"; },
     "says `as_listed` of Two on local, which is unexpected_pass"},
    {"a_pass_is_not_listed", [](Json& r) { entry_at(r, 3)["cases"] = Json::array(); },
     "matches Two on local, which passed, and does not say so"},
    {"an_unknown_fit", [](Json& r) { entry_at(r, 0)["cases"][0]["fit"] = "well"; }, "`well`"},
    {"another_pattern", [](Json& r) { entry_at(r, 0)["case"] = "Onw"; },
     "lists One on local, which it does not match"},
    {"a_later_day", [](Json& r) { entry_at(r, 0)["expires"] = "2024-06-30"; },
     "has 30 days left, and by its last day 60"},
    {"a_failure_is_not_unlisted", [](Json& r) { r["known_failures"]["unlisted"] = Json::array(); },
     "Three on local is failed, and stands neither in an entry"},
    {"a_pass_is_unlisted",
     [](Json& r) {
       r["known_failures"]["unlisted"].push_back({{"flavor", "local"}, {"case", "Two"}});
     },
     "Two on local is said to be a failure that is not listed"},
    {"another_entry_excuses", [](Json& r) { case_at(r, 0)["known_failure"] = 7; },
     "One on local names the known failure 7, which does not list it"},
    {"a_failure_is_excused", [](Json& r) { case_at(r, 2)["known_failure"] = 0; },
     "Three on local names the known failure 0"},
    {"no_list", [](Json& r) { r["known_failures"] = nullptr; }, "the run had no list of them"},
};

INSTANTIATE_TEST_SUITE_P(VerifyKnown, EveryListTampering, testing::ValuesIn(kListTamperings),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(VerifyKnown, ADifferenceNamesTheEntry) {
  const Json sound = sound_report();
  Json report = sound;
  entry_at(report, 1)["state"] = "holds";
  EXPECT_THAT(differences(report, sound),
              Contains("known_failures.entries[1].state is \"holds\" in the report, and "
                       "\"stale\" by the events"));
}

TEST(VerifyKnown, AnExcusedFailureSaysWhatItsEntryLists) {
  Json report = sound_report();
  Json& failure = case_at(report, 0)["failures"][0];
  ASSERT_EQ(failure["message"], "the status is 0");
  failure["message"] = "all is well";
  report["checksum"] = report_checksum(report);
  EXPECT_THAT(inconsistencies(report),
              Contains(AllOf(HasSubstr("line 1"), HasSubstr("excuses One on local"),
                             HasSubstr("which the failure does not say"))));
}

}  // namespace
}  // namespace sandproof::conformance
