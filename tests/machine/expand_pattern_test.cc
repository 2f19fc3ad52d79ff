// SPDX-License-Identifier: Apache-2.0
// Patterns, compared with what the real shells match and cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "fakes/machine/shell/expand/pattern.h"
#include "fakes/machine/shell/expand/piece.h"
#include "tests/machine/expand_real_shell.h"

namespace sandproof::machine::shell {
namespace {

struct PatternRow {
  std::string pattern;
  std::string text;
};

struct CutRow {
  Cut which;
  std::string_view spelled;
};

constexpr std::array<CutRow, 4> kCuts = {{{Cut::kSmallestPrefix, "#"},
                                          {Cut::kLargestPrefix, "##"},
                                          {Cut::kSmallestSuffix, "%"},
                                          {Cut::kLargestSuffix, "%%"}}};

// What a script and the machine say of one row: "y" or "n", then what each cut leaves.
std::string pattern_script(const PatternRow& row) {
  std::string script =
      "p=" + quote_for_script(row.pattern) + " t=" + quote_for_script(row.text) + "\n";
  script += "case $t in $p) r=y;; *) r=n;; esac\nprintf '%s' \"$r\"\n";
  for (const CutRow& cut : kCuts) {
    script += "printf '|%s' \"${t" + std::string(cut.spelled) + "$p}\"\n";
  }
  return script;
}

std::string pattern_answer(const PatternRow& row, Caret caret) {
  const Pattern pattern(row.pattern, caret);
  std::string answer = pattern.matches(row.text) ? "y" : "n";
  for (const CutRow& cut : kCuts) {
    answer += "|" + std::string(pattern.cut(row.text, cut.which));
  }
  return answer;
}

int compare_patterns(const RealShell& shell, const std::vector<PatternRow>& rows,
                     Caret caret = Caret::kLiteral) {
  std::vector<std::string> scripts;
  for (const PatternRow& row : rows) scripts.push_back(pattern_script(row));
  const auto runs = run_all(shell, scripts);
  int matched = 0;
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const std::string answer = pattern_answer(rows[index], caret);
    EXPECT_EQ(answer, runs[index].out) << "pattern " << testing::PrintToString(rows[index].pattern)
                                       << " text " << testing::PrintToString(rows[index].text);
    if (answer.starts_with('y')) ++matched;
  }
  return matched;
}

std::vector<PatternRow> pattern_rows() {
  std::vector<PatternRow> rows;
  const std::vector<std::string> patterns = {"",
                                             "a",
                                             "*",
                                             "?",
                                             "??",
                                             "a*",
                                             "*a",
                                             "*a*",
                                             "a*b*c",
                                             "[abc]",
                                             "[a-c]",
                                             "[!a]",
                                             "[^a]",
                                             "[!a-c]",
                                             "[]a]",
                                             "[!]a]",
                                             "[a",
                                             "[",
                                             "[]",
                                             "[!]",
                                             "[a-]",
                                             "[-a]",
                                             "[c-a]",
                                             "[\\]]",
                                             "[a\\-c]",
                                             "\\*",
                                             "\\a",
                                             "a\\",
                                             "\\",
                                             "[[:alpha:]]",
                                             "[[:digit:]]",
                                             "[![:space:]]",
                                             "[[:foo:]]",
                                             "[[:alpha:]",
                                             "[[:upper:]0-9_]",
                                             "[[:alpha:][:digit:]]*",
                                             "*.*",
                                             ".*",
                                             "*/*",
                                             "[/]",
                                             "a?c",
                                             "[a-c]*[x-z]",
                                             "[[]",
                                             "[[a]",
                                             "a[]b",
                                             "[*]",
                                             "[?]",
                                             "[!*]",
                                             "**",
                                             "*?",
                                             "?*",
                                             "[a-c-e]",
                                             "[--0]",
                                             "[!-a]",
                                             "[[:xdigit:]]",
                                             "[[:punct:]]",
                                             "[[:blank:]]",
                                             "[[:cntrl:]]",
                                             "[[:graph:]]",
                                             "[[:print:]]",
                                             "[[:lower:]]",
                                             "[[:alnum:]]",
                                             "[a[:digit:]b]",
                                             "[:alpha:]",
                                             "[[:alpha]",
                                             "[[.a.]]",
                                             "[[=a=]]"};
  const std::vector<std::string> texts = {
      "",    "a", "b", "c",    "-",     "]",        "[",   "[a",        "*",   "\\",
      "a\\", "!", "^", "abc",  "aXbYc", "a.b",      ".x",  "a/b",       "/",   "aXc",
      "?",   "5", "A", "_",    " ",     "\t",       "az",  "ab]",       "a[b", "[]",
      "[!]", "e", ":", "\x7f", "~",     "[:alpha]", "a-c", "[[:alpha:", ".",   "\xc3\xa9"};
  for (const std::string& pattern : patterns) {
    for (const std::string& text : texts) rows.push_back({pattern, text});
  }
  return rows;
}

TEST(ExpandPattern, RowsMatchAndCutAsDash) {
  EXPECT_GT(compare_patterns(real_dash(), pattern_rows()), 200);
}

TEST(ExpandPattern, RandomPatternsMatchAndCutAsDash) {
  std::mt19937 engine(20240501);
  const std::vector<std::string> pieces = {"a", "b", "c",  "*",  "?",  "[", "]", "!",
                                           "-", "^", "\\", "[a", "b]", ".", "/", "[:alpha:]"};
  const std::vector<std::string> letters = {"a", "b", "c", "]", "-", "[", ".", "/", "\\", "!"};
  std::vector<PatternRow> rows;
  for (int count = 0; count < 3000; ++count) {
    rows.push_back({random_text(engine, pieces, 7), random_text(engine, letters, 6)});
  }
  EXPECT_GT(compare_patterns(real_dash(), rows), 50);
}

TEST(ExpandPattern, RowsMatchAndCutAsBusybox) {
  // Where busybox, which matches with fnmatch(3), has another opinion than dash: a backslash at the
  // end, a class that is none, and collating symbols.
  const std::vector<std::string> differ = {"\\", "a\\", "[[:foo:]]", "[[.a.]]", "[[=a=]]"};
  std::vector<PatternRow> rows = pattern_rows();
  std::erase_if(rows, [&](const PatternRow& row) {
    return std::find(differ.begin(), differ.end(), row.pattern) != differ.end();
  });
  EXPECT_GT(compare_patterns(real_busybox(), rows, Caret::kNegates), 200);
}

// A pattern of quoted and unquoted parts; a backslash of a variable quotes what comes next,
// whatever that is.
TEST(ExpandPattern, PatternsOfPiecesMatchAsDash) {
  std::mt19937 engine(808);
  const std::vector<std::string> pieces = {"a", "*", "?",   "\\",   "[",         "]", "-",
                                           "!", "b", "[ab", "\\\\", "[:alpha:]", ":", "="};
  const std::vector<std::string> letters = {"a", "b", "*", "\\", "[", "]", "-", "!", "?"};
  std::vector<std::string> scripts;
  std::vector<std::string> answers;
  int matched = 0;
  for (int count = 0; count < 3000; ++count) {
    std::string text = random_text(engine, letters, 4);
    std::string script;
    std::string word;
    Field field;
    for (auto left = 1 + engine() % 4; left > 0; --left) {
      const bool quoted = engine() % 2 == 0;
      const std::string name = "v" + std::to_string(left);
      field.push_back({pick(engine, pieces), quoted, true});
      script += name + "=" + quote_for_script(field.back().text) + "; ";
      word += quoted ? "\"$" + name + "\"" : "$" + name;
    }
    if (count % 2 == 0) text = text_of(field);
    script += "t=" + quote_for_script(text) + "; ";
    scripts.push_back(script + "case $t in " + word + ") printf y;; *) printf n;; esac");
    answers.emplace_back(Pattern(pattern_of(field)).matches(text) ? "y" : "n");
    if (answers.back() == "y") ++matched;
  }
  EXPECT_GT(matched, 500);
  const auto runs = run_all(real_dash(), scripts);
  for (std::size_t index = 0; index < scripts.size(); ++index) {
    EXPECT_EQ(answers[index], runs[index].out) << scripts[index];
  }
}

TEST(ExpandPattern, QuotedTextMatchesItselfOnly) {
  for (const PatternRow& row : pattern_rows()) {
    const std::string quoted = quote_pattern(row.pattern);
    EXPECT_FALSE(Pattern(quoted).has_magic()) << row.pattern;
    EXPECT_EQ(unquote_pattern(quoted), row.pattern);
    EXPECT_EQ(Pattern(quoted).matches(row.text), row.pattern == row.text) << row.pattern;
    // In a bracket, too.
    if (row.pattern.empty()) continue;
    EXPECT_TRUE(Pattern("[" + quoted + "]").matches(row.pattern.substr(0, 1))) << row.pattern;
  }
}

// An exponential matcher would not come back.
TEST(ExpandPattern, StarsDoNotBlowUp) {
  std::string stars;
  for (int count = 0; count < 200; ++count) stars += "a*";
  const std::string text(20'000, 'a');
  const Pattern pattern(stars + "b");
  EXPECT_FALSE(pattern.matches(text));
  EXPECT_TRUE(pattern.matches(text + "b"));
  EXPECT_EQ(pattern.cut(text, Cut::kLargestPrefix).size(), text.size());
  EXPECT_EQ(pattern.cut(text + "bc", Cut::kSmallestPrefix), "c");
  EXPECT_EQ(Pattern(stars).cut(text, Cut::kSmallestSuffix).size(), text.size() - 200);
}

}  // namespace
}  // namespace sandproof::machine::shell
