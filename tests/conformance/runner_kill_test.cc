// SPDX-License-Identifier: Apache-2.0
// The runner's processes are killed at seeded random points: no process of the run lives on, the
// log is whole lines, and it says run_finished only if the run did finish.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <optional>
#include <random>

#include "tests/conformance/runner_launch.h"

namespace sandproof::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::SizeIs;

constexpr int kPoints = 10;
constexpr std::chrono::seconds kGoneBound{30};

const char* const kCases =
    "ComesAndGoes1,ComesAndStays,ComesAndGoes2,ComesAndGoes3,ComesAndGoes4,Echoes";
constexpr std::size_t kCaseCount = 6;
// About what the run takes.
constexpr unsigned kRunMilliseconds = 800;

enum class Victim { kGuard, kSupervisor, kKeeper, kWorker, kCommand };

std::string name_of(const testing::TestParamInfo<Victim>& info) {
  switch (info.param) {
    case Victim::kGuard:
      return "Guard";
    case Victim::kSupervisor:
      return "Supervisor";
    case Victim::kKeeper:
      return "Keeper";
    case Victim::kWorker:
      return "Worker";
    case Victim::kCommand:
      return "Command";
  }
  return "";
}

// Roles by the tree: guard, its child, the supervisor's children, their children. A keeper has not
// executed anything: its command line is the guard's.
std::vector<pid_t> candidates(const Launch& launch, Victim victim) {
  if (victim == Victim::kGuard) return {launch.pid()};
  std::vector<pid_t> found;
  const std::vector<MarkedProcess> processes = launch.processes();
  const auto children = [&](const std::vector<pid_t>& parents) {
    std::vector<pid_t> below;
    for (const MarkedProcess& process : processes) {
      if (std::find(parents.begin(), parents.end(), process.parent) != parents.end()) {
        below.push_back(process.pid);
      }
    }
    return below;
  };
  std::vector<pid_t> supervisors = children({launch.pid()});
  if (victim == Victim::kSupervisor) return supervisors;
  if (victim == Victim::kKeeper) return children(supervisors);
  for (const MarkedProcess& process : processes) {
    const bool worker = process.command.find(" worker --flavor") != std::string::npos;
    const bool command = process.command.find("runner_fixture sleep") != std::string::npos ||
                         process.command.find("runner_fixture daemon") != std::string::npos;
    if (victim == Victim::kWorker ? worker : command) found.push_back(process.pid);
  }
  return found;
}

class RunnerKill : public testing::TestWithParam<Victim> {};

struct Blow {
  bool landed = false;
  bool complete = false;
};

Blow kill_at(Victim victim, unsigned seed) {
  std::mt19937 random(seed);
  Launch launch({"--jobs", "2", "--cases", kCases, "--seed", std::to_string(seed)});
  // A random point of the run, from its first breath on.
  ::poll(nullptr, 0, static_cast<int>(random() % kRunMilliseconds));
  bool killed = false;
  while (!killed) {
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(launch.pid()), &info, WEXITED | WNOHANG | WNOWAIT);
    if (info.si_pid != 0) break;  // Over before the point came.
    const std::vector<pid_t> pids = candidates(launch, victim);
    if (!pids.empty()) killed = ::kill(pids[random() % pids.size()], SIGKILL) == 0;
  }
  const int status = launch.wait();
  EXPECT_TRUE(launch.wait_until_gone(kGoneBound)) << "seed " << seed;

  const std::vector<json> events = launch.events();
  const std::vector<json> ends = events_of(events, "run_finished");
  const bool complete = !ends.empty();
  const Launch::Words finished = launch.finished();
  EXPECT_LE(finished.size(), 1u);
  if (!finished.empty()) {
    EXPECT_THAT(finished[0], HasSubstr(complete ? " complete" : " incomplete"));
  }
  // A guard that dies before there is a supervisor, or after it, has nobody left behind it.
  if (victim != Victim::kGuard || (!complete && !events.empty())) {
    EXPECT_THAT(finished, SizeIs(1)) << "seed " << seed;
    EXPECT_THAT(launch.temporary_files(), SizeIs(0)) << "seed " << seed;
  }
  if (victim == Victim::kGuard) {
    EXPECT_TRUE(!killed || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
  } else {
    EXPECT_TRUE(WIFEXITED(status)) << status;
    EXPECT_EQ(WEXITSTATUS(status), complete ? 0 : 6);
  }
  if (victim == Victim::kWorker || victim == Victim::kKeeper || victim == Victim::kCommand) {
    EXPECT_TRUE(complete) << "seed " << seed;
    // At most the case that it was in is lost.
    EXPECT_LE(events_of(events, "case_crashed").size(), 1u);
    EXPECT_THAT(events_of(events, "case_planned"), SizeIs(kCaseCount));
    const std::size_t over =
        events_of(events, "case_finished").size() + events_of(events, "case_crashed").size();
    EXPECT_EQ(over, kCaseCount);
  }
  return {killed, complete};
}

