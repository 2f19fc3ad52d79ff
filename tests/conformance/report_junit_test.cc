// SPDX-License-Identifier: Apache-2.0
// JUnit XML: its schema, its counts, and that its colour is the program's exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/junit_report.h"
#include "tests/conformance/report_every_outcome.h"
#include "tests/conformance/report_known_list.h"
#include "tests/conformance/tool_output.h"

namespace sandproof::conformance {
namespace {

using fabricated::every_outcome_log;
using fabricated::incomplete_log;
using fabricated::lists_in_every_state;
using fabricated::Log;
using fabricated::log_with_list;
using fabricated::run_tool;
using fabricated::ScratchFile;
using fabricated::small_log;
using fabricated::ToolOutput;
using fabricated::usual_end;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The value of an XPath expression, as xmllint prints it.
std::string xpath(const std::string& xml, const std::string& expression) {
  const ScratchFile file("junit.xml", xml);
  ToolOutput output = run_tool({"xmllint", "--xpath", expression, file.path()});
  if (output.code != 0) return "xmllint (package libxml2-utils): " + output.text;
  while (output.text.ends_with('\n')) output.text.pop_back();
  return output.text;
}

void expect_valid(const std::string& xml) {
  const ScratchFile file("junit.xml", xml);
  const ToolOutput output = run_tool({"xmllint", "--noout", "--schema",
                                      std::string(CONFORMANCE_TESTS) + "/junit.xsd", file.path()});
  EXPECT_EQ(output.code, 0) << output.text;
}

std::string ending_of_case(const std::string& xml, const std::string& name) {
  return xpath(xml, "name(//testcase[@name='" + name + "']/*[1])");
}

TEST(JUnit, EveryOutcomeIsValidAndHasItsElement) {
  const std::string xml = to_junit_report(every_outcome_log().finished().model());
  expect_valid(xml);
  const std::vector<std::pair<std::string, std::string>> expected = {{"Passes", ""},
                                                                     {"Fails", "failure"},
                                                                     {"Errs", "error"},
                                                                     {"Hangs", "error"},
                                                                     {"Crashes", "error"},
                                                                     {"Warns", "skipped"},
                                                                     {"IsNotClaimed", "skipped"},
                                                                     {"FailsAsDeclared", "skipped"},
                                                                     {"PassesAgainst", "failure"},
                                                                     {"CannotBeSeen", "skipped"},
                                                                     {"N-001", "failure"}};
  for (const auto& [name, element] : expected)
    EXPECT_EQ(ending_of_case(xml, name), element) << name;
  EXPECT_EQ(xpath(xml, "count(//testcase)"), std::to_string(expected.size()));
}

TEST(JUnit, CountsAreThoseOfTheElements) {
  const std::string xml = to_junit_report(every_outcome_log({"local", "other"}).finished().model());
  for (const char* suite : {"local", "other"}) {
    const std::string path = std::string("//testsuite[@name='") + suite + "']";
    EXPECT_EQ(xpath(xml, "concat(" + path + "/@tests,' '," + path + "/@failures,' '," + path +
                             "/@errors,' '," + path + "/@skipped)"),
              "11 3 3 4");
    EXPECT_EQ(xpath(xml, "round(1000*sum(" + path + "/testcase/@time))"),
              xpath(xml, "round(1000*" + path + "/@time)"));
  }
  EXPECT_EQ(xpath(xml, "concat(/*/@tests,' ',/*/@failures,' ',/*/@errors)"), "22 6 6");
}

TEST(JUnit, AFailureTellsWhatTheConsoleTells) {
  const std::string xml = to_junit_report(every_outcome_log().finished().model());
  EXPECT_EQ(xpath(xml, "string(//testcase[@name='Fails']/failure/@message)"),
            "A-001: The sentence of A-001.");
  EXPECT_THAT(xpath(xml, "string(//testcase[@name='Fails']/failure)"),
              AllOf(HasSubstr("what was done"), HasSubstr("cases/kill.cc:41"),
                    HasSubstr("my-suite replay --flavor local --case Fails --seed 123 "
                              "--set 'greeting=a b'")));
  EXPECT_THAT(xpath(xml, "string(//testcase[@name='Hangs']/error)"),
              HasSubstr("in wait on process 77 of local-ab12"));
  EXPECT_EQ(xpath(xml, "string(//testcase[@name='Crashes']/system-err)"),
            "first\nterminate called");
}

TEST(JUnit, PropertiesHaveRulesSeedOutcomeAndReplay) {
  const std::string xml = to_junit_report(every_outcome_log().finished().model());
  const auto property = [&xml](const std::string& name) {
    return xpath(xml, "string(//testsuite/properties/property[@name='" + name + "']/@value)");
  };
  EXPECT_EQ(property("seed"), "123");
  EXPECT_EQ(property("verdict"), "not_conformant");
  EXPECT_EQ(property("case.Hangs.outcome"), "timeout");
  EXPECT_EQ(property("case.Hangs.rules"), "A-002");
  EXPECT_EQ(property("case.Errs.seed"), "18446744073709551615");
  EXPECT_EQ(property("case.Hangs.replay"),
            "my-suite replay --flavor local --case Hangs --seed 123 --set 'greeting=a b'");
}

TEST(JUnit, ASkippedCaseSaysWhy) {
  const std::string xml = to_junit_report(every_outcome_log().finished().model());
  const auto why = [&xml](const std::string& name) {
    return xpath(xml, "string(//testcase[@name='" + name + "']/skipped/@message)");
  };
  EXPECT_THAT(why("IsNotClaimed"), HasSubstr("not claimed: no "));
  EXPECT_EQ(why("CannotBeSeen"), "not observable here: needs images");
  EXPECT_THAT(why("FailsAsDeclared"), HasSubstr("failed as declared: known "));
  EXPECT_THAT(why("Warns"), HasSubstr("the rule is a SHOULD: failed after 0.31 s; B-001"));
}

TEST(JUnit, AnIncompleteRunIsAnErrorAndShowsWhatDidNotRun) {
  const std::string xml = to_junit_report(incomplete_log().model());
  expect_valid(xml);
  EXPECT_EQ(ending_of_case(xml, "IsNotRun"), "skipped");
  EXPECT_THAT(xpath(xml, "string(//testcase[@name='IsNotRun']/skipped/@message)"),
              HasSubstr("not run: ended by "));
  EXPECT_EQ(ending_of_case(xml, "RunIsComplete"), "error");
  EXPECT_THAT(xpath(xml, "string(//testcase[@name='RunIsComplete']/error/@message)"),
              HasSubstr("incomplete: ended by "));
}

TEST(JUnit, ARunThatFailedFastIsRedByWhatFailed) {
  Log log = small_log();
  log.planned("One", {"A-001"}).planned("Two", {"A-002"}).finishes("One", "failed");
  const std::string xml = to_junit_report(log.failed_fast("--fail-fast: One").model());
  expect_valid(xml);
  EXPECT_EQ(ending_of_case(xml, "One"), "failure");
  EXPECT_EQ(ending_of_case(xml, "Two"), "skipped");
  EXPECT_THAT(xpath(xml, "string(//testcase[@name='Two']/skipped/@message)"),
              HasSubstr("not run: --fail-fast: One"));
  EXPECT_EQ(ending_of_case(xml, "RunIsComplete"), "skipped");
}

TEST(JUnit, ALogThatEndsAtOnceIsValid) {
  for (const Log& log : {small_log(), small_log().finished(), Log().started(), Log()}) {
    expect_valid(to_junit_report(log.model()));
  }
  EXPECT_EQ(ending_of_case(to_junit_report(Log().started().model()), "RunIsComplete"), "error");
}

TEST(JUnit, HasAFailureExactlyWhereTheProgramFails) {
  Log warned = small_log();
  warned.planned("One", {"A-001"}).planned("Two", {"A-002"}).planned("Three", {"A-003"});
  warned.finishes("One", "passed").finishes("Two", "passed").finishes("Three", "failed").finished();
  Log uncovered = small_log();
  uncovered.planned("One", {"A-001"}).finishes("One", "passed").finished();
  Log unchecked = small_log({{"unclaimed", {{"snapshot", "why"}}}});
  unchecked.planned("One", {"A-001"}, {{"disposition", "unsupported"}, {"capability", "snapshot"}});
  unchecked.finished();
  for (const Log& log : {warned, uncovered, unchecked, small_log(), small_log().finished(),
                         every_outcome_log().finished(), incomplete_log()}) {
    const RunModel model = log.model();
    const int code = exit_code_of(model);
    EXPECT_EQ(xpath(to_junit_report(model), "count(//failure|//error) > 0") == "true", code != 0)
        << log.text();
  }
}

TEST(JUnit, AListOfKnownFailuresIsASuiteAndRedWhereTheRunIs) {
  for (const auto& [state, log, hold] : lists_in_every_state()) {
    const RunModel model = log.model();
    const std::string xml = to_junit_report(model);
    expect_valid(xml);
    const std::string suite = "//testsuite[@name='known-failures']";
    EXPECT_EQ(xpath(xml, "count(" + suite + "//failure) > 0"), hold ? "false" : "true") << state;
    EXPECT_EQ(xpath(xml, "count(//failure|//error) > 0") == "true", exit_code_of(model) != 0);
    EXPECT_EQ(xpath(xml, "count(" + suite + "/testcase)"),
              std::to_string(model.known_failures->entries.size() + 1));
  }
}

TEST(JUnit, AnEntryTellsWhatIsWrongWithItAndAnExcusedCaseWhy) {
  const std::string xml = to_junit_report(
      usual_end(log_with_list({{{"case", "One"}, {"link", "https://x.test/1"}},
                               {{"case", "One"}, {"expires", "2024-04-30"}, {"line", 9}},
                               {{"case", "Four"}, {"line", 14}}}))
          .model());
  EXPECT_EQ(xpath(xml, "string(//testcase[@name='One']/skipped/@message)"),
            "a known failure: the daemon (https://x.test/1)");
  EXPECT_EQ(ending_of_case(xml, "case `One`"), "");
  EXPECT_EQ(xpath(xml, "string(//testcase[@name='case `One` (line 9)']/failure/@message)"),
            "it expired on 2024-04-30, 1 day ago");
  EXPECT_EQ(xpath(xml, "string(//testcase[@name='case `Four`']/skipped/@message)"),
            "not judged here");
  EXPECT_EQ(ending_of_case(xml, "EveryFailureIsListed"), "");
  EXPECT_EQ(
      ending_of_case(to_junit_report(usual_end(log_with_list({})).model()), "EveryFailureIsListed"),
      "failure");
}

TEST(JUnit, BytesThatXmlDoesNotKnowAreSpelledOut) {
  RunModel model = every_outcome_log().finished().model();
  model.flavors[0].cases[1].failures[0].message = "bad \xff, nul \x01, \xEF\xBF\xBF";
  const std::string xml = to_junit_report(model);
  expect_valid(xml);
  EXPECT_THAT(
      xml, AllOf(HasSubstr("nul \\x01, \\uffff"), Not(HasSubstr("\xff")), Not(HasSubstr("\x1b"))));
}

}  // namespace
}  // namespace sandproof::conformance
