// SPDX-License-Identifier: Apache-2.0
// What docs/ci.md shows is what happens: its commands are run one after the other in one directory,
// and their outputs compared but for times and seeds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <regex>

#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

struct PageCommand {
  std::string command;
  std::string output;
};

/// Those that follow a `$`, with what is indented after them.
std::vector<PageCommand> commands_of_page() {
  constexpr std::string_view kPageIndent = "    ";
  std::ifstream file(SANDPROOF_ROOT "/docs/ci.md");
  std::vector<PageCommand> commands;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    inside = inside && (line.empty() || line.starts_with(kPageIndent));
    if (line.starts_with("    $ ")) {
      commands.push_back({line.substr(6), ""});
      inside = true;
    } else if (inside) {
      commands.back().output += (line.empty() ? line : line.substr(4)) + "\n";
    }
  }
  for (PageCommand& command : commands) {
    while (command.output.ends_with("\n\n")) command.output.pop_back();
    if (command.output == "\n") command.output.clear();
  }
  return commands;
}

std::string without_times(const std::string& text) {
  static const std::regex kProgressLine(R"([0-9]+ of [0-9]+ cases, [0-9]+ s\n)");
  static const std::regex kFigures(R"([0-9.]+ s,|[0-9]+ jobs?|seed [0-9]+)");
  return std::regex_replace(std::regex_replace(text, kProgressLine, ""), kFigures, "N");
}

/// Its output, with the errors.
std::string run_in_shell(const std::string& command) {
  std::string output;
  FILE* const pipe = ::popen(("{ " + command + "; } 2>&1").c_str(), "re");
  if (pipe == nullptr) throw std::runtime_error("no shell");
  char buffer[4096];
  for (std::size_t count = 0; (count = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;) {
    output.append(buffer, count);
  }
  ::pclose(pipe);
  return output;
}

/// The test's own directory and variables, put back at its end.
class PageShell {
 public:
  PageShell() : previous_(std::filesystem::current_path()), path_(::getenv("PATH")) {
    std::filesystem::current_path(directory_.path());
    const std::string program = std::filesystem::path(SANDPROOF_BIN).parent_path().string();
    ::setenv("PATH", (program + ":" + path_).c_str(), 1);
    ::setenv("LC_ALL", "C.UTF-8", 1);
    // What a test runner may have set, which would divide the runs.
    for (const char* name : {"GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", "JOB_COMPLETION_INDEX",
                             "SANDPROOF_SHARDS", "COLUMNS"}) {
      ::unsetenv(name);
    }
  }
  ~PageShell() {
    std::filesystem::current_path(previous_);
    ::setenv("PATH", path_.c_str(), 1);
  }
  PageShell(const PageShell&) = delete;
  PageShell& operator=(const PageShell&) = delete;

 private:
  TemporaryDirectory directory_;
  std::filesystem::path previous_;
  std::string path_;
};

TEST(CiPage, EveryCommandOfItSaysWhatIsShown) {
  const std::vector<PageCommand> commands = commands_of_page();
  // Else the page was not read.
  ASSERT_GE(commands.size(), 8U);
  const PageShell shell;
  for (const PageCommand& shown : commands) {
    SCOPED_TRACE(shown.command);
    EXPECT_EQ(without_times(run_in_shell(shown.command)), without_times(shown.output));
  }
}

}  // namespace
}  // namespace sandproof::apps
