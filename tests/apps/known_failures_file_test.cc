// SPDX-License-Identifier: Apache-2.0
// The known-failures file: what it says, and what is refused with its place and what would be
// right.
#include "conformance/program/known_failures_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/program/failure_fragment.h"
#include "conformance/program/program_error.h"
#include "conformance/report/known_failures.h"

namespace sandproof::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr const char* kGood = R"(# What we know.

- case: Kill*          # a comment
  flavor: docker
  message: "status: is 0"
  reason: |
    The daemon loses it.
    # not a comment
  link: https://example.com/1
  expires: 2027-02-28
- rule: WAIT-001
  outcome: timeout
  reason: slow
  expires: 2028-02-29
)";

TEST(KnownFailuresFile, IsAListOfEntries) {
  const KnownFailuresFile file = parse_known_failures(kGood, "k.yaml");
  ASSERT_THAT(file.entries, SizeIs(2));
  EXPECT_TRUE(file.in_lines);
  EXPECT_EQ(file.indent, 0U);
  const KnownFailure& first = file.entries[0];
  EXPECT_EQ(first.line, 3);
  EXPECT_EQ(first.test_case, "Kill*");
  EXPECT_EQ(first.flavor, "docker");
  EXPECT_EQ(first.message, "status: is 0");
  EXPECT_EQ(first.reason, "The daemon loses it.\n# not a comment\n");
  EXPECT_EQ(first.link, "https://example.com/1");
  EXPECT_EQ(first.expires, "2027-02-28");
  EXPECT_EQ(file.entries[1].line, 11);
  EXPECT_EQ(file.entries[1].rule, "WAIT-001");
  EXPECT_EQ(file.entries[1].outcome, "timeout");
}

TEST(KnownFailuresFile, MayHaveNoEntries) {
  for (const char* text : {"", "\n", "# nothing yet\n", "---\n", "[]\n"}) {
    EXPECT_THAT(parse_known_failures(text, "k.yaml").entries, IsEmpty()) << text;
  }
}

TEST(KnownFailuresFile, MayHaveLinesThatEndWithACarriageReturn) {
  const std::string text = "- case: A\r\n  message: m\r\n  reason: r\r\n  expires: 2027-02-28\r\n";
  const KnownFailuresFile whole = parse_known_failures(text, "k.yaml");
  ASSERT_THAT(whole.entries, SizeIs(1));
  EXPECT_EQ(whole.entries[0].expires, "2027-02-28");
  const KnownFailuresFile cut = parse_known_failures(text.substr(0, text.size() - 1), "k.yaml");
  EXPECT_EQ(cut.entries, whole.entries);
}

TEST(KnownFailuresFile, SaysWhetherItCanBeChangedByLines) {
  EXPECT_FALSE(parse_known_failures("[{case: A, message: m, reason: r, expires: 2027-01-01}]", "k")
                   .in_lines);
  const std::string indented =
      "  - case: A\n    message: m\n    reason: r\n    expires: 2027-01-01";
  EXPECT_EQ(parse_known_failures(indented, "k").indent, 2U);
}

TEST(KnownFailuresFile, WritesWhatItReads) {
  const KnownFailure entry{
      1,  "*[x]",       "", "docker", "crashed", "a \"b\": \\x #\t\n é", "- because: y",
      "", "2027-02-28", 0,  {},       {}};
  for (const std::size_t indent : {0U, 2U}) {
    const KnownFailuresFile file = parse_known_failures(entry_text(entry, indent), "k");
    ASSERT_THAT(file.entries, SizeIs(1));
    EXPECT_EQ(file.entries[0], entry);
  }
}

struct BadFile {
  const char* name;
  std::string text;
  /// Begins the sentence.
  const char* place;
  std::vector<const char*> says;
};

void PrintTo(const BadFile& row, std::ostream* out) { *out << row.name; }

class EveryBadFile : public ::testing::TestWithParam<BadFile> {};

