// SPDX-License-Identifier: Apache-2.0
// Random expressions and formats, beside busybox: what nobody thought of writing into a row. The
// seeds are fixed; each program prints many of them.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

#include "tests/machine/awk_rows.h"

namespace sandproof::machine {
namespace {

constexpr int kPrograms = 40;
constexpr int kLines = 25;
const std::string kInput = "10 abc 2.50 +3\n";

class RandomAwk {
 public:
  explicit RandomAwk(unsigned seed) : numbers_(seed) {}

  int below(int limit) { return static_cast<int>(numbers_() % static_cast<unsigned>(limit)); }
  template <std::size_t kCount>
  std::string one_of(const std::array<const char*, kCount>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(kCount)))];
  }

  /// Of operators that do not fail, and that Debian's busybox has.
  std::string expression(int depth) {
    if (depth == 0 || below(5) == 0) return operand();
    switch (below(8)) {
      case 0:
        return "(" + expression(depth - 1) + ")";
      case 1:
        return one_of<3>({"-", "!", "+"}) + " " + operand();
      case 2:
        return "(" + expression(depth - 1) + " ? " + expression(depth - 1) + " : " +
               expression(depth - 1) + ")";
      case 3:
        return "(" + expression(depth - 1) + one_of<2>({" && ", " || "}) + expression(depth - 1) +
               ")";
      case 4:
        return call(depth);
      case 5:
        return "(" + expression(depth - 1) + one_of<2>({" ~ ", " !~ "}) + one_of(kRegexes) + ")";
      case 6:
        return expression(depth - 1) + one_of<3>({" / 4", " % 7", " / 0.5"});
      default:
        return expression(depth - 1) + one_of(kOperators) + expression(depth - 1);
    }
  }

  /// Directives with values.
  std::string print_format() {
    std::string format;
    std::string values;
    for (int count = 1 + below(3); count > 0; --count) {
      const std::string letter =
          one_of<12>({"d", "i", "o", "x", "X", "u", "c", "s", "e", "f", "g", "G"});
      format += one_of<5>({"", " ", "|", "%%", "é"}) + "%";
      // busybox pads a NUL with what lay in its memory.
      if (letter != "c") format += size_of_directive();
      format += letter;
      values += ", (" + expression(2) + ")";
    }
    return "printf \"" + format + "\\n\"" + values;
  }

  /// A call of sub, gsub, match or split, and what it changes.
  std::string substitution() {
    std::string text;
    for (int count = below(8); count > 0; --count) {
      text += one_of<6>({"a", "b", "ab", ".", "x", " "});
    }
    std::string regex = below(6) == 0 ? "^" : "";
    for (int count = 1 + below(3); count > 0; --count) {
      regex += one_of<9>({"a", "b", ".", "[ab]", "(a|b)", "x", "[^a]", "\\.", " "});
      regex += one_of<6>({"", "", "*", "+", "?", "{1,2}"});
    }
    if (below(6) == 0) regex += "$";
    std::string by;
    for (int count = below(4); count > 0; --count) {
      by += one_of<6>({"&", "\\\\&", "-", "\\\\\\\\&", "<>", "\\\\q"});
    }
    const std::string set = "s = \"" + text + "\"; ";
    switch (below(4)) {
      case 0:
        return set + "print match(s, /" + regex + "/), RSTART, RLENGTH";
      case 1:
        return set + "n = split(s, p, /" + regex + "/); print n, p[1] \"|\" p[2] \"|\" p[3]";
      case 2:
        return set + "print sub(/" + regex + "/, \"" + by + "\", s), s";
      default:
        return set + "print gsub(/" + regex + "/, \"" + by + "\", s), s";
    }
  }

 private:
  static constexpr std::array<const char*, 18> kOperands = {
      "1",      "0",      "10",      "2.5",   "1e3", "0.1", "100000", "\"\"", "\"abc\"",
      "\"10\"", "\"3x\"", "\" 4 \"", "unset", "x",   "y",   "$1",     "$2",   "$3"};
  static constexpr std::array<const char*, 12> kOperators = {
      " + ", " - ", " * ", " ", " ", " < ", " <= ", " == ", " != ", " >= ", " > ", " "};
  static constexpr std::array<const char*, 6> kRegexes = {"/1/",   "/^[0-9]+$/", "/a|0/",
                                                          "\"b\"", "/x*/",       "/\\./"};

  std::string size_of_directive() {
    std::string text = one_of<8>({"", "", "-", "0", "+", " ", "#", "-0"});
    if (below(2) == 0) text += std::to_string(below(12));
    if (below(3) == 0) text += "." + std::to_string(below(7));
    return text;
  }

  std::string operand() { return one_of(kOperands); }

  std::string call(int depth) {
    const std::string inner = expression(depth - 1);
    switch (below(6)) {
      case 0:
        return "length((" + inner + "))";
      case 1:
        return "substr(" + inner + ", " + std::to_string(below(5)) + ", " +
               std::to_string(below(4)) + ")";
      case 2:
        return "index(" + inner + ", " + operand() + ")";
      case 3:
        return "toupper(" + inner + ")";
      case 4:
        return "int(" + inner + ")";
      default:
        return "sprintf(\"%s-%d\", " + inner + ", " + operand() + ")";
    }
  }

  std::mt19937 numbers_;
};

TEST(MachineAwk, AnswersRandomExpressionsAsBusybox) {
  for (unsigned seed = 1; seed <= kPrograms; ++seed) {
    RandomAwk random(seed);
    std::string program = "{ x = 7; y = \"12ab\"\n";
    for (int i = 0; i < kLines; ++i) program += "print (" + random.expression(4) + ")\n";
    expect_awk_alike(std::vector<std::string>{program + "}"}, kInput);
    if (HasFailure()) return;
  }
}

TEST(MachineAwk, AnswersRandomFormatsAsBusybox) {
  for (unsigned seed = 1; seed <= kPrograms; ++seed) {
    RandomAwk random(seed);
    std::string program = "{ x = 7; y = \"12ab\"\n";
    for (int i = 0; i < kLines; ++i) program += random.print_format() + "\n";
    expect_awk_alike(std::vector<std::string>{program + "}"}, kInput);
    if (HasFailure()) return;
  }
}

TEST(MachineAwk, SubstitutesAtRandomAsBusybox) {
  for (unsigned seed = 1; seed <= kPrograms; ++seed) {
    RandomAwk random(seed);
    std::string program = "{\n";
    for (int i = 0; i < kLines; ++i) program += random.substitution() + "\n";
    expect_awk_alike(std::vector<std::string>{program + "}"}, kInput);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace sandproof::machine
