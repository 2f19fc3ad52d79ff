// SPDX-License-Identifier: Apache-2.0
// Running and comparing rows of awk.
#include "tests/machine/awk_rows.h"

#include <gtest/gtest.h>

#include <sstream>

#include "fakes/machine/program.h"
#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

/// echo, cat, exit, true and rm, with `>&2` at the end of a command; commands between ';'.
Task<int> small_shell_command(Process& self, Strings words, int out) {
  const std::string name = words.front();
  if (name == "echo") {
    std::string line;
    for (std::size_t i = 1; i < words.size(); ++i) line += (i > 1 ? " " : "") + words[i];
    line += "\n";
    (void)co_await self.write(out, line);
  } else if (name == "cat") {
    const std::string all = co_await read_to_end(self, 0);
    (void)co_await self.write(out, all);
  } else if (name == "rm") {
    (void)self.unlink(words.back());
  } else if (name == "exit") {
    const int status = std::stoi(words.back());
    co_await self.exit(status);
  } else if (name == "kill") {
    const Pid pid = self.pid();
    (void)co_await self.kill(pid, Signal::kKill);
  } else if (name != "true") {
    co_return 127;
  }
  co_return 0;
}

Task<int> small_shell(Process& self) {
  std::istringstream commands(self.argv().back());
  int status = 0;
  for (std::string command; std::getline(commands, command, ';');) {
    std::istringstream text(command);
    Strings words;
    int out = 1;
    for (std::string word; text >> word;) {
      if (word == ">&2") {
        out = 2;
      } else {
        words.push_back(word);
      }
    }
    if (!words.empty()) status = co_await small_shell_command(self, words, out);
  }
  co_return status;
}

void expect_alike_row(const ProgramRun& row) {
  std::string text;
  for (const std::string& word : row.argv) text += word + " ";
  SCOPED_TRACE(text);
  EXPECT_EQ(run_on_machine(row), run_on_busybox(row));
}

}  // namespace

ProgramRun awk_words(std::vector<std::string> words, std::string input,
                     std::map<std::string, std::string> files) {
  words.insert(words.begin(), "awk");
  files.insert({{"f1", "a\nb\n"}, {"f2", "c\nd\n"}});
  return {.argv = std::move(words),
          .input = std::move(input),
          .files = std::move(files),
          .also = {{"sh", small_shell}}};
}

ProgramRun awk_row(std::string program, std::string input, std::vector<std::string> words,
                   std::map<std::string, std::string> files) {
  words.insert(words.begin(), std::move(program));
  return awk_words(std::move(words), std::move(input), std::move(files));
}

void expect_awk_alike(const std::vector<ProgramRun>& rows) {
  for (const ProgramRun& row : rows) expect_alike_row(row);
}

void expect_awk_alike(const std::vector<std::string>& programs, const std::string& input) {
  for (const std::string& program : programs) expect_alike_row(awk_row(program, input));
}

void expect_awk_as_mawk(const std::vector<std::string>& programs, const std::string& input) {
  for (const std::string& program : programs) {
    ProgramRun row = awk_row(program, input);
    row.real = {};
    const ProgramEnd machine = run_on_machine(row);
    row.argv.front() = "mawk";
    SCOPED_TRACE(program);
    EXPECT_EQ(machine, run_on_busybox(row));
  }
}

}  // namespace sandproof::machine
