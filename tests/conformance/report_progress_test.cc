// SPDX-License-Identifier: Apache-2.0
// Live progress: what stays on a terminal, and what a log file gets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/report/files.h"
#include "conformance/report/live_progress.h"
#include "conformance/report/mutant_progress.h"
#include "tests/conformance/report_log.h"

namespace sandproof::conformance {
namespace {

using fabricated::Json;
using fabricated::Log;
using fabricated::small_log;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A file in memory that the progress is written to.
class Output {
 public:
  Output() : fd_(::memfd_create("progress", MFD_CLOEXEC)) {}
  ~Output() { ::close(fd_); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  int fd() const { return fd_; }
  std::string text() const {
    return read_whole_file("/proc/self/fd/" + std::to_string(fd_), "the output");
  }

 private:
  int fd_;
};

/// What a terminal shows after these bytes: the few sequences that the progress uses.
std::vector<std::string> screen(const std::string& bytes) {
  std::vector<std::string> lines(1);
  std::size_t row = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == '\n') {
      if (++row == lines.size()) lines.emplace_back();
    } else if (bytes[i] == '\x1b') {
      const std::size_t end = bytes.find_first_of("AKJm", i);
      if (bytes[end] == 'A') row -= std::stoul(bytes.substr(i + 2));
      if (bytes[end] == 'K') lines[row].clear();
      if (bytes[end] == 'J') lines.resize(row + 1), lines[row].clear();
      i = end;
    } else if (bytes[i] != '\r') {
      lines[row] += bytes[i];
    }
  }
  return lines;
}

Terminal live_terminal() {
  Terminal terminal;
  terminal.live = true;
  return terminal;
}

template <typename Progress>
void feed(Progress& progress, const Log& log) {
  for (const Json& event : parse_event_log(log.text(), "test.log").events) progress.take(event);
}

Log two_running() {
  Log log = small_log();
  log.planned("One", {"A-001"}).planned("Two", {"A-002"}).planned("Three", {"A-003"});
  // Redraws are rare: time has to pass.
  for (int i = 0; i < 10; ++i) log.add("note");
  log.on("One", "case_started", {{"seed", 1}}).on("Two", "case_started", {{"seed", 1}});
  for (int i = 0; i < 10; ++i) log.add("note");
  return log;
}

TEST(LiveProgress, ShowsOneLinePerJobAndOneOverAll) {
  const Output output;
  LiveProgress progress(output.fd(), live_terminal());
  feed(progress, two_running());
  EXPECT_THAT(screen(output.text()),
              ElementsAre("  local One", "  local Two", "0 of 3 cases, 0 s", ""));
}

TEST(LiveProgress, LeavesFailuresAloneBehind) {
  const Output output;
  LiveProgress progress(output.fd(), live_terminal());
  Log log = two_running();
  log.on("One", "case_finished", {{"outcome", "failed"}, {"duration_ms", 310.0}});
  log.times_out("Two").finishes("Three", "passed").finished();
  feed(progress, log);
  EXPECT_THAT(screen(output.text()), ElementsAre("A-001 One on local failed after 0.31 s",
                                                 "A-002 Two on local hung after 20.0 s", ""));
}

TEST(LiveProgress, AFloodOfFailuresIsCounted) {
  const Output output;
  LiveProgress progress(output.fd(), {});
  Log log = small_log();
  for (int i = 0; i < 300; ++i) log.planned("Case" + std::to_string(i), {"A-001"});
  for (int i = 0; i < 300; ++i) log.finishes("Case" + std::to_string(i), "failed");
  feed(progress, log.finished());
  const std::string text = output.text();
  EXPECT_THAT(
      text, AllOf(HasSubstr("A-001 Case19 on local failed"), Not(HasSubstr("Case20 on")),
                  HasSubstr("more failures are only counted here"), HasSubstr(" of 300 cases, ")));
  EXPECT_EQ(text.find("more failures"), text.rfind("more failures"));
}

TEST(LiveProgress, ADeclaredDeviationIsNoFailure) {
  const Output output;
  LiveProgress progress(output.fd(), live_terminal());
  Log log = small_log({{"deviations", {{{"rule", "A-001"}, {"reason", "known"}}}}});
  log.planned("One", {"A-001"}).finishes("One", "failed").finished();
  feed(progress, log);
  EXPECT_THAT(screen(output.text()), ElementsAre(""));
}

TEST(LiveProgress, CutsLinesToTheWidth) {
  const Output output;
  Terminal terminal = live_terminal();
  terminal.width = 40;
  LiveProgress progress(output.fd(), terminal);
  const std::string name(100, 'X');
  Log log = small_log();
  log.planned(name, {"A-001"}).on(name, "case_started", {{"seed", 1}});
  for (int i = 0; i < 10; ++i) log.add("note");
  feed(progress, log);
  for (const std::string& line : screen(output.text())) EXPECT_LT(line.size(), 40U);
}

TEST(LiveProgress, WithoutATerminalItWritesPlainLines) {
  const Output output;
  LiveProgress progress(output.fd(), {});
  Log log = two_running();
  for (int i = 0; i < 600; ++i) log.add("note");
  log.on("One", "case_finished", {{"outcome", "failed"}, {"duration_ms", 310.0}}).finished();
  feed(progress, log);
  EXPECT_THAT(output.text(), AllOf(HasSubstr("A-001 One on local failed after 0.31 s\n"),
                                   HasSubstr("0 of 3 cases, 5 s\n"), Not(HasSubstr("\x1b"))));
}

TEST(LiveProgress, SurvivesEventsThatAreWrong) {
  const Output output;
  LiveProgress progress(output.fd(), live_terminal());
  for (const char* text : {"{}", "[]", R"({"event":1})", R"({"event":"flavor","deviations":3})",
                           R"({"event":"case_planned"})", R"({"event":"case_finished"})"}) {
    EXPECT_NO_THROW(progress.take(Json::parse(text))) << text;
  }
}

TEST(MutantProgress, ShowsHowFarItIsAndLeavesNothing) {
  const Output output;
  MutantProgress progress(output.fd(), live_terminal(), {200, 29, 5000});
  feed(progress, two_running());
  EXPECT_THAT(screen(output.text()),
              ElementsAre("  local: One", "  local: Two", "29 of 200 mutants killed, 5 s", ""));
  progress.take({{"event", "run_finished"}});
  EXPECT_THAT(screen(output.text()), ElementsAre(""));
}

TEST(MutantProgress, IsSilentWithoutATerminal) {
  const Output output;
  MutantProgress progress(output.fd(), {}, {});
  feed(progress, two_running());
  EXPECT_THAT(output.text(), IsEmpty());
}

}  // namespace
}  // namespace sandproof::conformance
