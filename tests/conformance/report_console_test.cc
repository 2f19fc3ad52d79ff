// SPDX-License-Identifier: Apache-2.0
// The console report: what a person has to find in it, not how it is laid out to the last space.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/console.h"
#include "conformance/report/matrix.h"
#include "conformance/report/shell_line.h"
#include "conformance/report/summary.h"
#include "tests/conformance/report_log.h"

namespace sandproof::conformance {
namespace {

using fabricated::Json;
using fabricated::Log;
using fabricated::small_log;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Le;
using testing::Not;
using testing::ResultOf;

std::string report(const Log& log, Terminal terminal = {}) {
  return console_report(log.model(), terminal);
}

Log failing_log(Json flavor_keys = Json::object(), Json started = Json::object()) {
  Log log = small_log(std::move(flavor_keys), std::move(started));
  log.planned("One", {"A-001", "A-002"}).planned("Two", {"A-002"}).planned("Three", {"A-003"});
  log.on("One", "note", {{"text", "exec sh -c 'echo ready'"}});
  log.on("One", "assertion_failed",
         {{"file", "/src/conformance/cases/kill.cc"},
          {"line", 41},
          {"message", "Expected equality of these values:\n  status\n    Which is: 143\n  137"}});
  log.finishes("One", "failed").finishes("Two", "passed").finishes("Three", "passed").finished();
  return log;
}

TEST(Console, AFailureTellsRuleDeedExpectationAndReplay) {
  const std::string text = report(failing_log());
  EXPECT_THAT(text, AllOf(HasSubstr("A-001  One on local: failed after 0.31 s"),
                          HasSubstr("The sentence of A-001."),
                          HasSubstr("also A-002: The sentence of A-002."),
                          HasSubstr("exec sh -c 'echo ready'"), HasSubstr("cases/kill.cc:41"),
                          HasSubstr("Which is: 143"),
                          HasSubstr("sandproof replay --flavor local --case One --seed 123\n")));
}

TEST(Console, FailuresComeFirstAndTheVerdictLast) {
  const std::string text = report(failing_log());
  const std::size_t failure = text.find("A-001  One");
  const std::size_t matrix = text.find("F failed");
  const std::size_t verdict = text.find("local: not conformant: 2 MUST rules do not hold");
  EXPECT_LT(failure, matrix);
  EXPECT_LT(matrix, verdict);
  EXPECT_NE(verdict, std::string::npos);
}

TEST(Console, AHangSaysWhoWaitedForWhatAndWhere) {
  Log log = small_log();
  log.planned("One", {"A-001"}).times_out("One").finished();
  Terminal wide;
  wide.width = 160;
  EXPECT_THAT(report(log, wide),
              AllOf(HasSubstr("hung: ended at its limit after 20.0 s"),
                    HasSubstr("waited 20.0 s in wait on process 77 of local-ab12 at "
                              "cases/kill.cc:41; last bytes: \"ready\\n\"")));
}

TEST(Console, ACrashShowsTheStatusAndTheLastLines) {
  Log log = small_log();
  log.planned("One", {"A-001"}).crashes("One").finished();
  EXPECT_THAT(report(log),
              AllOf(HasSubstr("crashed after 0.01 s: signaled(11)"), HasSubstr("terminate called"),
                    HasSubstr("gdb --args sandproof replay --flavor local --case One --seed 123 "
                              "--in-process\n")));
  EXPECT_THAT(report(failing_log()), Not(HasSubstr("gdb")));
}

// Its last lines are the outer frames of main(); what is wrong stands at its beginning.
TEST(Console, AReportOfASanitizerIsShownFromItsBeginning) {
  std::string printed = "told before\n==7==ERROR: AddressSanitizer: heap-use-after-free\n";
  for (int i = 0; i < 60; ++i) printed += "    #" + std::to_string(i) + " a frame\n";
  Log log = small_log();
  log.planned("One", {"A-001"}).crashes("One", "local", printed).finished();
  EXPECT_THAT(report(log), AllOf(HasSubstr("(1 before these)\n      ==7==ERROR: AddressSanitizer"),
                                 HasSubstr("#22 a frame\n      (37 more)\n")));
}

TEST(Console, TheReplayLineComesFromTheLogAlone) {
  const Log log = failing_log({{"binding", "box"}, {"replay", {"--set", "greeting=a b"}}},
                              {{"program", "my-suite"}, {"time_scale", 4.0}});
  EXPECT_THAT(report(log), HasSubstr("my-suite replay --flavor box --case One --seed 123 --set "
                                     "'greeting=a b' --time-scale 4\n"));
}

TEST(Console, AReplayLineCallsTheProgramAsItWasCalled) {
  const auto line_of = [](const char* called) {
    Log log = small_log({}, {{"program", "my-suite"}, {"argv", {called, "run"}}});
    log.planned("One", {"A-001"}).crashes("One", "local").finished();
    const std::string text = report(log);
    const std::size_t end = text.find(" replay --flavor local --case One --seed 123\n");
    const std::size_t begin = text.rfind("      ", end) + 6;
    const std::string word = text.substr(begin, end - begin);
    EXPECT_THAT(text, HasSubstr("gdb --args " + word + " replay "));
    return word;
  };
  EXPECT_EQ(line_of("build/my-suite"), "build/my-suite");
  EXPECT_EQ(line_of("./my suites/my-suite"), "'./my suites/my-suite'");
  EXPECT_EQ(line_of("my-suite"), "my-suite");
  // Of another program, as in a log that a test made: its name is all that is known.
  EXPECT_EQ(line_of("/opt/other"), "my-suite");
}

TEST(Console, ForeignBytesDoNotDriveTheTerminal) {
  Log log = small_log();
  log.planned("One", {"A-001"});
  log.on("One", "note", {{"text", "\x1b[2J\x07 and \xc2\x9b"}});
  log.on("One", "assertion_failed", {{"message", "red \x1b[31m\r"}});
  log.finishes("One", "failed").finished();
  const std::string text = report(log);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
  EXPECT_THAT(text, Not(HasSubstr("\xc2\x9b")));
  EXPECT_THAT(text, HasSubstr("\\x1b[2J"));
}

TEST(Console, LongMessagesAreCutInTheirMiddle) {
  Log log = small_log();
  log.planned("One", {"A-001"});
  std::string message;
  for (int i = 0; i < 1000; ++i) message += "line " + std::to_string(i) + "\n";
  log.on("One", "assertion_failed", {{"message", message}});
  log.finishes("One", "failed").finished();
  EXPECT_THAT(report(log), AllOf(HasSubstr("      line 0\n"), HasSubstr(" more)"),
                                 Not(HasSubstr("line 500")), HasSubstr("line 999\n")));
}

TEST(Console, AReplayLineIsNeitherCutNorChanged) {
  const std::string value = "motd=" + std::string(600, 'x') + "\nit's \x1b[31m";
  const Log log = failing_log({{"replay", {"--set", value}}});
  const std::string text = report(log);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("--set " + shell_word(value) + "\n"));
}

TEST(Console, ColoursOnlyWhereTheTerminalHasThem) {
  Terminal terminal;
  EXPECT_THAT(report(failing_log(), terminal), Not(HasSubstr("\x1b[")));
  terminal.color = true;
  EXPECT_THAT(report(failing_log(), terminal), HasSubstr("\x1b["));
}

TEST(Console, AnIncompleteRunSaysWhyAndHowMuchIsMissing) {
  Log log = small_log();
  log.planned("One", {"A-001"}).planned("Two", {"A-002"}).finishes("One", "passed");
  EXPECT_THAT(report(log), HasSubstr("local: incomplete: the run was killed before its end; 1 of 2 "
                                     "cases not run."));
  log.finished(true, "interrupted by SIGINT");
  EXPECT_THAT(report(log), HasSubstr("incomplete: interrupted by SIGINT; 1 of 2 cases not run."));
}

TEST(Console, WhatFailFastLeftOutIsNamed) {
  Log log = small_log();
  log.planned("One", {"A-001"}).planned("Two", {"A-002"}).planned("Three", {"A-003"});
  log.finishes("One", "failed").failed_fast("--fail-fast: One did not pass on local");
  Terminal wide;
  wide.width = 200;
  EXPECT_THAT(report(log, wide),
              AllOf(HasSubstr("local: not conformant: 1 MUST rule does not hold (A-001). "
                              "--fail-fast: One did not pass on local; 2 of 3 cases not run."),
                    HasSubstr("not run: Two, Three\n"), Not(HasSubstr("warning"))));
}

TEST(Console, ABrokenRefusalIsToldEvenWithoutACase) {
  Log log;
  log.started().rule("CAP-002").flavor("local");
  log.add("refusal", {{"flavor", "local"},
                      {"capability", "attach"},
                      {"held", false},
                      {"message", "attach() gave a session"}});
  log.finished();
  EXPECT_THAT(report(log), AllOf(HasSubstr("CAP-002  on local"),
                                 HasSubstr("`attach`: attach() gave a session")));
}

TEST(Console, WhatCannotBeSeenIsListedWithItsReason) {
  Log log;
  log.started().rule("A-001", "M", {}, {"faults"}).rule("A-002", "M", {}, {"faults"});
  log.rule("A-003", "M", {}, {"faults"}).rule("A-004", "M", {"attach"});
  log.flavor("local", {{"capabilities", {"stdin"}},
                       {"unclaimed", {{"attach", "it ends"}}},
                       {"not_provided", {{"faults", "real processes"}}}});
  log.add("refusal", {{"flavor", "local"}, {"capability", "attach"}, {"held", true}}).finished();
  EXPECT_THAT(report(log), AllOf(HasSubstr("not observable here (needs faults: real processes): "
                                           "A-001 to 003"),
                                 HasSubstr("not claimed (`attach`: it ends): A-004"),
                                 HasSubstr("local: conformant as declared.")));
}

Log wide_log(int flavors) {
  Log log;
  log.started();
  for (int i = 1; i <= 21; ++i)
    log.rule("EXEC-0" + std::string(i < 10 ? "0" : "") + std::to_string(i));
  for (int f = 0; f < flavors; ++f) {
    const std::string flavor = "flavor" + std::to_string(f);
    log.flavor(flavor);
    log.planned("Case", {"EXEC-014"}, {}, flavor).finishes("Case", "failed", flavor);
  }
  return log.finished();
}

TEST(Matrix, PutsARuleAtTheColumnOfItsNumber) {
  const std::string text = matrix_text(wide_log(1).model(), {});
  EXPECT_THAT(text, HasSubstr("EXEC  !!!!! !!!!! !!!F! !!!!! !\n"));
  EXPECT_THAT(text, HasSubstr("      1     6     11    16    21\n"));
}

TEST(Matrix, FitsTheWidthAndContinuesBelow) {
  for (const std::size_t width : {40U, 80U, 120U}) {
    Terminal terminal;
    terminal.width = width;
    const std::string text = matrix_text(wide_log(5).model(), terminal);
    EXPECT_THAT(lines_of(text), Each(ResultOf(columns_of, Le(width))));
    for (const char* flavor : {"flavor0", "flavor1", "flavor2", "flavor3", "flavor4"}) {
      EXPECT_THAT(text, HasSubstr(flavor));
    }
  }
}

TEST(Matrix, FourFlavorsStandSideBySideIn120Columns) {
  Terminal terminal;
  terminal.width = 120;
  const std::string text = matrix_text(wide_log(4).model(), terminal);
  EXPECT_THAT(lines_of(text).front(), AllOf(HasSubstr("flavor0"), HasSubstr("flavor3")));
}

TEST(Summary, JoinsNeighbouringIds) {
  EXPECT_EQ(join_ids({"A-001", "A-002", "A-003", "A-005", "B-006", "B-007"}),
            "A-001 to 003, A-005, B-006, B-007");
  EXPECT_EQ(join_ids({}), "");
}

}  // namespace
}  // namespace sandproof::conformance
