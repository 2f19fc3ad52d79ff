// SPDX-License-Identifier: Apache-2.0
// Every operator on a set, an empty and an unset parameter, compared with the real shells.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "fakes/machine/shell/expand/parameter.h"
#include "tests/machine/expand_real_shell.h"

namespace sandproof::machine::shell {
namespace {

struct OperatorRow {
  ParameterOperator operation;
  std::string_view spelled;
};

constexpr std::array<OperatorRow, 10> kParameterOperators = {
    {{ParameterOperator::kNone, ""},
     {ParameterOperator::kDefault, "-"},
     {ParameterOperator::kAssign, "="},
     {ParameterOperator::kError, "?"},
     {ParameterOperator::kAlternative, "+"},
     {ParameterOperator::kLength, "#"},
     {ParameterOperator::kTrimSmallestPrefix, "#"},
     {ParameterOperator::kTrimLargestPrefix, "##"},
     {ParameterOperator::kTrimSmallestSuffix, "%"},
     {ParameterOperator::kTrimLargestSuffix, "%%"}}};

struct ParameterRow {
  std::string name;
  std::optional<std::string> value;
  ParameterUse use;
  std::string_view spelled;
  // Its expansion ends with a "1" and sets n: so it is seen whether it was expanded.
  std::optional<std::string> word;
  bool nounset = false;
};

std::string parameter_script(const ParameterRow& row) {
  std::string script = "n=0; set --";
  if (row.value && row.name == "1") script += " " + quote_for_script(*row.value);
  if (row.name != "1") script += row.value ? "; x=" + quote_for_script(*row.value) : "; unset x";
  if (row.nounset) script += "; set -u";
  std::string inner = row.name + std::string(row.use.colon ? ":" : "") + std::string(row.spelled);
  if (row.use.operation == ParameterOperator::kLength) inner = "#" + row.name;
  if (row.word) inner += *row.word + "${e+$((n=1))}";
  script += "; unset e; : ${e=}; printf '%s' \"<${" + inner + "}>\"";
  return script + "; printf '%s' \"$n|" + (row.name == "1" ? "" : "${x-unset}") + "\"";
}

// Walks the step as the shell's runner does.
std::string parameter_answer(const ParameterRow& row) {
  const auto step = parameter_step(row.use, row.value, row.nounset);
  std::optional<std::string> variable = row.value;
  bool expanded = false;
  const auto word = [&] {
    expanded = row.word.has_value();
    return row.word.value_or("") + (row.word ? "1" : "");
  };
  std::string text;
  switch (step) {
    case ParameterStep::kValue:
      text = row.value.value_or("");
      break;
    case ParameterStep::kLength:
      text = std::to_string(row.value.value_or("").size());
      break;
    case ParameterStep::kCut:
      text = cut_parameter(row.use, row.value.value_or(""), word());
      break;
    case ParameterStep::kNothing:
      break;
    case ParameterStep::kWord:
      text = word();
      break;
    case ParameterStep::kAssignWord:
      text = word();
      if (auto error = assignment_error(row.name)) return *error + "\n";
      variable = text;
      break;
    case ParameterStep::kFailWord:
      return parameter_error(row.name, row.use, row.word ? std::optional(word()) : std::nullopt) +
             "\n";
    case ParameterStep::kFailUnset:
      return parameter_error(row.name, row.use, std::nullopt) + "\n";
  }
  return "<" + text + ">" + (expanded ? "1" : "0") + "|" +
         (row.name == "1" ? "" : variable.value_or("unset"));
}

// NOLINTNEXTLINE(readability-function-size): one loop per dimension of the table.
std::vector<ParameterRow> parameter_rows() {
  std::vector<ParameterRow> rows;
  for (const std::string name : {"x", "1"}) {
    for (const std::optional<std::string>& value :
         std::vector<std::optional<std::string>>{std::nullopt, "", "v", "a1b1", "111"}) {
      for (const OperatorRow& row : kParameterOperators) {
        const bool takes_colon = row.operation >= ParameterOperator::kDefault &&
                                 row.operation <= ParameterOperator::kAlternative;
        for (const bool colon : {false, true}) {
          if (colon && !takes_colon) continue;
          for (const std::optional<std::string>& word :
               std::vector<std::optional<std::string>>{std::nullopt, "", "w", "*", "?b"}) {
            const bool takes_word = row.operation != ParameterOperator::kNone &&
                                    row.operation != ParameterOperator::kLength;
            if (word && !takes_word) continue;
            for (const bool nounset : {false, true}) {
              rows.push_back({name, value, {row.operation, colon}, row.spelled, word, nounset});
            }
          }
        }
      }
    }
  }
  return rows;
}

void compare_parameters(const RealShell& shell) {
  const auto rows = parameter_rows();
  std::vector<std::string> scripts;
  for (const ParameterRow& row : rows) scripts.push_back(parameter_script(row));
  const auto runs = run_all(shell, scripts);
  for (std::size_t index = 0; index < rows.size(); ++index) {
    EXPECT_EQ(parameter_answer(rows[index]), runs[index].out + runs[index].err) << scripts[index];
  }
}

TEST(ExpandParameter, OperatorsAreThoseOfDash) { compare_parameters(real_dash()); }
TEST(ExpandParameter, OperatorsAreThoseOfBusybox) { compare_parameters(real_busybox()); }

TEST(ExpandParameter, NothingIsNotAnEmptyField) {
  const ParameterUse use{ParameterOperator::kAlternative, true};
  EXPECT_EQ(parameter_step(use, "", false), ParameterStep::kNothing);
  EXPECT_EQ(parameter_error("x", {ParameterOperator::kError, true}, ""), "x: ");
}

TEST(ExpandParameter, NamesThatCanBeAssigned) {
  for (const std::string_view good : {"a", "_", "A1_b"})
    EXPECT_EQ(assignment_error(good), std::nullopt);
  for (const std::string_view bad : {"", "1", "1a", "@", "a-b", "\xc3\xa9"}) {
    EXPECT_EQ(assignment_error(bad), std::string(bad) + ": bad variable name");
  }
}

}  // namespace
}  // namespace sandproof::machine::shell
