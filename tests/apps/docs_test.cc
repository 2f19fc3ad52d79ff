// SPDX-License-Identifier: Apache-2.0
// What the documentation shows is what happens: each command of README.md, CONTRIBUTING.md and
// docs/*.md is run, page by page, in a directory of the page's own that looks like the root of the
// repository; and what a page shows of an output is compared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sandproof/words.h"
#include "tests/apps/docs_page.h"
#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

const fs::path kRoot = SANDPROOF_ROOT;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> lines_in_file(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> pages() {
  std::vector<std::string> names = {"README.md", "CONTRIBUTING.md"};
  for (const auto& entry : fs::directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md")
      names.push_back("docs/" + entry.path().filename().string());
  }
  std::sort(names.begin() + 2, names.end());
  return names;
}

/// The repository as a reader has it in front of them, but that what is written lands here.
void furnish(const TemporaryDirectory& directory) {
  for (const auto& entry : fs::directory_iterator(kRoot)) {
    const std::string name = entry.path().filename().string();
    if (name != "build" && !name.starts_with('.')) {
      fs::create_directory_symlink(entry.path(), directory.path() / name);
    }
  }
  fs::create_directories(directory.path() / "build/dev/bin");
  fs::create_symlink(SANDPROOF_BIN, directory.path() / "build/dev/bin/sandproof");
}

/// Those that take minutes are narrowed to an area: CI runs all of them.
std::string narrowed(const std::string& command) {
  const std::vector<std::string> words = split_words(command);
  const auto has = [&words](std::initializer_list<const char*> options) {
    return std::any_of(words.begin(), words.end(), [&options](const std::string& word) {
      return std::find(options.begin(), options.end(), word) != options.end();
    });
  };
  if (words.size() < 2 || !words[0].ends_with("sandproof")) return command;
  const bool filtered = has({"--area", "--rule", "--case", "--mutant", "--help"});
  if (words[1] == "run" && !filtered) return command + " --area META";
  if (words[1] == "mutants" && !filtered) return command + " --rule 'META-*'";
  return command;
}

bool has_shell_words(const std::string& command) {
  return command.find_first_of("|;&<>$`") != std::string::npos;
}

/// What a page may show without more ado. For anything else it has to say that it is not run.
bool can_be_run(const std::string& command) {
  const std::string program = command.substr(0, command.find(' '));
  for (const char* known : {"sandproof", "build/dev/bin/sandproof", "cat", "ls", "echo", "head",
                            "grep", "wc", "python3", "time"}) {
    if (program == known) return true;
  }
  return false;
}

class DocsPage : public ::testing::TestWithParam<std::string> {};

TEST_P(DocsPage, ShowsWhatHappens) {
  const TemporaryDirectory directory;
  furnish(directory);
  const std::string place =
      "unset TMPDIR NO_COLOR; LC_ALL=C.UTF-8; COLUMNS=80; export LC_ALL "
      "COLUMNS; cd '" +
      directory.path().string() + "' || exit 99\n";
  for (const ShownCommand& shown : commands_of_page(text_of(kRoot / GetParam()))) {
    SCOPED_TRACE(GetParam() + ":" + std::to_string(shown.line) + ": " + shown.command);
    if (!shown.not_run.empty()) continue;
    if (shown.command.starts_with("scripts/")) {
      EXPECT_TRUE(fs::exists(kRoot / shown.command.substr(0, shown.command.find(' '))));
      continue;
    }
    ASSERT_TRUE(can_be_run(shown.command))
        << "this test does not run that; say <!-- not run: REASON --> on the line above the block";
    const std::string command =
        has_shell_words(shown.command) ? shown.command : narrowed(shown.command);
    const BinaryResult result = run_shell(place + "{ " + command + "\n} 2>&1");
    EXPECT_EQ(result.code, shown.code) << result.out;
    if (!shown.output.empty()) {
      EXPECT_TRUE(shows(shown.output, result.out)) << "printed:\n" << result.out;
    }
  }
}

std::string page_test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = fs::path(info.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Docs, DocsPage, ::testing::ValuesIn(pages()), page_test_name);

TEST(Docs, AReadersPageOpensWithACommandAndItsOutput) {
  for (const char* page :
       {"docs/architecture.md", "docs/explain.md", "docs/mutants.md", "docs/writing-a-flavor.md"}) {
    const auto commands = commands_of_page(text_of(kRoot / page));
    ASSERT_THAT(commands, Not(IsEmpty())) << page;
    constexpr int kOpening = 12;
    EXPECT_LE(commands.front().line, kOpening) << page;
    EXPECT_THAT(commands.front().output, Not(IsEmpty())) << page;
  }
}

/// The parts of the samples that are shown on `page`, in their order.
std::vector<std::string> samples_for(const std::string& page) {
  std::vector<std::string> samples;
  for (const char* file : {"tests/apps/docs_sample.cc", "tests/consumer/project/shelled_main.cc",
                           "tests/consumer/project/page_gtest.cc"}) {
    bool inside = false;
    for (const std::string& line : lines_in_file(kRoot / file)) {
      if (line.starts_with("// shown: ")) {
        inside = line == "// shown: " + page;
        if (inside) samples.emplace_back();
      } else if (inside) {
        samples.back() += line + "\n";
      }
    }
  }
  return samples;
}

std::vector<std::string> cpp_blocks_of(const std::string& page) {
  std::vector<std::string> blocks;
  bool inside = false;
  for (const std::string& line : lines_in_file(kRoot / page)) {
    if (line.starts_with("```")) {
      inside = line == "```cpp";
      if (inside) blocks.emplace_back();
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

TEST(Docs, TheirCodeIsCompiled) {
  std::size_t blocks = 0;
  for (const std::string& page : pages()) {
    EXPECT_EQ(cpp_blocks_of(page), samples_for(page))
        << page
        << ": the same text stands in tests/apps/docs_sample.cc, or in the "
           "consumer's shelled_main.cc";
    blocks += cpp_blocks_of(page).size();
  }
  EXPECT_GE(blocks, 3U);
}

TEST(Docs, PagesAreReachedFromTheReadme) {
  const std::string readme = text_of(kRoot / "README.md");
  for (const std::string& page : pages()) {
    if (page == "README.md") continue;
    EXPECT_NE(readme.find(page), std::string::npos) << page << " is not named in README.md";
  }
}

// ---- The reader of pages ---------------------------------------------------------------------

std::vector<std::string> commands_in(const std::string& text) {
  std::vector<std::string> commands;
  for (const ShownCommand& shown : commands_of_page(text)) commands.push_back(shown.command);
  return commands;
}

TEST(DocsReader, FindsCommandsInBlocksAndFences) {
  EXPECT_THAT(commands_in("prose\n\n    $ a b  # why\n    out\n\nsandproof is prose\n\n"
                          "    sandproof list\n    scripts/test   # all\n"
                          "```sh\n$ c\n$ d\nsandproof is output\n```\n"),
              ElementsAre("a b", "sandproof list", "scripts/test", "c", "d"));
}

TEST(DocsReader, AnOutputGoesOnOverEmptyLinesAndEndsAtTheNextPrompt) {
  const auto commands = commands_of_page("    $ a\n    1\n\n    2\n\n    $ b\n\nprose\n");
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(commands[0].output, "1\n\n2\n");
  EXPECT_EQ(commands[1].output, "");
  EXPECT_EQ(commands[1].line, 6);
}

TEST(DocsReader, TakesExitCodesContinuationsAndReasons) {
  const auto commands = commands_of_page(
      "    $ a \\\n      b  # exits with 3, since\n\n<!-- not run: needs a cluster -->\n\n    $ "
      "c\n\n"
      "prose\n\n    $ d\n");
  ASSERT_EQ(commands.size(), 3U);
  EXPECT_EQ(commands[0].command, "a b");
  EXPECT_EQ(commands[0].code, 3);
  EXPECT_EQ(commands[1].not_run, "needs a cluster");
  EXPECT_EQ(commands[2].not_run, "");
}

TEST(DocsReader, ComparesAllButFigures) {
  EXPECT_TRUE(shows("52 cases in 2.77 s, 2 jobs, seed 1\n", "7 cases in 13 s, 1 job, seed 99\n\n"));
  EXPECT_FALSE(shows("rules: 17 passed\n", "rules: 16 passed\n"));
  EXPECT_FALSE(shows("a\n", "a\nb\n"));
  EXPECT_FALSE(shows("a\nb\n", "a\n"));
  EXPECT_TRUE(shows("a\n...\nd\n", "a\nb\nc\nd\n"));
  EXPECT_TRUE(shows("a\n...\n", "a\n"));
  EXPECT_FALSE(shows("a\n...\nd\n", "a\nb\n"));
}

}  // namespace
}  // namespace sandproof::apps
