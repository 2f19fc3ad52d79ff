// SPDX-License-Identifier: Apache-2.0
// Cases that leave processes, files and descriptors behind.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "sandproof/conformance/assertions.h"
#include "sandproof/conformance/context.h"
#include "tests/conformance/runner_fixture/fixture_cases.h"

namespace sandproof::conformance::fixture {
namespace {

using namespace std::chrono_literals;

void leaves_200_children(CaseContext&) {
  EXPECT_EQ(1, 1);
  for (int i = 0; i < 200; ++i) start_sleeper("child", false);
}

void leaves_a_daemon(CaseContext&) {
  EXPECT_EQ(1, 1);
  start_sleeper("daemon", true);
}

void hangs_with_children(CaseContext&) {
  EXPECT_EQ(1, 1);
  for (int i = 0; i < 20; ++i) start_sleeper("hanging", i % 2 == 0);
  while (true) ::pause();
}

// For the tests that kill at random points: something is always being started or ended.
void comes_and_goes(CaseContext& context) {
  std::vector<pid_t> sleepers;
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(round, round);
    sleepers.push_back(start_sleeper("going", false));
    // sleep: a random moment for a kill from outside.
    std::this_thread::sleep_for(std::chrono::milliseconds(context.random()() % 30));
  }
  for (const pid_t pid : sleepers) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
}

void comes_and_stays(CaseContext& context) {
  start_sleeper("coming", true);
  comes_and_goes(context);
  start_sleeper("staying", false);
}

void leaves_a_directory(CaseContext&) {
  EXPECT_EQ(1, 1);
  std::filesystem::create_directories(std::filesystem::temp_directory_path() / "left" / "below");
}

void leaves_descriptors(CaseContext&) {
  for (int i = 0; i < 3; ++i) EXPECT_GE(::open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
}

}  // namespace

pid_t start_sleeper(const std::string& argument, bool own_session) {
  std::vector<std::string> words{"runner_fixture", own_session ? "daemon" : "sleep", argument};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t pid = -1;
  if (::posix_spawn(&pid, "/proc/self/exe", nullptr, nullptr, argv.data(), environ) != 0) {
    throw std::runtime_error("cannot start a sleeper");
  }
  // A daemon's first process ends when the second has taken over.
  if (own_session) ::waitpid(pid, nullptr, 0);
  return pid;
}

void add_process_cases(std::vector<Case>& cases) {
  const auto add = [&](std::string_view name, void (*body)(CaseContext&),
                       std::chrono::milliseconds limit = 20s) {
    cases.push_back({.name = name, .rules = {"RUN-001"}, .body = body, .limit = limit});
  };
  add("Leaves200Children", leaves_200_children);
  add("LeavesADaemon", leaves_a_daemon);
  add("HangsWithChildren", hangs_with_children, 1s);
  add("LeavesADirectory", leaves_a_directory);
  add("LeavesDescriptors", leaves_descriptors);
  for (const char* name : {"ComesAndGoes1", "ComesAndGoes2", "ComesAndGoes3", "ComesAndGoes4"}) {
    add(name, comes_and_goes);
  }
  add("ComesAndStays", comes_and_stays);
}

}  // namespace sandproof::conformance::fixture
