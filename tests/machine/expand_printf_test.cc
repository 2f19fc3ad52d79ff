// SPDX-License-Identifier: Apache-2.0
// The escapes of echo, and printf: output, errors and status, compared with the real dash.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "fakes/machine/shell/expand/escapes.h"
#include "fakes/machine/shell/expand/printf.h"
#include "tests/machine/expand_real_shell.h"

namespace sandproof::machine::shell {
namespace {

using Words = std::vector<std::string>;

std::string command_script(std::string_view name, const Words& words) {
  std::string script(name);
  for (const std::string& word : words) script += " " + quote_for_script(word);
  return script;
}

int compare_printfs(const std::vector<Words>& rows) {
  Words scripts;
  for (const Words& row : rows) scripts.push_back(command_script("printf", row));
  const auto runs = run_all(real_dash(), scripts);
  int good = 0;
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const PrintfResult result = run_printf(rows[index]);
    std::string errors;
    for (const std::string& error : result.errors) errors += "printf: " + error + "\n";
    EXPECT_EQ(result.out, runs[index].out) << scripts[index];
    EXPECT_EQ(errors, runs[index].err) << scripts[index];
    EXPECT_EQ(result.status, runs[index].status) << scripts[index];
    if (result.status == 0) ++good;
  }
  return good;
}

// NOLINTNEXTLINE(readability-function-size): a table of rows.
std::vector<Words> printf_rows() {
  std::vector<Words> rows = {{},
                             {""},
                             {"--"},
                             {"-x"},
                             {"-"},
                             {"--", "-x"},
                             {"---"},
                             {"a\\nb\\n"},
                             {"a", "b", "c"},
                             {"%"},
                             {"a%"},
                             {"%5"},
                             {"%-"},
                             {"%."},
                             {"%5.3"},
                             {"%%"},
                             {"%%%%d"},
                             {"%5%"},
                             {"%-%"},
                             {"%q", "a"},
                             {"%z"},
                             {"%'d", "1000"},
                             {"%ld", "1"},
                             {"%hd"},
                             {"%lld"},
                             {"%n"},
                             {"%p"},
                             {"%S"},
                             {"%C"},
                             {"%\\n"},
                             {"%.3.2d", "1"},
                             {"abc%zdef"},
                             {"%d %z", "x"},
                             {"%s %s\\n", "a", "b", "c"},
                             {"%s"},
                             {"%c"},
                             {"%b"},
                             {"%e"},
                             {"%s-%d\\n", "a", "1", "b", "2"},
                             {"%*d|", "5", "4"},
                             {"%*d|", "-5", "4"},
                             {"%*d|", "x", "4"},
                             {"%*d|"},
                             {"%.*f|", "2", "3.14159"},
                             {"%.*f|", "-1", "3.14159"},
                             {"%*.*f|", "8", "2", "3.14159"},
                             {"%-*d|", "5", "4"},
                             {"%-*d|", "-5", "4"},
                             {"%*s|", "5", "abc", "6", "de"},
                             {"%.*s|", "2", "abc"},
                             {"%.*b|", "2", "a\\tc"},
                             {"%5b|%-5b|%.2b|", "a\\tb", "c", "defg"},
                             {"%b|%s", "a\\cb", "c"},
                             {"%b\\n", "\\0101\\101\\1\\08\\0"},
                             {"%5b|", "a\\0b"},
                             {"%s\\n", "a\\nb"},
                             {"\\045d\\n", "1"},
                             {"\\c"},
                             {"a\\cb"},
                             {"\\\"\\'\\?"},
                             {"\\x41\\e\\q\\9"},
                             {"\\1\\12\\123\\1234\\0101\\777"},
                             {"\\"},
                             {"a\\"},
                             {"\\%d", "4"},
                             {"%s\\"},
                             {"%b", "\\"},
                             {"%b", "a\\"},
                             {"%b", "\\x41\\e\\q\\9\\%"},
                             {"%c|%c|%c", "abc", "", "\xc3\xa9"},
                             {"%5c|%-5c|", "a", "b"},
                             {"%05s|%05c|%05b|", "a", "b", "c"},
                             {"%+s|% s|%#s|", "a", "b", "c"}};
  for (const std::string directive : {"d", "i", "o", "u", "x", "X"}) {
    for (const std::string flags : {"", "-6", "06", "+", " ", "#", "+6", "-+6", "#08", ".4", "8.4",
                                    "-8.4", "+.0", ".0", ".", "08.3", "# 0+-9"}) {
      for (const std::string operand : {"0", "7", "-7", "010", "0x1F", "9223372036854775807"}) {
        rows.push_back({"%" + flags + directive + "|", operand});
      }
    }
    for (const std::string operand : {"",
                                      " 12",
                                      "12 ",
                                      "x",
                                      "1x",
                                      "08",
                                      "0x",
                                      "+5",
                                      "-0",
                                      "--1",
                                      "'a",
                                      "\"a",
                                      "'",
                                      "\"",
                                      "'ab",
                                      "'\xc3\xa9",
                                      "1.5",
                                      "1e3",
                                      "99999999999999999999",
                                      "-99999999999999999999",
                                      "18446744073709551615",
                                      "-1",
                                      "0b1",
                                      "\t3",
                                      "1\n"}) {
      rows.push_back({"%" + directive + "|", operand});
    }
  }
  for (const std::string directive : {"e", "E", "f", "F", "g", "G", "a", "A"}) {
    for (const std::string flags :
         {"", "12", "-12", "012", "+", " ", "#", ".0", ".1", "12.3", "-12.3", "#.0", "+012.2"}) {
      for (const std::string operand :
           {"0", "1", "-1.5", "1e10", "1e-10", "123456789", "inf", "-inf"}) {
        rows.push_back({"%" + flags + directive + "|", operand});
      }
    }
    for (const std::string operand : {"", "x", "1x", "0x10", "0x1p4", "1e400", "-1e400", "1e-400",
                                      "nan", "infinity", "'a", "1e", ".", ".5", "5.", " 1", "1 "}) {
      rows.push_back({"%" + directive + "|", operand});
    }
  }
  return rows;
}

TEST(ExpandPrintf, RowsAreThoseOfDash) { EXPECT_GT(compare_printfs(printf_rows()), 800); }

TEST(ExpandPrintf, RandomFormatsAreThoseOfDash) {
  std::mt19937 engine(99);
  const Words pieces = {"%d",  "%s",  "%b",    "%c",   "%5d",  "%-4s", "%.2s", "%x", "%o",
                        "%u",  "%f",  "%%",    "%*d",  "%.*s", "%+d",  "%05d", "a",  " ",
                        "\\n", "\\t", "\\101", "\\\\", "%z",   "%#x",  "%g",   "%"};
  const Words operands = {"",      "1",   "-2", "010", "0x1f",   "abc", "a\\tb",
                          "x\\cy", "1.5", "'a", "12x", "\\0101", "-",   "%d"};
  std::vector<Words> rows;
  for (int count = 0; count < 2500; ++count) {
    Words row = {random_text(engine, pieces, 6)};
    for (auto left = engine() % 5; left > 0; --left) row.push_back(pick(engine, operands));
    rows.push_back(std::move(row));
  }
  EXPECT_GT(compare_printfs(rows), 500);
}

TEST(ExpandEcho, RowsAndRandomTextsAreThoseOfDash) {
  std::vector<Words> rows = {{},
                             {""},
                             {"-n"},
                             {"-n", "-n"},
                             {"-nn", "a"},
                             {"-e", "a"},
                             {"-n", "a", "b"},
                             {"a", "-n"},
                             {"--", "a"},
                             {"a\\c", "b"},
                             {"\\a\\b\\e\\f\\n\\r\\t\\v\\\\"},
                             {"\\0"},
                             {"\\01\\012\\0123\\01234"},
                             {"\\1\\12\\123\\1234"},
                             {"\\777"},
                             {"\\x41"},
                             {"\\"},
                             {"a\\", "b"},
                             {"", ""}};
  std::mt19937 engine(7);
  const Words pieces = {"a", "\\", "\\\\", "\\c", "0",   "1",  "7",
                        "8", "n",  "\\0",  " ",   "\\t", "-n", "x"};
  for (int count = 0; count < 1000; ++count) {
    rows.push_back({random_text(engine, pieces, 6), random_text(engine, pieces, 3)});
  }
  Words scripts;
  for (const Words& row : rows) scripts.push_back(command_script("echo", row));
  const auto runs = run_all(real_dash(), scripts);
  for (std::size_t index = 0; index < rows.size(); ++index) {
    EXPECT_EQ(echo_output(rows[index]), runs[index].out) << scripts[index];
  }
}

TEST(ExpandPrintf, WidthsAndOutputAreBounded) {
  const PrintfResult wide = run_printf(Words{"a%99999999999999999999d", "1"});
  EXPECT_EQ(wide.status, 2);
  EXPECT_EQ(wide.out, "a");
  ASSERT_EQ(wide.errors.size(), 1U);
  EXPECT_EQ(wide.errors[0], "%99999999999999999999: field too wide");
  EXPECT_EQ(run_printf(Words{"%*d", "2000000", "1"}).status, 2);
  Words many = {"%1000000d"};
  many.resize(100, "1");
  const PrintfResult result = run_printf(many);
  EXPECT_EQ(result.errors, Words{"output too long"});
  EXPECT_LE(result.out.size(), kMaxPrintfOutput);
}

}  // namespace
}  // namespace sandproof::machine::shell
