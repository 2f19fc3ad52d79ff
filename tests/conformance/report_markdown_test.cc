// SPDX-License-Identifier: Apache-2.0
// Markdown, badge, and the escapes of all reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/badge_report.h"
#include "conformance/report/known_failures_text.h"
#include "conformance/report/markdown_report.h"
#include "conformance/report/markup.h"
#include "tests/conformance/report_every_outcome.h"
#include "tests/conformance/report_known_list.h"

namespace sandproof::conformance {
namespace {

using fabricated::every_outcome_log;
using fabricated::incomplete_log;
using fabricated::Json;
using fabricated::kHostile;
using fabricated::lists_in_every_state;
using fabricated::Log;
using fabricated::log_with_list;
using fabricated::small_log;
using fabricated::usual_end;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Log holding_log() {
  Log log = small_log();
  log.planned("One", {"A-001"}).planned("Two", {"A-002"}).planned("Three", {"A-003"});
  return log.finishes("One", "passed").finishes("Two", "passed").finishes("Three", "passed");
}

TEST(Markup, WhatNobodySeesIsSpelledOut) {
  EXPECT_EQ(clean_text("a\x01\xE2\x80\xAE\tb\n"), "a\\x01\\u202e  b\n");
  EXPECT_EQ(clean_text("\xE2\x80\xA8\xE2\x81\xA6\xEF\xBF\xBE"), "\\u2028\\u2066\\ufffe");
  EXPECT_EQ(clean_text("caf\xC3\xA9 \xE2\x9C\x93 \xF0\x9F\x98\x80"),
            "caf\xC3\xA9 \xE2\x9C\x93 \xF0\x9F\x98\x80");
  EXPECT_EQ(clean_text("\xff\xE2\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Markup, EscapesEndNothingAndStartNothing) {
  EXPECT_EQ(escape_markup("<a b='c' d=\"e\">&"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;");
  const std::string escaped = escape_markdown(kHostile + " http://x.example");
  for (const char c : std::string("<>`|@*_[]\n\\~$")) EXPECT_EQ(escaped.find(c), std::string::npos);
  EXPECT_THAT(escaped, Not(HasSubstr("://")));
}

TEST(Markup, AFenceIsLongerThanWhatItHolds) {
  EXPECT_EQ(markdown_block("a"), "```text\na\n```\n");
  EXPECT_THAT(markdown_block("````\n"), AllOf(StartsWith("`````text\n"), EndsWith("\n`````\n")));
}

TEST(Markdown, TellsVerdictCountsAndEachFailure) {
  const std::string text = to_markdown_report(every_outcome_log().finished().model());
  EXPECT_THAT(text, AllOf(StartsWith("### ❌ sandproof: not conformant\n"),
                          HasSubstr("| **local** | ❌ not conformant | 0 of 7 | 10 |"),
                          HasSubstr("<b>A-001</b> Fails on local: failed after 0.31 s<br>The "
                                    "sentence of A-001.</summary>"),
                          HasSubstr("```sh\nmy-suite replay --flavor local --case Hangs --seed 123 "
                                    "--set 'greeting=a b'\n```"),
                          HasSubstr("**N-001** on local"), HasSubstr("1 warning (SHOULD): B-001")));
}

TEST(Markdown, AllIsWellInFewLines) {
  const std::string text = to_markdown_report(holding_log().finished().model());
  EXPECT_THAT(text, AllOf(StartsWith("### ✅ sandproof: conformant as declared\n"),
                          HasSubstr("| 3 of 3 | 3 | 3 |"), Not(HasSubstr("<details>"))));
}

TEST(Markdown, SaysThatItIsIncomplete) {
  EXPECT_THAT(to_markdown_report(incomplete_log().model()),
              AllOf(StartsWith("### ⚠️ sandproof: incomplete\n\nIncomplete: ended by "),
                    HasSubstr("| not run |")));
  EXPECT_THAT(to_markdown_report(Log().model()), StartsWith("### ⚠️ sandproof: incomplete\n"));
}

TEST(Markdown, IsBoundedAndSaysWhatItLeavesOut) {
  Log log = small_log();
  constexpr int kCases = 300;
  for (int i = 0; i < kCases; ++i) log.planned("Case" + std::to_string(i), {"A-001"});
  for (int i = 0; i < kCases; ++i) {
    const std::string name = "Case" + std::to_string(i);
    for (int line = 0; line < 30; ++line) {
      log.on(name, "note", {{"text", std::string(300, '`')}});
    }
    log.finishes(name, "failed");
  }
  const std::string text = to_markdown_report(log.finished().model());
  EXPECT_LE(text.size(), kMostMarkdown);
  EXPECT_THAT(text, AllOf(HasSubstr(" more lines)\n"), HasSubstr(" more are left out; "),
                          HasSubstr("seed 123")));
}

TEST(Markdown, TellsOfTheListOfKnownFailures) {
  for (const auto& [state, log, hold] : lists_in_every_state()) {
    const RunModel model = log.model();
    const std::string text = to_markdown_report(model);
    EXPECT_THAT(text, HasSubstr("#### Known failures"));
    EXPECT_THAT(text, StartsWith(exit_code_of(model) == 0 ? "### ✅" : "### ❌")) << state;
    EXPECT_EQ(text.find("the run fails:") == std::string::npos, hold) << text;
    for (const KnownFailureResult& result : model.known_failures->entries) {
      EXPECT_THAT(text, HasSubstr(std::string(words_of(result.state)) + " | " +
                                  std::to_string(result.entry.line) + " |"));
    }
  }
  EXPECT_THAT(to_markdown_report(holding_log().finished().model()), Not(HasSubstr("Known")));
}

TEST(Markdown, AnExcusedFailureIsToldWithItsReasonAndLink) {
  const Json entry = {{"case", "One"}, {"link", "https://x.test/1"}, {"reason", "the | daemon"}};
  const std::string text = to_markdown_report(usual_end(log_with_list({entry})).model());
  const std::string why = escape_markdown("the | daemon (https://x.test/1)");
  EXPECT_THAT(text, AllOf(HasSubstr("failed as declared (" + why + "): A-001"),
                          HasSubstr("| " + why + " |"), HasSubstr("<summary>1 entry</summary>")));
}

TEST(Markdown, ALongListLeavesRoomForTheFailures) {
  std::vector<Json> entries;
  for (int i = 0; i < 2000; ++i) {
    entries.push_back({{"case", "Gone" + std::to_string(i)}, {"suite_cases", 0}, {"line", i}});
  }
  const RunModel model = usual_end(log_with_list(entries)).model();
  const std::string text = to_markdown_report(model);
  EXPECT_THAT(text, AllOf(HasSubstr("1951 more are left out"), HasSubstr("more are left out.\n\n"),
                          HasSubstr("1 case did not end as it should")));
  EXPECT_LE(text.size(), kMostMarkdown);
}

TEST(Badge, CountsTheRulesThatApply) {
  const Json good = Json::parse(to_badge_report(holding_log().finished().model()));
  EXPECT_EQ(good["schemaVersion"], 1);
  EXPECT_EQ(good["label"], "sandproof");
  EXPECT_EQ(good["message"], "local 3/3 rules");
  EXPECT_EQ(good["color"], "brightgreen");
  const Json bad = Json::parse(to_badge_report(every_outcome_log().finished().model()));
  EXPECT_EQ(bad["message"], "local 0/7 rules");
  EXPECT_EQ(bad["color"], "red");
  EXPECT_EQ(bad["isError"], true);
}

TEST(Badge, ItsColourIsThatOfTheExitCodeAlsoWithAList) {
  for (const auto& [state, log, hold] : lists_in_every_state()) {
    const RunModel model = log.model();
    const Json badge = Json::parse(to_badge_report(model));
    EXPECT_EQ(badge["color"], exit_code_of(model) == 0 ? "green" : "red") << state;
    const std::string message = badge["message"];
    EXPECT_EQ(message.ends_with(", known failures differ"), !hold) << message;
  }
}

TEST(Badge, TellsWhatWasNotJudged) {
  EXPECT_EQ(Json::parse(to_badge_report(small_log().model()))["message"], "incomplete");
  EXPECT_EQ(Json::parse(to_badge_report(small_log().finished().model()))["message"],
            "nothing selected");
}

TEST(Badge, ManyFlavorsAreOneCount) {
  Log log = every_outcome_log({"a-flavor", "b-flavor", "c-flavor", "d-flavor", "e-flavor"});
  EXPECT_EQ(Json::parse(to_badge_report(log.finished().model()))["message"],
            "5 flavors 0/35 rules");
}

}  // namespace
}  // namespace sandproof::conformance
