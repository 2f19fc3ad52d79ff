// SPDX-License-Identifier: Apache-2.0
// Two results compared: what counts as lost, what is only told, and how it reads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/diff.h"
#include "conformance/report/json_report.h"
#include "tests/conformance/report_log.h"

namespace sandproof::conformance {
namespace {

using fabricated::Json;
using fabricated::Log;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct DiffCase {
  std::string name;
  std::string outcome = "passed";
  double duration_ms = 100;
};

/// Rules, each with the case of its number; and a report of it.
Json report_of(const std::vector<DiffCase>& cases, const std::string& flavor = "local",
               bool filtered = false) {
  Log log;
  log.started({{"filtered", filtered}}).rule("A-001").rule("A-002").rule("A-003", "S");
  log.flavor(flavor, {{"capabilities", Json::array()},
                      {"deviations", {{{"rule", "A-002"}, {"reason", "known"}}}}});
  for (const DiffCase& one : cases) {
    Json keys = Json::object();
    if (one.outcome == "not_observable") {
      keys = {{"disposition", "not_observable"}, {"reason", "needs images"}};
    }
    log.planned(one.name, {"A-00" + one.name.substr(4)}, keys, flavor);
  }
  for (const DiffCase& one : cases) {
    if (one.outcome == "timeout") log.times_out(one.name, flavor);
    if (one.outcome != "passed" && one.outcome != "failed") continue;
    log.on(one.name, "case_started", {{"seed", 7}}, flavor);
    log.on(one.name, "case_finished",
           {{"outcome", one.outcome}, {"duration_ms", one.duration_ms}, {"assertions", 3}}, flavor);
  }
  return Json::parse(to_json_report(log.finished().model()));
}

/// Case1 as given; Case2 breaks A-002 as declared; Case3 passes.
Json first_is(const std::string& outcome, double duration_ms = 100) {
  return report_of({{"Case1", outcome, duration_ms}, {"Case2", "failed"}, {"Case3"}});
}

FlavorDiff only(const Json& before, const Json& after, const DiffOptions& options = {}) {
  const Diff diff = diff_reports(before, after, options);
  EXPECT_EQ(diff.flavors.size(), 1U);
  return diff.flavors.at(0);
}

std::string text_of(const Json& before, const Json& after, const DiffOptions& options = {}) {
  return diff_text(diff_reports(before, after, options), Terminal{});
}

TEST(Diff, TheSameIsNothing) {
  const FlavorDiff same = only(first_is("passed"), first_is("passed"));
  EXPECT_TRUE(same.rows.empty());
  EXPECT_FALSE(same.lost());
  EXPECT_EQ(text_of(first_is("passed"), first_is("passed")),
            "local: conformant both times: nothing changed.\n\nNothing was lost.\n");
}

struct ChangeOfCase {
  const char* before;
  const char* after;
  DiffKind kind;
  bool lost;
};

class EveryChange : public testing::TestWithParam<ChangeOfCase> {};

TEST_P(EveryChange, IsOfItsKind) {
  const FlavorDiff diff = only(first_is(GetParam().before), first_is(GetParam().after));
  EXPECT_EQ(diff.lost(), GetParam().lost);
  // The rule and its case.
  ASSERT_EQ(diff.rows.size(), 2U);
  EXPECT_EQ(diff.rows[0].name, "");
  EXPECT_EQ(diff.rows[1].name, "Case1");
  for (const DiffRow& row : diff.rows) {
    EXPECT_EQ(row.kind, GetParam().kind);
    EXPECT_EQ(row.rule, "A-001");
    EXPECT_EQ(row.before, GetParam().before);
    EXPECT_EQ(row.after, GetParam().after);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Diff, EveryChange,
    testing::Values(ChangeOfCase{"passed", "failed", DiffKind::kLost, true},
                    ChangeOfCase{"passed", "timeout", DiffKind::kLost, true},
                    ChangeOfCase{"passed", "not_run", DiffKind::kLost, true},
                    ChangeOfCase{"passed", "not_observable", DiffKind::kLost, true},
                    ChangeOfCase{"not_observable", "failed", DiffKind::kLost, true},
                    ChangeOfCase{"failed", "passed", DiffKind::kGained, false},
                    ChangeOfCase{"not_run", "passed", DiffKind::kGained, false},
                    ChangeOfCase{"failed", "not_observable", DiffKind::kGained, false},
                    ChangeOfCase{"failed", "timeout", DiffKind::kChanged, false}));

/// Case1 and its rule, in a state that a list or a declaration makes of how it ends.
Json first_counts_as(const std::string& outcome) {
  Json report = first_is("passed");
  report["flavors"][0]["cases"][0]["outcome"] = outcome;
  report["flavors"][0]["rules"][0]["state"] = outcome;
  return report;
}

DiffKind kind_between(const std::string& before, const std::string& after) {
  const FlavorDiff diff = only(first_counts_as(before), first_counts_as(after));
  EXPECT_EQ(diff.rows.size(), 2U);
  return diff.rows.at(0).kind;
}

TEST(Diff, WhatACaseDoesCountsAndNotThatItIsExcused) {
  EXPECT_EQ(kind_between("failed", "expected_failure"), DiffKind::kChanged);
  EXPECT_EQ(kind_between("timeout", "expected_failure"), DiffKind::kChanged);
  EXPECT_EQ(kind_between("not_run", "expected_failure"), DiffKind::kGained);
  // Another failure, or the entry has expired: the gate fails.
  EXPECT_EQ(kind_between("expected_failure", "failed"), DiffKind::kLost);
  EXPECT_EQ(kind_between("passed", "expected_failure"), DiffKind::kLost);
  // It passes now; that the list says otherwise is the list's fault.
  EXPECT_EQ(kind_between("expected_failure", "unexpected_pass"), DiffKind::kGained);
  EXPECT_EQ(kind_between("unexpected_pass", "passed"), DiffKind::kChanged);
  EXPECT_EQ(kind_between("unexpected_pass", "failed"), DiffKind::kLost);
}

Json with_list(bool hold, const std::string& state) {
  Json report = first_is("passed");
  const Json entry = {{"line", 7}, {"case", "Gone*"}, {"state", state}};
  report["known_failures"] = {
      {"file", "k.yaml"}, {"hold", hold}, {"entries", {entry}}, {"unlisted", Json::array()}};
  return report;
}

TEST(Diff, AListThatDoesNotHoldAnyMoreIsALoss) {
  const Json none = first_is("passed");
  const Json holds = with_list(true, "holds");
  const Json stale = with_list(false, "stale");
  const auto lost = [](const Json& before, const Json& after) {
    return diff_reports(before, after, {}).lost();
  };
  EXPECT_TRUE(lost(holds, stale));
  EXPECT_TRUE(lost(none, stale));
  EXPECT_FALSE(lost(stale, stale));
  EXPECT_FALSE(lost(stale, holds));
  EXPECT_FALSE(lost(stale, none));
  EXPECT_FALSE(lost(none, holds));
  EXPECT_THAT(text_of(holds, stale),
              AllOf(HasSubstr("known failures: as listed before, not as listed now (line 7, case "),
                    HasSubstr("stale)."), HasSubstr("Something was lost.")));
  EXPECT_THAT(text_of(holds, holds), Not(HasSubstr("known failures")));
  EXPECT_THAT(text_of(none, holds), HasSubstr("known failures: none before, as listed now."));
  const Json json = Json::parse(diff_json(diff_reports(none, stale, {})));
  EXPECT_EQ(json["known_failures_before"], nullptr);
  EXPECT_EQ(json["known_failures_after"]["hold"], false);
  EXPECT_EQ(json["known_failures_after"]["problems"][0], "line 7, case `Gone*`: stale");
  EXPECT_EQ(json["lost"], true);
}

TEST(Diff, ANewCaseThatFailsLosesTheVerdict) {
  const Json before = report_of({{"Case2", "failed"}, {"Case1"}, {"Case3"}});
  Json after = report_of({{"Case2", "failed"}, {"Case1"}, {"Case3"}});
  after["flavors"][0]["verdict"] = "not_conformant";
  const FlavorDiff diff = only(before, after);
  EXPECT_TRUE(diff.lost());
  EXPECT_THAT(text_of(before, after), HasSubstr("local: conformant before, not conformant now"));
  // The other way round it is a gain.
  EXPECT_FALSE(only(after, before).lost());
}

TEST(Diff, NewAndGoneCasesAreToldAndAreNoLoss) {
  const Json less = report_of({{"Case1"}, {"Case2", "failed"}, {"Case3"}});
  Json more = less;
  Json added = more["flavors"][0]["cases"][0];
  added["case"] = "Case1b";
  more["flavors"][0]["cases"].push_back(added);
  const FlavorDiff grown = only(less, more);
  EXPECT_EQ(grown.count(DiffKind::kNew), 1U);
  EXPECT_FALSE(grown.lost());
  const FlavorDiff shrunk = only(more, less);
  EXPECT_EQ(shrunk.count(DiffKind::kGone), 1U);
  EXPECT_FALSE(shrunk.lost());
  EXPECT_THAT(text_of(more, less), HasSubstr("gone     A-001  Case1b  was passed"));
}

TEST(Diff, WhatAPartLeftOutIsNotCompared) {
  const Json whole = report_of({{"Case1"}, {"Case2", "failed"}, {"Case3"}});
  const Json part = report_of({{"Case1"}}, "local", true);
  EXPECT_TRUE(only(whole, part).rows.empty());
  EXPECT_TRUE(only(part, whole).rows.empty());
  EXPECT_THAT(text_of(whole, part), HasSubstr("The second report is of a part of the suite"));
  // What is in both still counts.
  EXPECT_TRUE(only(whole, report_of({{"Case1", "failed"}}, "local", true)).lost());
}

TEST(Diff, ALostFlavorIsALossAndANewOneIsNot) {
  const Json one = report_of({{"Case1"}, {"Case2", "failed"}, {"Case3"}});
  Json two = one;
  two["flavors"].push_back(report_of({{"Case1"}}, "docker")["flavors"][0]);
  EXPECT_FALSE(diff_reports(one, two, {}).lost());
  EXPECT_TRUE(diff_reports(two, one, {}).lost());
  EXPECT_THAT(text_of(two, one), HasSubstr("docker: gone"));
  EXPECT_THAT(text_of(one, two), HasSubstr("docker: new, not conformant"));
}

TEST(Diff, SlowerNeedsTheFactorAndTheDifference) {
  const auto kind = [](double before, double after, const DiffOptions& options = {}) {
    const FlavorDiff diff = only(first_is("passed", before), first_is("passed", after), options);
    EXPECT_FALSE(diff.lost());
    return diff.rows.empty() ? "same" : std::string(to_string(diff.rows.at(0).kind));
  };
  EXPECT_EQ(kind(1000, 1600), "slower");
  EXPECT_EQ(kind(1000, 1400), "same") << "the factor is missing";
  EXPECT_EQ(kind(100, 300), "same") << "the difference is missing";
  EXPECT_EQ(kind(1600, 1000), "faster");
  EXPECT_EQ(kind(1000, 1600, {std::nullopt, 2.0, 250}), "same");
  EXPECT_EQ(kind(100, 300, {std::nullopt, 1.5, 100}), "slower");
  EXPECT_THAT(text_of(first_is("passed", 1000), first_is("passed", 3900)),
              HasSubstr("slower   A-001  Case1  1.00 s -> 3.90 s, 3.9 times"));
}

TEST(Diff, TwoFlavorsOfOneReport) {
  Json report = report_of({{"Case1"}, {"Case2", "failed"}, {"Case3"}});
  report["flavors"].push_back(
      report_of({{"Case1", "failed"}, {"Case2", "failed"}, {"Case3"}}, "docker")["flavors"][0]);
  DiffOptions options;
  options.flavors = {"local", "docker"};
  const FlavorDiff diff = only(report, report, options);
  EXPECT_TRUE(diff.lost());
  EXPECT_THAT(text_of(report, report, options),
              HasSubstr("local (conformant) and docker (not conformant): 2 lost."));
  options.flavors = {"local", "podman"};
  try {
    diff_reports(report, report, options);
    ADD_FAILURE() << "no error";
  } catch (const DiffError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("`podman`"), HasSubstr("local, docker")));
  }
}

TEST(Diff, TheTableIsAlignedAndBounded) {
  std::vector<DiffCase> before;
  std::vector<DiffCase> after;
  for (int i = 0; i < 60; ++i) {
    before.push_back({"Case1" + std::string(static_cast<std::size_t>(i), 'x'), "passed"});
    after.push_back({before.back().name, "failed"});
  }
  const auto same_rule = [](Json report) {
    for (Json& one : report["flavors"][0]["cases"]) one["rules"] = {"A-001"};
    return report;
  };
  Log log;
  const Json one = same_rule(first_is("passed"));
  Json many = one;
  Json many_after = one;
  const auto grow = [&](Json& report, const std::vector<DiffCase>& cases) {
    for (const DiffCase& row : cases) {
      Json added = one["flavors"][0]["cases"][0];
      added["case"] = row.name;
      added["outcome"] = row.outcome;
      report["flavors"][0]["cases"].push_back(added);
    }
  };
  grow(many, before);
  grow(many_after, after);
  const std::string text = text_of(many, many_after);
  EXPECT_THAT(text, HasSubstr("more; --report json:FILE has them)"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  // Every row has its change in the same column.
  std::size_t column = 0;
  for (const std::string& line : lines_of(text)) {
    const std::size_t at = line.find("passed -> failed");
    if (at == std::string::npos) continue;
    if (column == 0) column = at;
    EXPECT_EQ(at, column) << line;
  }
  EXPECT_GT(column, 0U);
}

TEST(Diff, IsForProgramsToo) {
  const Json json =
      Json::parse(diff_json(diff_reports(first_is("passed"), first_is("timeout", 20000), {})));
  EXPECT_EQ(json["lost"], true);
  const Json& flavor = json["flavors"][0];
  EXPECT_EQ(flavor["verdict_before"], "conformant");
  EXPECT_EQ(flavor["verdict_after"], "not_conformant");
  EXPECT_EQ(flavor["counts"]["lost"], 2);
  EXPECT_EQ(flavor["rows"][0]["case"], nullptr);
  EXPECT_EQ(flavor["rows"][1]["case"], "Case1");
  EXPECT_EQ(flavor["rows"][1]["after"], "timeout");
  EXPECT_EQ(flavor["rows"][1]["after_ms"], 20000.0);
}

TEST(Diff, ADamagedReportIsRefused) {
  Json broken = first_is("passed");
  broken["flavors"][0].erase("verdict");
  EXPECT_THROW(diff_reports(broken, first_is("passed"), {}), DiffError);
  broken = first_is("passed");
  broken["flavors"] = 7;
  EXPECT_THROW(diff_reports(first_is("passed"), broken, {}), DiffError);
}

}  // namespace
}  // namespace sandproof::conformance
