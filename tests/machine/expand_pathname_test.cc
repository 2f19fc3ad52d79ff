// SPDX-License-Identifier: Apache-2.0
// Pathname expansion over a tree of real directories, compared with the words that dash makes
// there.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "fakes/machine/shell/expand/pathname.h"
#include "fakes/machine/shell/expand/word.h"
#include "tests/machine/expand_real_shell.h"

namespace sandproof::machine::shell {
namespace {

namespace fs = std::filesystem;

class ExpandPathname : public testing::Test {
 protected:
  void SetUp() override {
    std::string path = testing::TempDir() + "sandproof-glob-XXXXXX";
    ASSERT_NE(::mkdtemp(path.data()), nullptr);
    top_ = path;
    // Deep enough that no word of these tests climbs out of it.
    root_ = top_ / "one" / "two";
    fs::create_directories(root_);
    for (const char* directory : {"d1", "d2", "d2/sub", ".hid", "empty", "a]b", "d[x"}) {
      fs::create_directory(root_ / directory);
    }
    for (const char* file :
         {"a",     "b",     "ab",       "abc",  "B",     "Z",    ".dot",     "..two",
          "a b",   "a*b",   "a?",       "a\\b", "[z]",   "-x",   "x-y",      "1",
          "10",    "2",     "d1/f",     "d1/g", "d1/.h", "d2/f", "d2/sub/f", ".hid/f",
          "a]b/f", "d[x/f", "\xc3\xa9", "!",    "~",     "{a,b}"}) {
      std::ofstream(root_ / file) << "x";
    }
    fs::create_symlink("d1", root_ / "link");
    fs::create_symlink("nowhere", root_ / "dangling");
  }
  void TearDown() override { fs::remove_all(top_); }

  DirectoryReader reader() const {
    return {[this](const std::string& directory) -> std::optional<std::vector<std::string>> {
              std::error_code error;
              std::vector<std::string> names;
              for (const auto& entry : fs::directory_iterator(absolute(directory), error)) {
                names.push_back(entry.path().filename().string());
              }
              if (error) return std::nullopt;
              return names;
            },
            [this](const std::string& path) {
              struct stat status {};
              return ::lstat(absolute(path).c_str(), &status) == 0;
            }};
  }

  std::string absolute(const std::string& path) const {
    if (path.starts_with('/')) return path;
    return root_.string() + "/" + path;
  }

  // Of a word that an expansion gave, so that every byte of it means in both what it means in a
  // pattern.
  void compare(const std::vector<std::string>& words) {
    std::vector<std::string> scripts;
    for (const std::string& word : words) {
      scripts.push_back("IFS=; x=" + quote_for_script(word) + "; printf '<%s>' $x");
    }
    const auto runs = run_all(real_dash(), scripts, root_.string());
    int matched = 0;
    for (std::size_t index = 0; index < words.size(); ++index) {
      std::vector<std::string> paths = expand_pathname(words[index], reader());
      if (!paths.empty()) ++matched;
      if (paths.empty()) paths = {words[index]};
      std::string answer;
      for (const std::string& path : paths) answer += "<" + path + ">";
      EXPECT_EQ(answer, runs[index].out) << words[index];
    }
    EXPECT_GT(matched, static_cast<int>(words.size()) / 10);
  }

