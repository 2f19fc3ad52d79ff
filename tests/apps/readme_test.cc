// SPDX-License-Identifier: Apache-2.0
// What README.md shows is what happens: each command of the program is run, and the session that it
// shows is compared. Those of scripts/ are run by CI itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "sandproof/words.h"
#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

constexpr const char* kIndent = "    ";
constexpr const char* kProgram = "build/dev/bin/sandproof ";

struct Shown {
  std::string command;
  /// What follows a command that begins with `$`.
  std::string output;
  bool has_output = false;
};

std::vector<std::string> readme_lines() {
  std::ifstream file(SANDPROOF_ROOT "/README.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// Without the comment behind it.
std::string bare_command(const std::string& text) {
  const std::string command = text.substr(0, text.find("  #"));
  return command.substr(0, command.find_last_not_of(' ') + 1);
}

/// An indented line of the page, or an empty one, after it.
bool goes_on(const std::string& line) { return line.empty() || line.starts_with(kIndent); }

std::vector<Shown> shown_commands() {
  std::vector<Shown> commands;
  const std::vector<std::string> lines = readme_lines();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with(kIndent)) continue;
    const std::string text = lines[i].substr(4);
    if (!text.starts_with("$ ")) {
      if (text.starts_with(kProgram) || text.starts_with("scripts/")) {
        commands.push_back({bare_command(text), {}, false});
      }
      continue;
    }
    Shown shown{bare_command(text.substr(2)), {}, true};
    while (i + 1 < lines.size() && goes_on(lines[i + 1])) {
      const std::string& line = lines[++i];
      shown.output += (line.empty() ? line : line.substr(4)) + "\n";
    }
    while (shown.output.ends_with("\n\n")) shown.output.pop_back();
    commands.push_back(shown);
  }
  return commands;
}

/// Runs a command of the page in a directory of its own. Those that take minutes are narrowed to an
/// area: CI runs all of them.
BinaryResult run_shown(const std::string& command, const TemporaryDirectory& directory) {
  std::vector<std::string> words = split_words(command.substr(std::string(kProgram).size()));
  for (std::string& word : words) {
    if (word == "json:out.json") word = "json:" + (directory.path() / "out.json").string();
  }
  const bool narrowed = command.find("--area") != std::string::npos;
  if (words.front() == "run" && !narrowed) words.insert(words.end(), {"--area", "META"});
  if (words.front() == "mutants") words.insert(words.end(), {"--rule", "META-*"});
  return run_binary(words);
}

/// Times, seeds and the number of cores differ from run to run. Cases come and go: the page need
/// not follow each.
std::string without_figures(const std::string& text) {
  static const std::regex kFigures(
      R"([0-9.]+ s,|[0-9]+ jobs?|seed [0-9]+|[0-9]+ cases|cases: [0-9]+)");
  return std::regex_replace(text, kFigures, "N");
}

TEST(Readme, EveryCommandOfItRuns) {
  int programs = 0;
  for (const Shown& shown : shown_commands()) {
    SCOPED_TRACE(shown.command);
    if (shown.command.starts_with("scripts/")) {
      EXPECT_TRUE(std::filesystem::exists(SANDPROOF_ROOT "/" + shown.command));
      continue;
    }
    ++programs;
    const TemporaryDirectory directory;
    const BinaryResult result = run_shown(shown.command, directory);
    // The one command that shows how a status is passed on says which.
    const bool passes_three_on = shown.command.find("exit 3") != std::string::npos;
    EXPECT_EQ(result.code, passes_three_on ? 3 : 0) << result.err;
    if (shown.has_output) {
      EXPECT_EQ(without_figures(result.out), without_figures(shown.output));
    }
    if (shown.command.find("json:out.json") != std::string::npos) {
      EXPECT_TRUE(std::filesystem::exists(directory.path() / "out.json"));
    }
  }
  // Else the page was not read.
  EXPECT_GE(programs, 5);
}

}  // namespace
}  // namespace sandproof::apps