TEST_P(RunnerKill, AtRandomPoints) {
  int landed = 0;
  int incomplete = 0;
  for (unsigned point = 0; point < kPoints; ++point) {
    SCOPED_TRACE("seed " + std::to_string(point));
    const Blow blow = kill_at(GetParam(), point);
    landed += blow.landed ? 1 : 0;
    incomplete += blow.complete ? 0 : 1;
  }
  // Else nothing was tried.
  EXPECT_GE(landed, kPoints / 2);
  const bool ends_the_run = GetParam() == Victim::kGuard || GetParam() == Victim::kSupervisor;
  EXPECT_EQ(incomplete > 0, ends_the_run) << incomplete;
}

INSTANTIATE_TEST_SUITE_P(Of, RunnerKill,
                         testing::Values(Victim::kGuard, Victim::kSupervisor, Victim::kKeeper,
                                         Victim::kWorker, Victim::kCommand),
                         name_of);

// Not at the start and not at the end: there is a supervisor, and it is in the middle of a case.
TEST(RunnerKillInACase, TheLogSaysIncomplete) {
  for (const Victim victim : {Victim::kGuard, Victim::kSupervisor}) {
    Launch launch({"--cases", "Passes,HangsInVerbForLong", "--jobs", "1"});
    ASSERT_TRUE(launch.wait_for_event([](const json& event) {
      return event.at("event") == "case_started" && event.at("case") == "HangsInVerbForLong";
    }));
    const std::vector<pid_t> pids = candidates(launch, victim);
    ASSERT_THAT(pids, SizeIs(1));
    ASSERT_EQ(::kill(pids[0], SIGKILL), 0);
    launch.wait();
    EXPECT_TRUE(launch.wait_until_gone(kGoneBound));
    EXPECT_THAT(events_of(launch.events(), "run_finished"), SizeIs(0));
    ASSERT_THAT(launch.finished(), SizeIs(1));
    EXPECT_THAT(launch.finished()[0], HasSubstr("incomplete"));
    EXPECT_THAT(launch.temporary_files(), SizeIs(0));
  }
}

TEST(RunnerKillInACase, AWorkerIsReplacedAndTheCaseCrashed) {
  Launch launch({"--cases", "HangsInVerbForLong,Passes", "--jobs", "1"});
  ASSERT_TRUE(
      launch.wait_for_event([](const json& event) { return event.at("event") == "case_started"; }));
  const std::vector<pid_t> pids = candidates(launch, Victim::kWorker);
  ASSERT_THAT(pids, SizeIs(1));
  ASSERT_EQ(::kill(pids[0], SIGKILL), 0);
  launch.wait();
  const std::vector<json> events = launch.events();
  EXPECT_EQ(end_of(events, "HangsInVerbForLong").value("status", ""), "signaled(9)");
  EXPECT_EQ(end_of(events, "Passes").value("outcome", ""), "passed");
  EXPECT_THAT(events_of(events, "worker_started"), SizeIs(2));
  EXPECT_THAT(events_of(events, "worker_ended"), SizeIs(2));
}

TEST(RunnerKillInACase, SignalsInterruptTheRun) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Launch launch({"--cases", "HangsWithChildren,Passes", "--time-scale", "60"});
    ASSERT_TRUE(launch.wait_for_event(
        [](const json& event) { return event.at("event") == "case_started"; }));
    ASSERT_EQ(::kill(launch.pid(), signal), 0);
    const int status = launch.wait();
    EXPECT_TRUE(WIFEXITED(status)) << status;
    EXPECT_TRUE(launch.wait_until_gone(kGoneBound));
    const std::vector<json> events = launch.events();
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.back().value("event", ""), "run_finished");
    EXPECT_EQ(events.back().value("interrupted", false), true);
    EXPECT_THAT(events.back().value("reason", ""), HasSubstr("interrupted by SIG"));
    EXPECT_EQ(end_of(events, "HangsWithChildren"), json());
    EXPECT_THAT(launch.finished(), SizeIs(1));
    EXPECT_THAT(launch.temporary_files(), SizeIs(0));
  }
}

}  // namespace
}  // namespace sandproof::conformance