  fs::path top_;
  fs::path root_;
};

TEST_F(ExpandPathname, RowsAreTheWordsOfDash) {
  compare({"*",
           "?",
           "??",
           "a*",
           "*b",
           ".*",
           "..*",
           "?dot",
           "[.]dot",
           "\\.*",
           "[!a]*",
           "[a-b]*",
           "[[:digit:]]*",
           "*/",
           "*/f",
           "*/*",
           "d?/*",
           "d*/",
           "d*//f",
           "d*//",
           "d1//*",
           "d1//f*",
           "./*",
           "./d*/f",
           "d1/../d2/*",
           "*/..",
           "*/.",
           "link/*",
           "l*/f",
           "dang*",
           "dang*/",
           "dang*/x",
           "a\\*b",
           "a\\*",
           "a\\?*",
           "\\a*",
           "a\\\\b*",
           "[[]z]",
           "[[]*",
           "[]z]*",
           "[z",
           "d[/x]*",
           "d[x/*",
           "d[x/f",
           "d[x]*",
           "a]b/*",
           "[a]]b/*",
           "nosuch*",
           "nosuch/*",
           "*/nosuch",
           "a*/f",
           "a/*",
           "a/",
           "*a/",
           "d1/f/*",
           "*/*/*",
           "*/*/f",
           "*/sub/f",
           "d*/f/",
           "-*",
           "[-x]*",
           "[!-]*",
           "\xc3*",
           "?\xa9",
           "!*",
           "~*",
           "{*",
           "/",
           "/*nosuch",
           "//",
           "/de[v]/null",
           "/de[v]//null",
           "//de[v]",
           "/dev/nul[l]",
           "/dev/nul[l]/",
           ".h*/*",
           ".*/f",
           "*.",
           "empty/*",
           "empty/.*",
           "d1/.*",
           "d1/*/",
           "[a",
           "a[",
           "*[",
           "**",
           "**/f",
           "a**b",
           "***",
           "abc",
           "ab[c]",
           "ab[!c]",
           "[A-Z]",
           "[a-z]",
           "[0-9]*",
           "\\*",
           "d1\\/f*",
           "d*\\/f",
           "*\\",
           "\\d1/*",
           "d\\1/*"});
}

TEST_F(ExpandPathname, RandomWordsAreThoseOfDash) {
  std::mt19937 engine(31337);
  const std::vector<std::string> pieces = {"*", "*",    "?",    "a", "b",   "d", "1", "/",    "/",
                                           ".", "[ab]", "[!a]", "f", "\\*", "[", "]", "d[12]"};
  std::vector<std::string> words;
  for (int count = 0; count < 1500; ++count) {
    std::string word = random_text(engine, pieces, 6);
    // The root of this system is nobody's to compare with.
    if (!word.starts_with('/') && !word.empty()) words.push_back(word);
  }
  compare(words);
}

// Random words of literals, quoted text and variables: what is split, what is matched, what stays.
TEST_F(ExpandPathname, WholeWordsAreThoseOfDash) {
  std::mt19937 engine(555);
  const std::vector<std::string> texts = {"*", "a*", "?",  " ", "d1/", "a",   "[ab]", "[",
                                          "]", "f",  "\\", "-", "!",   "a b", "/"};
  std::vector<std::string> scripts;
  std::vector<std::vector<Piece>> words;
  for (int count = 0; count < 2000; ++count) {
    std::string script;
    std::string word;
    std::vector<Piece> pieces;
    for (auto left = 1 + engine() % 4; left > 0; --left) {
      const std::string text = pick(engine, texts);
      const bool quoted = engine() % 2 == 0;
      const bool from_expansion = engine() % 2 == 0;
      if (from_expansion) {
        const std::string name = "v" + std::to_string(left);
        script += name + "=" + quote_for_script(text) + "; ";
        word += quoted ? "\"${" + name + "}\"" : "${" + name + "}";
      } else if (quoted || text.find_first_of(" \\!") != std::string::npos) {
        word += quote_for_script(text);
      } else {
        word += text;
      }
      pieces.push_back({text, word.ends_with('\'') || word.ends_with('"'), from_expansion});
    }
    // Not the root of this system.
    if (word.find('/') == 0 || text_of(pieces).starts_with('/')) continue;
    scripts.push_back(script + "printf '<%s>' " + word);
    words.push_back(std::move(pieces));
  }
  const auto runs = run_all(real_dash(), scripts, root_.string());
  for (std::size_t index = 0; index < scripts.size(); ++index) {
    std::string answer;
    for (const std::string& word : finish_word(words[index], {}, reader()))
      answer += "<" + word + ">";
    EXPECT_EQ(answer.empty() ? "<>" : answer, runs[index].out) << scripts[index];
  }
}

TEST_F(ExpandPathname, NoglobLeavesTheWords) {
  const std::vector<Piece> word = {{"a* b*", false, true}};
  EXPECT_EQ(finish_word(word, {std::nullopt, true}, reader()),
            (std::vector<std::string>{"a*", "b*"}));
}

TEST_F(ExpandPathname, QuotedPartsAndMarks) {
  const auto expand = [&](const Field& field) {
    return expand_pathname(pattern_of(field), reader());
  };
  EXPECT_EQ(expand({{"a*", true}, {"*"}}), (std::vector<std::string>{"a*b"}));
  EXPECT_EQ(expand({{"d1/", true}, {"*"}}), (std::vector<std::string>{"d1/f", "d1/g"}));
  EXPECT_EQ(expand({{"d[x", true}, {"/*"}}), (std::vector<std::string>{"d[x/f"}));
  EXPECT_TRUE(expand({{"*", true}}).empty());
  EXPECT_TRUE(expand({{"a"}}).empty());
  EXPECT_EQ(expand_pathname("[^a-zA-Z0-9.]", reader(), Caret::kNegates),
            (std::vector<std::string>{"!", "~"}));
}

}  // namespace
}  // namespace sandproof::machine::shell
