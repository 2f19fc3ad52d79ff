// SPDX-License-Identifier: Apache-2.0
// What `explain` tells of a rule: gathered from the tables, and from what an earlier run left.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/explain/explanation.h"
#include "conformance/report/json_report.h"
#include "tests/conformance/report_log.h"

namespace sandproof::conformance {
namespace {

using fabricated::Log;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

void does_nothing(CaseContext&) {}

/// Two rules, two flavors: `whole` claims everything, `part` does not claim to snapshot.
struct SmallSuite {
  std::vector<Rule> rules;
  std::vector<Case> cases;
  std::vector<Mutant> mutants;
  Suite suite;

  SmallSuite() {
    Rule first{};
    first.id = "A-001";
    first.sentence = "The first thing holds.";
    first.intent = "Without it the second does not hold.";
    first.capabilities = {Capability::kSnapshot};
    first.needs = {Need::kProcessTable};
    first.bugs = {"https://github.com/o/r/issues/1"};
    Rule second{};
    second.id = "B-001";
    second.level = Level::kShould;
    second.sentence = "The second thing holds.";
    second.intent = "Nobody knows.";
    rules = {first, second};
    cases = {Case{"OtherFirst", {"B-001", "A-001"}, does_nothing},
             Case{"FirstHolds", {"A-001"}, does_nothing}};
    Mutant mutant{};
    mutant.name = "BreaksTheFirst";
    mutant.rule = "A-001";
    mutant.what = "The first thing does not hold.";
    mutants = {mutant};
    Binding whole;
    whole.flavor.name = "whole";
    whole.flavor.capabilities = Capabilities::all();
    whole.provides = {Need::kProcessTable};
    Binding part;
    part.flavor.name = "part";
    part.unclaimed = {{Capability::kSnapshot, "there is nothing to capture"}};
    suite = {{whole, part}, &cases, &mutants, &rules};
  }
};

Log log_of_a_run() {
  Log log;
  log.started().rule("A-001").rule("B-001", "S");
  log.flavor("whole").flavor("part");
  log.planned("FirstHolds", {"A-001"}, {}, "whole").planned("OtherFirst", {"B-001"}, {}, "whole");
  log.planned("FirstHolds", {"A-001"},
              {{"disposition", "unsupported"},
               {"reason", "part does not claim `snapshot`"},
               {"capability", "snapshot"}},
              "part");
  log.on("FirstHolds", "case_started", {{"worker", 1}, {"seed", 7}}, "whole");
  log.on("FirstHolds", "assertion_failed",
         {{"file", "a.cc"}, {"line", 3}, {"message", "no"}, {"fatal", false}}, "whole");
  log.on("FirstHolds", "case_finished",
         {{"worker", 1}, {"outcome", "failed"}, {"duration_ms", 3.0}, {"assertions", 1}}, "whole");
  log.add("refusal",
          {{"flavor", "part"}, {"capability", "snapshot"}, {"held", true}, {"message", ""}});
  log.finishes("OtherFirst", "passed", "whole").finished();
  return log;
}

LastReport report_of_a_run() { return parse_last_report(log_of_a_run().text(), "run.log"); }

std::string explained(const SmallSuite& small, const char* id, const LastReport* report,
                      Terminal terminal = {}) {
  return explanation_text(explain_rule(small.suite, *small.suite.find_rule(id), report), report,
                          terminal, "prove");
}

TEST(Explanation, HasTheRuleItsReasonItsCasesAndItsMutants) {
  const SmallSuite small;
  const std::string text = explained(small, "A-001", nullptr);
  EXPECT_THAT(text, AllOf(HasSubstr("A-001  MUST\n"), HasSubstr("  The first thing holds.\n"),
                          HasSubstr("where `snapshot` is claimed"), HasSubstr("process table"),
                          HasSubstr("  Without it the second does not hold.\n"),
                          HasSubstr("    https://github.com/o/r/issues/1\n"),
                          HasSubstr("conformance/explain_test.cc"),
                          HasSubstr("  BreaksTheFirst\n      The first thing does not hold.\n"),
                          HasSubstr("prove run --rule A-001\n")));
  // What is charged to it comes first.
  EXPECT_LT(text.find("FirstHolds"), text.find("OtherFirst"));
  EXPECT_THAT(text, HasSubstr("charged to B-001"));
}

TEST(Explanation, WithoutAReportTheDeclarationIsShown) {
  const SmallSuite small;
  EXPECT_THAT(explained(small, "A-001", nullptr),
              AllOf(HasSubstr("whole  2 cases would run\n"),
                    HasSubstr("part   part does not claim `snapshot`: there is nothing to")));
}

TEST(Explanation, WithAReportItsStateIsShown) {
  const SmallSuite small;
  const LastReport report = report_of_a_run();
  const std::string text = explained(small, "A-001", &report);
  EXPECT_THAT(text, AllOf(HasSubstr("In run.log, of 2024-05-01T10:00:00Z\n"),
                          HasSubstr("F whole  failed"), HasSubstr("F FirstHolds: failed\n"),
                          HasSubstr("- part   not claimed: part does not claim `snapshot`\n"),
                          Not(HasSubstr("would run"))));
}

TEST(Explanation, SaysWhereThereIsNothing) {
  SmallSuite small;
  small.cases.clear();
  small.mutants.clear();
  EXPECT_THAT(
      explained(small, "B-001", nullptr),
      AllOf(HasSubstr("SHOULD"), HasSubstr("It applies to every flavor."),
            HasSubstr("No case holds a flavor to it yet"), HasSubstr("No mutant breaks it yet"),
            Not(HasSubstr("People met it")), Not(HasSubstr("prove mutants"))));
}

TEST(Explanation, FitsTheTerminal) {
  const SmallSuite small;
  Terminal narrow;
  narrow.width = 40;
  const LastReport report = report_of_a_run();
  for (const std::string& line : lines_of(explained(small, "A-001", &report, narrow))) {
    EXPECT_LE(columns_of(line), 40u) << line;
  }
}

TEST(Explanation, OfEveryRuleFitsEightyColumnsButForAddresses) {
  const Suite suite = whole_suite({});
  for (const Rule& rule : *suite.rules) {
    const std::string text =
        explanation_text(explain_rule(suite, rule, nullptr), nullptr, Terminal{}, "sandproof");
    for (const std::string& line : lines_of(text)) {
      if (line.find("https://") == std::string::npos) {
        EXPECT_LE(columns_of(line), 80u) << rule.id << ": " << line;
      }
    }
  }
}

TEST(Explanation, HasColoursWhereTheTerminalHas) {
  const SmallSuite small;
  Terminal colored;
  colored.color = true;
  EXPECT_THAT(explained(small, "A-001", nullptr, colored), HasSubstr("\x1b[1mA-001\x1b[0m"));
  EXPECT_THAT(explained(small, "A-001", nullptr), Not(HasSubstr("\x1b")));
}

TEST(ExplanationList, HasASymbolPerFlavor) {
  const SmallSuite small;
  const LastReport report = report_of_a_run();
  std::vector<Explanation> all;
  for (const Rule& rule : small.rules) all.push_back(explain_rule(small.suite, rule, &report));
  EXPECT_THAT(
      lines_of(explanation_list(all, &report, {})),
      ElementsAre("States in run.log, of 2024-05-01T10:00:00Z: whole, part", "",
                  "A-001  F-  M The first thing holds.", "B-001  +!  S The second thing holds."));
  all.clear();
  for (const Rule& rule : small.rules) all.push_back(explain_rule(small.suite, rule, nullptr));
  EXPECT_THAT(lines_of(explanation_list(all, nullptr, {})),
              ElementsAre("A-001  M The first thing holds.", "B-001  S The second thing holds."));
}

TEST(ExplanationJson, HasTheSameAsTheText) {
  const SmallSuite small;
  const LastReport report = report_of_a_run();
  const auto json =
      explanation_json({explain_rule(small.suite, small.rules.front(), &report)}, &report);
  EXPECT_EQ(json["report"]["file"], "run.log");
  ASSERT_THAT(json["rules"], SizeIs(1));
  const auto& rule = json["rules"][0];
  EXPECT_EQ(rule["id"], "A-001");
  EXPECT_EQ(rule["intent"], "Without it the second does not hold.");
  EXPECT_EQ(rule["cases"][0]["case"], "FirstHolds");
  EXPECT_EQ(rule["cases"][0]["file"], "conformance/explain_test.cc");
  EXPECT_EQ(rule["mutants"][0]["mutant"], "BreaksTheFirst");
  EXPECT_EQ(rule["flavors"][0]["state"], "failed");
  EXPECT_EQ(rule["flavors"][1]["state"], "unsupported");
  EXPECT_TRUE(explanation_json({}, nullptr)["report"].is_null());
}

// ---- What a run left -------------------------------------------------------------------------

TEST(LastReport, IsTheSameFromTheLogAndFromTheReport) {
  const Log log = log_of_a_run();
  const LastReport from_log = parse_last_report(log.text(), "x");
  const LastReport from_json =
      parse_last_report(to_json_report(build_run_model(parse_event_log(log.text(), "x"))), "x");
  ASSERT_THAT(from_json.flavors, SizeIs(2));
  EXPECT_EQ(from_json.started_at, from_log.started_at);
  EXPECT_TRUE(from_json.complete);
  for (std::size_t i = 0; i < from_log.flavors.size(); ++i) {
    EXPECT_EQ(from_json.flavors[i].name, from_log.flavors[i].name);
    EXPECT_THAT(from_json.flavors[i].rules, SizeIs(from_log.flavors[i].rules.size()));
    for (const auto& [id, rule] : from_log.flavors[i].rules) {
      const ReportedRule* const other = from_json.flavors[i].find_rule(id);
      ASSERT_NE(other, nullptr) << id;
      EXPECT_EQ(other->state, rule.state) << id;
      EXPECT_EQ(other->selected, rule.selected) << id;
      EXPECT_EQ(other->reason, rule.reason) << id;
      EXPECT_THAT(other->cases, SizeIs(rule.cases.size())) << id;
    }
  }
}

TEST(LastReport, ARunThatWasKilledIsIncomplete) {
  Log log;
  log.started().rule("A-001").flavor("whole").planned("FirstHolds", {"A-001"}, {}, "whole");
  const LastReport report = parse_last_report(log.text(), "x");
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.flavors.front().find_rule("A-001")->state, Outcome::kNotRun);
}

std::string refusal_of(const std::string& text) {
  try {
    parse_last_report(text, "some.file");
  } catch (const LastReportError& error) {
    return error.what();
  }
  return {};
}

TEST(LastReport, RefusesWhatIsNoneByName) {
  for (const char* text : {"", "{", "hello\n", "[]", "{}", "3", R"({"format": 1})",
                           R"({"format": 2, "run": {}, "flavors": []})",
                           R"({"format": 1, "run": {}, "flavors": [{"flavor": 3}]})",
                           "{\"event\": \"x\", \"seq\": 4}\n"}) {
    EXPECT_THAT(refusal_of(text), HasSubstr("some.file is neither")) << text;
  }
  EXPECT_THAT(refusal_of(R"({"format": 2, "run": {}, "flavors": []})"),
              HasSubstr("its format is 2"));
  EXPECT_THAT(refusal_of(R"({"format": 1, "run": {}, "flavors": []})"), IsEmpty());
}

}  // namespace
}  // namespace sandproof::conformance
