// SPDX-License-Identifier: Apache-2.0
// One fault that fails many cases is told once to people, and case by case to programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/console.h"
#include "conformance/report/failure_groups.h"
#include "conformance/report/html/html_report.h"
#include "conformance/report/json_report.h"
#include "conformance/report/junit_report.h"
#include "conformance/report/markdown_report.h"
#include "tests/conformance/report_log.h"

namespace sandproof::conformance {
namespace {

using fabricated::Json;
using fabricated::Log;
using fabricated::small_log;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

void ends(Log& log, const std::string& name, const std::string& message,
          const std::string& flavor = "local") {
  log.on(name, "case_started", {{"worker", 1}, {"seed", 7}}, flavor);
  log.on(name, "case_finished",
         {{"worker", 1},
          {"outcome", "error"},
          {"message", message},
          {"duration_ms", 10.0},
          {"assertions", 1}},
         flavor);
}

/// `count` cases with one reason but for its ids, and one with another reason in their midst.
Log one_fault(std::size_t count) {
  Log log = small_log();
  for (std::size_t i = 0; i < count; ++i) log.planned("Same" + std::to_string(i), {"A-001"});
  log.planned("Other", {"A-001"});
  for (std::size_t i = 0; i < count; ++i) {
    const std::string id = std::to_string(i);
    ends(log, "Same" + id, "no room in /tmp/run-x" + id + "/env: the quota is used up");
    if (i == 1) ends(log, "Other", "the daemon is away");
  }
  return log.finished();
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(FailureGroups, TheConsoleTellsAFaultOnce) {
  const std::string text = console_report(one_fault(60).model(), {});
  EXPECT_THAT(text,
              AllOf(HasSubstr("61 cases did not end as they should"),
                    HasSubstr("60 cases on local: error, all for the same reason"),
                    HasSubstr("    of A-001\n"), HasSubstr("cases: Same0, Same1, "),
                    HasSubstr(" and 52 more"), HasSubstr("--case Same0 --seed"),
                    HasSubstr("A-001  Other on local: error after"), Not(HasSubstr("Same20"))));
  EXPECT_EQ(count_of(text, "the quota is used up"), 1U);
  EXPECT_THAT(text, Not(HasSubstr("more; --report json:FILE")));
}

TEST(FailureGroups, MarkdownAndHtmlTellItOnceAndNameEach) {
  const RunModel model = one_fault(12).model();
  const std::string markdown = to_markdown_report(model);
  EXPECT_EQ(count_of(markdown, "the quota is used up"), 1U);
  EXPECT_THAT(markdown, AllOf(HasSubstr("<b>12 cases on local: error, all for the same reason</b>"),
                              HasSubstr("--case Same0 "), HasSubstr("--case Same11 "),
                              Not(HasSubstr("left out"))));
  const std::string html = to_html_report(model);
  const std::string written = html.substr(html.find("id=\"failures\""));
  EXPECT_EQ(count_of(written.substr(0, written.find("</section>")), "the quota is used up"), 1U);
  EXPECT_THAT(html, AllOf(HasSubstr("<b>12 cases on local: error, all for the same reason</b>"),
                          HasSubstr("Same0, Same1, Same2"), HasSubstr(", Same11</p>")));
}

TEST(FailureGroups, ProgramsGetEach) {
  const RunModel model = one_fault(12).model();
  EXPECT_EQ(count_of(to_junit_report(model), "<error type=\"error\""), 13U);
  const Json report = Json::parse(to_json_report(model));
  for (const Json& row : report["flavors"][0]["cases"]) {
    EXPECT_FALSE(row["reason"].get<std::string>().empty()) << row["case"];
  }
}

TEST(FailureGroups, AFewAreToldOneByOneInTheirPlaces) {
  const RunModel few = one_fault(kLeastGroup - 1).model();
  EXPECT_THAT(group_failures(failed_cases(few)), SizeIs(kLeastGroup));
  const RunModel enough = one_fault(kLeastGroup).model();
  const std::vector<FailureGroup> groups = group_failures(failed_cases(enough));
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_THAT(groups[0], SizeIs(kLeastGroup));
  EXPECT_EQ(groups[1].front().result->name, "Other");
}

TEST(FailureGroups, OtherOutcomesFlavorsAndSilenceAreNotTheSame) {
  Log log = small_log();
  log.flavor("other");
  for (int i = 0; i < 3; ++i) {
    const std::string name = "One" + std::to_string(i);
    log.planned(name, {"A-001"}).planned(name, {"A-001"}, {}, "other");
    log.planned("Hang" + name, {"A-001"}).planned("Still" + name, {"A-001"});
    ends(log, name, "away");
    ends(log, name, "away", "other");
    log.times_out("Hang" + name);
  }
  for (int i = 0; i < 3; ++i) log.finishes("StillOne" + std::to_string(i), "failed");
  log.planned("StillToo", {"A-001"}).finishes("StillToo", "failed");
  EXPECT_THAT(group_failures(failed_cases(log.finished().model())), SizeIs(13));
}

}  // namespace
}  // namespace sandproof::conformance
