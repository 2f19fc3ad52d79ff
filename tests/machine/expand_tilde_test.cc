// SPDX-License-Identifier: Apache-2.0
// Tildes in words and in assignments, compared with the real dash.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "fakes/machine/shell/expand/field_split.h"
#include "fakes/machine/shell/expand/tilde.h"
#include "tests/machine/expand_real_shell.h"

namespace sandproof::machine::shell {
namespace {

Homes homes_of(const std::optional<std::string>& home) {
  return {home, [](std::string_view name) -> std::optional<std::string> {
            if (name == "root") return "/root";
            return std::nullopt;
          }};
}

const std::vector<std::string>& tilde_words() {
  static const std::vector<std::string> words = {
      "~",     "~/",     "~/x",     "~//x",    "x~",        "~x",
      "~root", "~root/", "~root/x", "~nosuch", "~nosuch/x", "~:~",
      "a:~",   "a:~/b",  ":~",      "~:",      "~root:~",   "~:~root/x:~nosuch",
      "a=~",   "a/~",    "~~",      "~/~",     "~root~",    "~+",
      "~-",    "a:~x:~", "::~::",   "~/a:~/b"};
  return words;
}

// NOLINTNEXTLINE(readability-function-size): one loop per dimension of the table.
TEST(ExpandTilde, RowsAreThoseOfDash) {
  std::vector<std::string> scripts;
  std::vector<std::string> answers;
  for (const std::optional<std::string>& home : std::vector<std::optional<std::string>>{
           std::nullopt, "/home/me", "/", "/a b", "/*", "/h/"}) {
    const std::string set = home ? "HOME=" + quote_for_script(*home) + "; " : "unset HOME; ";
    for (const std::string& word : tilde_words()) {
      for (const bool assignment : {false, true}) {
        // One literal; one that quoted text follows; one that follows quoted text.
        for (const auto& [before, after] : {std::pair{"", ""}, {"", "''"}, {"''", ""}}) {
          const std::string whole = before + word + after;
          scripts.push_back(set +
                            (assignment ? "x=" + whole + "; set -- \"$x\"" : "set -- " + whole) +
                            "; printf '<%s>' \"$@\"");
          const TildeContext context{assignment, *before == '\0', *after == '\0'};
          answers.emplace_back();
          for (const Field& field :
               split_fields(expand_tildes(word, context, homes_of(home)), std::nullopt)) {
            answers.back() += "<" + text_of(field) + ">";
          }
        }
      }
    }
  }
  const auto runs = run_all(real_dash(), scripts);
  for (std::size_t index = 0; index < runs.size(); ++index) {
    EXPECT_EQ(answers[index], runs[index].out) << scripts[index];
  }
}

TEST(ExpandTilde, DirectoriesAreQuoted) {
  const auto pieces = expand_tildes("~/b*", {}, homes_of("/a *"));
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0], (Piece{"/a *", true}));
  EXPECT_EQ(pieces[1], (Piece{"/b*", false}));
}

}  // namespace
}  // namespace sandproof::machine::shell