TEST_P(EveryBadFile, IsRefusedInOneSentence) {
  try {
    parse_known_failures(GetParam().text, "k.yaml");
    FAIL() << "it was accepted";
  } catch (const ProgramError& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    EXPECT_THAT(error.what(), StartsWith(GetParam().place));
    EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
    for (const char* text : GetParam().says) EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

/// A good entry with one more line, or another one.
std::string with(const std::string& line) {
  return "# k\n- case: A\n  message: m\n  reason: r\n  expires: 2027-02-28\n  " + line + "\n";
}
std::string without(const std::string& field) {
  std::string text = "- ";
  for (const char* line : {"case: A", "message: m", "reason: r", "expires: 2027-02-28"}) {
    if (!std::string(line).starts_with(field)) text += std::string(line) + "\n  ";
  }
  return text;
}

const BadFile kBadFiles[] = {
    {"no_yaml", "- case: A\n  message: Expected: x\n", "k.yaml:2: ", {"not YAML", "quotes"}},
    {"tab", "- case: A\n\tmessage: m\n", "k.yaml:", {"not YAML"}},
    {"a_map", "case: A\n", "k.yaml:1: ", {"has to be a list", "- case: "}},
    {"a_text", "A\n", "k.yaml:1: ", {"has to be a list"}},
    {"two_documents", "[]\n---\n[]\n", "k.yaml:3: ", {"second YAML document"}},
    {"an_entry_without_fields", "# k\n- A\n", "k.yaml:2: ", {"fields such as"}},
    {"an_empty_entry", "-\n", "k.yaml:", {"fields such as"}},
    {"unknown_field", with("mesage: m"), "k.yaml:6: ", {"`mesage`", "did you mean `message`?"}},
    {"unknown_field_far_off", with("zzzz: m"), "k.yaml:6: ", {"`zzzz`", "known are", "`expires`"}},
    {"merge_key", with("<<: x"), "k.yaml:6: ", {"`<<`"}},
    {"field_twice", with("message: n"), "k.yaml:6: ", {"`message` is given twice"}},
    {"a_list_as_text", with("link: [a, b]"), "k.yaml:6: ", {"`link`", "one text"}},
    {"empty_text", with("link:"), "k.yaml:6: ", {"`link` is empty"}},
    {"blank_text", with("link: '  '"), "k.yaml:6: ", {"`link` is empty"}},
    {"neither_case_nor_rule", without("case"), "k.yaml:1: ", {"neither `case` nor `rule`"}},
    {"case_and_rule", with("rule: KILL-001"), "k.yaml:2: ", {"both `case` and `rule`"}},
    {"no_message", without("message"), "k.yaml:1: ", {"no `message`", "outcome: timeout"}},
    {"no_message_for_an_error",
     without("message") + "outcome: error\n",
     "k.yaml:1: ",
     {"no `message`"}},
    {"no_reason", without("reason"), "k.yaml:1: ", {"no `reason`", "say why"}},
    {"no_day", without("expires"), "k.yaml:1: ", {"no `expires`", "2027-02-28", "deviation"}},
    {"no_such_day", without("expires") + "expires: 2027-02-29\n", "k.yaml:1: ", {"`2027-02-29`"}},
    {"a_word_as_day", without("expires") + "expires: soon\n", "k.yaml:1: ", {"`soon`", "a day"}},
    {"a_time_as_day", without("expires") + "expires: 2027-02-28T00\n", "k.yaml:1: ", {"a day"}},
    {"unknown_outcome",
     with("outcome: hung"),
     "k.yaml:2: ",
     {"`hung`", "failed, error, timeout, crashed"}},
    {"a_pass", with("outcome: passed"), "k.yaml:2: ", {"`passed`"}},
    {"flaky_outcome", with("outcome: flaky"), "k.yaml:2: ", {"`outcome: flaky`", "can never fail"}},
    {"flaky_field", with("flaky: true"), "k.yaml:6: ", {"`flaky`", "can never fail"}},
    {"the_same_twice", with("link: a") + with("link: b"), "k.yaml:8: ", {"that of line 2"}},
    {"too_large", std::string(2'000'000, '#'), "the known-failures file k.yaml", {"2000000 bytes"}},
    {"deep", std::string(100'000, '['), "k.yaml:", {"not YAML"}},
};

INSTANTIATE_TEST_SUITE_P(KnownFailuresFile, EveryBadFile, ::testing::ValuesIn(kBadFiles),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(KnownFailuresFile, LooksItsPatternsUpInTheSuite) {
  const std::vector<Case> cases = {
      {.name = "KillIsIdempotent", .rules = {"KILL-001"}, .body = nullptr},
      {.name = "KillEnds", .rules = {"KILL-001", "WAIT-001"}, .body = nullptr}};
  std::vector<Rule> rules(2);
  rules[0].id = "KILL-001";
  rules[1].id = "WAIT-001";
  Suite suite;
  suite.cases = &cases;
  suite.rules = &rules;
  suite.bindings.resize(2);
  suite.bindings[0].flavor.name = "local";
  suite.bindings[1].flavor.name = "docker";
  const auto looked_up = [&suite](KnownFailure entry) {
    look_up(entry, suite);
    return entry;
  };
  KnownFailure entry;
  entry.test_case = "Kill*";
  EXPECT_EQ(looked_up(entry).suite_cases, 2U);
  EXPECT_THAT(looked_up(entry).flavors, ElementsAre("local", "docker"));
  entry.flavor = "loc*";
  EXPECT_THAT(looked_up(entry).flavors, ElementsAre("local"));
  entry.flavor = "loca";
  EXPECT_THAT(looked_up(entry).nearest, ElementsAre("local"));
  entry.flavor.clear();
  entry.test_case = "KillEnd";
  EXPECT_EQ(looked_up(entry).suite_cases, 0U);
  EXPECT_THAT(looked_up(entry).nearest, ElementsAre("KillEnds"));
  entry.test_case.clear();
  entry.rule = "wait-001";
  EXPECT_EQ(looked_up(entry).suite_cases, 0U) << "no failure is charged to it";
}

TEST(FailureFragment, IsWhatTheNextRunSaysAgain) {
  const auto of = [](const std::string& text) { return stable_fragment({text}); };
  EXPECT_EQ(of("threw BackendError: cannot connect to /run/x-12.sock: no such file"),
            "threw BackendError: cannot connect to");
  EXPECT_EQ(of("Value of: left\nExpected: is empty\n  Actual: { \"process 9629: sleep 30\" }"),
            "Expected: is empty");
  EXPECT_EQ(of("Expected equality of these values:\n  status.code()\n    Which is: 143\n  137"),
            "status.code()");
  EXPECT_EQ(of("1 != 2"), "1 != 2");
  EXPECT_EQ(stable_fragment({"1 != 2", "the lines are out of order"}),
            "the lines are out of order");
  EXPECT_EQ(stable_fragment({}), "");
}

TEST(FailureFragment, IsAPartOfTheTextAndNotLong) {
  std::string words;
  for (int i = 0; i < 100; ++i) words += i % 7 == 6 ? "  \n word" : " some";
  for (const std::string& text : {words, std::string(500, 'x'), std::string(79, '1') + "\u00e9",
                                  std::string("a 1 bb 2 ccc 3 dddd \t eeee")}) {
    const std::string fragment = stable_fragment({text});
    EXPECT_THAT(collapse_space(text), HasSubstr(fragment));
    EXPECT_LE(fragment.size(), 80U);
    EXPECT_FALSE(fragment.empty());
  }
}

}  // namespace
}  // namespace sandproof::conformance
