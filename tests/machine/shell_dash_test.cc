// SPDX-License-Identifier: Apache-2.0
// The parser accepts and refuses what dash does, with the words of dash; busybox agrees but where
// it has more than dash.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/machine/real_shell.h"
#include "tests/machine/shell_scripts.h"

namespace sandproof::machine::shell {
namespace {

// A token, or what could be one, for scripts to be changed at.
std::vector<std::string> pieces_of(std::string_view script) {
  constexpr std::string_view kWord =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  std::vector<std::string> pieces;
  while (!script.empty()) {
    std::size_t end = std::min(script.find_first_not_of(kWord), script.size());
    if (end == 0) end = 1;
    pieces.emplace_back(script.substr(0, end));
    script.remove_prefix(end);
  }
  return pieces;
}

std::string changed(std::mt19937& random, std::string_view script) {
  constexpr std::array<std::string_view, 40> kInserts{
      " ",   "\n",    ";",    "&",   "|",    "(",     ")",     "{",     "}",  "<",
      ">",   "<<E\n", "\"",   "'",   "`",    "$",     "\\",    "#",     "!",  "${",
      "$((", "$(",    "))",   "if ", "fi",   "then ", "do ",   "done",  "in", "a",
      "1",   "x=1",   "case", ";;",  "esac", "*",     "for x", "else ", "~",  ":-"};
  std::vector<std::string> pieces = pieces_of(script);
  const auto below = [&random](std::size_t bound) { return random() % bound; };
  for (std::size_t changes = 1 + below(2); changes > 0 && !pieces.empty(); --changes) {
    const auto at = static_cast<std::ptrdiff_t>(below(pieces.size()));
    switch (below(3)) {
      case 0:
        pieces.erase(pieces.begin() + at);
        break;
      case 1:
        pieces.insert(pieces.begin() + at, std::string(kInserts[below(kInserts.size())]));
        break;
      default:
        std::swap(pieces[static_cast<std::size_t>(at)], pieces[below(pieces.size())]);
    }
  }
  std::string out;
  for (const std::string& piece : pieces) out += piece;
  return out;
}

// Where the parser differs on purpose: the list in parser.h.
bool differs_on_purpose(const std::string& ours, const std::string& script) {
  // An operator as a pattern of `case`: dash takes the last word that it saw.
  if (ours.ends_with("unexpected (expecting word)") && script.find("case") != std::string::npos) {
    return true;
  }
  // The newline of `for x in words` with a here-document: dash forgets its body.
  return script.find("<<") != std::string::npos && script.find("for") != std::string::npos;
}

TEST(ShellDash, AcceptsAndRefusesWithItsWords) {
  ASSERT_EQ(ask_dash("fi").error, "sh: 1: Syntax error: \"fi\" unexpected")
      << "dash has to be there, as on any Debian";
  ASSERT_GE(shell_scripts().size(), 700U);
  for (const std::string_view script : shell_scripts()) {
    EXPECT_EQ(read_script(script).error, ask_dash(std::string(script)).error) << script;
  }
}

TEST(ShellDash, AgreesOnChangedScripts) {
  constexpr int kChanged = 2000;
  std::mt19937 random(20);
  int purpose = 0;
  int refused = 0;
  for (int i = 0; i < kChanged; ++i) {
    const std::string script = changed(random, shell_scripts()[random() % shell_scripts().size()]);
    const std::string ours = read_script(script).error;
    const std::string real = ask_dash(script).error;
    if (!real.empty()) ++refused;
    if (ours == real) continue;
    if (differs_on_purpose(ours, script)) {
      ++purpose;
      continue;
    }
    ADD_FAILURE() << "ours: " << ours << "\ndash: " << real << "\non:   " << script;
  }
  EXPECT_LE(purpose, kChanged / 50) << "the exceptions are to stay rare";
  EXPECT_GT(refused, kChanged / 4);
  EXPECT_LT(refused, kChanged * 3 / 4);
}

// What Debian's busybox has of bash, and dash and this shell have not.
constexpr std::array<std::string_view, 2> kBusyboxAlone{
    "a <( b)",            // Process substitution.
    "function a { b; }",  // The word `function`.
};

TEST(ShellDash, BusyboxAgreesWhereItHasNoMore) {
  ASSERT_EQ(ask_busybox("a").status, 0) << "package busybox-static, or busybox";
  for (const std::string_view script : shell_scripts()) {
    const bool more =
        std::find(kBusyboxAlone.begin(), kBusyboxAlone.end(), script) != kBusyboxAlone.end();
    const ShellOpinion busybox = ask_busybox(std::string(script));
    EXPECT_EQ(read_script(script).error.empty() || more, busybox.error.empty()) << script << "\n"
                                                                                << busybox.error;
  }
}

}  // namespace
}  // namespace sandproof::machine::shell
