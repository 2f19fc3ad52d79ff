// SPDX-License-Identifier: Apache-2.0
// Splitting and the parameters that are many, compared with the words that a real shell makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "fakes/machine/shell/expand/field_split.h"
#include "tests/machine/expand_real_shell.h"

namespace sandproof::machine::shell {
namespace {

// A word, as the script spells it and as the pieces that it is.
struct SplitRow {
  std::optional<std::string> ifs;
  std::vector<std::string> parameters;
  std::vector<std::string> values;  // Of v0, v1, …
  // 'l' a literal, 'q' quoted text, 'v' and 'V' a variable, unquoted and quoted, '@' '*' and 'A'
  // 'S' in quotes.
  std::string word;
};

constexpr std::string_view kQuotedText = "q r";

std::string split_script(const SplitRow& row) {
  std::string script = "set -f; set --";
  for (const std::string& parameter : row.parameters) script += " " + quote_for_script(parameter);
  std::string word;
  std::size_t variable = 0;
  for (const char part : row.word) {
    const std::string name = "${v" + std::to_string(variable) + "}";
    if (part == 'l') word += "l";
    if (part == 'q') word += quote_for_script(kQuotedText);
    if (part == 'e') word += "''";
    if (part == 'v') word += name;
    if (part == 'V') word += "\"" + name + "\"";
    if (part == '@') word += "$@";
    if (part == '*') word += "$*";
    if (part == 'A') word += "\"$@\"";
    if (part == 'S') word += "\"$*\"";
    if (part == 'v' || part == 'V') {
      script += "; v" + std::to_string(variable) + "=" + quote_for_script(row.values[variable]);
      ++variable;
    }
  }
  script += row.ifs ? "; IFS=" + quote_for_script(*row.ifs) : "; unset IFS";
  // The count is apart from the fields: none and one that is empty differ.
  return script + "; set -- " + word + "; printf '%s' $#; IFS=; printf '<%s>' \"$@\"";
}

std::vector<Piece> split_pieces(const SplitRow& row) {
  std::vector<Piece> pieces;
  std::size_t variable = 0;
  const auto add_all = [&](bool quoted) {
    for (Piece& piece : all_parameters(row.parameters, quoted)) pieces.push_back(piece);
  };
  for (const char part : row.word) {
    if (part == 'l') pieces.push_back({"l"});
    if (part == 'q') pieces.push_back({std::string(kQuotedText), true});
    if (part == 'e') pieces.push_back({"", true});
    if (part == 'v') pieces.push_back({row.values[variable++], false, true});
    if (part == 'V') pieces.push_back({row.values[variable++], true, true});
    if (part == '@' || part == '*') add_all(false);
    if (part == 'A') add_all(true);
    if (part == 'S') pieces.push_back({joined_parameters(row.parameters, row.ifs), true, true});
  }
  return pieces;
}

std::string split_answer(const SplitRow& row) {
  const auto fields = split_fields(split_pieces(row), row.ifs);
  std::string answer = std::to_string(fields.size());
  for (const Field& field : fields) answer += "<" + text_of(field) + ">";
  // printf uses its format once, whatever.
  return fields.empty() ? answer + "<>" : answer;
}

void compare_splits(const RealShell& shell, const std::vector<SplitRow>& rows) {
  std::vector<std::string> scripts;
  for (const SplitRow& row : rows) scripts.push_back(split_script(row));
  const auto runs = run_all(shell, scripts);
  for (std::size_t index = 0; index < rows.size(); ++index) {
    EXPECT_EQ(split_answer(rows[index]), runs[index].out) << scripts[index];
    EXPECT_EQ(runs[index].err, "") << scripts[index];
  }
}

std::vector<SplitRow> split_rows() {
  std::vector<SplitRow> rows;
  const std::vector<std::optional<std::string>> separators = {std::nullopt, "",   " \t\n", ":",
                                                              " :",         ":/", "l"};
  const std::vector<std::string> values = {
      "",      " ",    "a",      " a ",    "a b",  "a  b",  ":",     "::",      "a:b",
      "a::b",  ":a",   "a:",     "a: ",    "a :b", "a : b", " : a",  "a : : b", "a:b/c",
      "\ta\n", "a\tb", "a \n b", " :: a ", "a:: ", "\\",    "a\\ b", "*"};
  for (const auto& ifs : separators) {
    for (const std::string& value : values) {
      for (const std::string_view word : {"v", "V", "lv", "vl", "ve", "ev", "vq", "qv"}) {
        rows.push_back({ifs, {}, {value}, std::string(word)});
      }
      rows.push_back({ifs, {}, {value, value}, "vv"});
      rows.push_back({ifs, {}, {value, value}, "vV"});
    }
    const std::vector<std::vector<std::string>> lists = {
        {},        {""},      {"", ""},       {"a"},        {"a", "b"},   {"a", "", "b"},
        {"", "a"}, {"a", ""}, {"a b", "c d"}, {"a:", ":b"}, {"a ", ":b"}, {"b", ":"}};
    for (const auto& list : lists) {
      for (const std::string_view word : {"@", "*", "A", "S", "l@l", "l*l", "lAl", "lSl", "eA",
                                          "Ae", "e@", "@e", "AA", "@@", "A@"}) {
        rows.push_back({ifs, list, {}, std::string(word)});
      }
    }
  }
  return rows;
}

std::vector<SplitRow> random_split_rows(int count) {
  std::mt19937 engine(4242);
  const std::vector<std::string> letters = {"a", "b", " ", ":", "/", "\t", "\n", "l"};
  const std::vector<std::optional<std::string>> separators = {std::nullopt, "",    ":",  " ",
                                                              " :",         ": /", "\n", "a"};
  std::vector<SplitRow> rows;
  while (count-- > 0) {
    SplitRow row;
    row.ifs = pick(engine, separators);
    for (auto left = engine() % 4; left > 0; --left) {
      row.parameters.push_back(random_text(engine, letters, 4));
    }
    row.word = random_text(engine, {"l", "q", "e", "v", "v", "v", "V", "@", "*", "A", "S"}, 4);
    for (std::size_t left = 0; left < row.word.size(); ++left) {
      row.values.push_back(random_text(engine, letters, 6));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// Without the rows where one of `parts` follows a "$@" in the same word.
std::vector<SplitRow> without_after_all(std::vector<SplitRow> rows, std::string_view parts) {
  std::erase_if(rows, [&](const SplitRow& row) {
    const std::size_t all = row.word.find('A');
    return all != std::string::npos && row.word.find_first_of(parts, all) != std::string::npos;
  });
  return rows;
}

// What dash and busybox do not agree on, and dash with itself: behind a "$@" of the same word, dash
// makes an empty field of white space that separates, busybox of the end of a parameter.
constexpr std::string_view kDashDiffers = "v@*";
constexpr std::string_view kBusyboxDiffers = "@*";

TEST(ExpandFieldSplit, RowsAreTheWordsOfDash) {
  compare_splits(real_dash(), without_after_all(split_rows(), kDashDiffers));
}
TEST(ExpandFieldSplit, RandomWordsAreThoseOfDash) {
  compare_splits(real_dash(), without_after_all(random_split_rows(2500), kDashDiffers));
}
TEST(ExpandFieldSplit, RandomWordsAreThoseOfBusybox) {
  compare_splits(real_busybox(), without_after_all(random_split_rows(2500), kBusyboxDiffers));
}

TEST(ExpandFieldSplit, FieldsKeepWhatWasQuoted) {
  const std::vector<Piece> word = {{"*", true}, {"a* b", false, true}, {"?", false}};
  const auto fields = split_fields(word, std::nullopt);
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(pattern_of(fields[0]), "\\*a*");
  EXPECT_EQ(text_of(fields[0]), "*a*");
  EXPECT_EQ(pattern_of(fields[1]), "b?");
}

TEST(ExpandFieldSplit, JoinedWithoutFieldsAsDash) {
  const std::vector<std::string> parameters = {"a", "", "b c"};
  std::vector<std::string> scripts;
  std::vector<std::string> answers;
  for (const std::optional<std::string>& ifs :
       std::vector<std::optional<std::string>>{std::nullopt, "", ":", " ", ":x", "\n"}) {
    for (const std::string_view spelled : {"$@", "\"$@\"", "$*", "\"$*\""}) {
      scripts.push_back("set -- a '' 'b c'; " +
                        (ifs ? "IFS=" + quote_for_script(*ifs) : "unset IFS") +
                        "; x=" + std::string(spelled) + "; printf '%s' \"$x\"");
      answers.push_back(joined_parameters(parameters, ifs));
    }
  }
  const auto runs = run_all(real_dash(), scripts);
  for (std::size_t index = 0; index < runs.size(); ++index) {
    EXPECT_EQ(answers[index], runs[index].out) << scripts[index];
  }
}

}  // namespace
}  // namespace sandproof::machine::shell
