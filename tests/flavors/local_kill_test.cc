// SPDX-License-Identifier: Apache-2.0
// Killing and closing with real processes of all the shapes in which they get away elsewhere.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "flavors/local/process_table.h"
#include "flavors/local/tree.h"
#include "sandproof/errors.h"
#include "tests/flavors/local_support.h"

namespace sandproof::local {
namespace {

using Clock = std::chrono::steady_clock;
using test::kPatience;
using test::LocalWorld;
using test::read_line;
using test::request;
using test::shell;
using test::wait_exit;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const ExitStatus kKilled = ExitStatus::signaled(SIGKILL);

bool is_alive(pid_t pid) {
  const auto row = system_process_table()->find(pid);
  return row && row->alive();
}

// Looks until a process of the session has exactly this command line: the only way to know that one
// has been executed which says nothing. A part of it would also be found in the shell's own.
void await_process(const LocalWorld& world, const std::string& session, const std::string& text) {
  const auto deadline = Clock::now() + kPatience;
  do {
    for (const std::string& command : world.living(session)) {
      if (command == text) return;
    }
  } while (Clock::now() < deadline);
  FAIL() << "no process '" << text << "' appears";
}

// BUGS.md #4: whether a kill works must not depend on whether a shell forks or executes.
class ShellShapeTest : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(ShellShapeTest, KillEndsAllOfIt) {
  const auto& [shell_path, script] = GetParam();
  if (!std::filesystem::exists(shell_path)) GTEST_SKIP() << "there is no " << shell_path;
  LocalWorld world;
  const auto session = world.create("local-shape");
  const auto process = session->do_exec(request({shell_path, "-c", script}));
  await_process(world, "local-shape", "sleep 2000");
  process->do_kill();
  EXPECT_THAT(world.living("local-shape"), IsEmpty());
  EXPECT_EQ(wait_exit(*process), kKilled);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ShellShapeTest,
                         ::testing::Combine(::testing::Values("/bin/dash", "/bin/bash"),
                                            ::testing::Values("sleep 2000", "sleep 2000; true",
                                                              "sleep 2000 & wait", "(sleep 2000)",
                                                              "sleep 2000 | cat")));

// Each script starts something that gets away from some kind of kill, prints its pid, and stays.
class EscapeTest : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(
    Scripts, EscapeTest,
    ::testing::Values(
        // In the background, of the same group.
        "sleep 2000 & echo $!; wait",
        // In a session of its own.
        "setsid sleep 2000 & echo $!; wait",
        // Twice forked: its parent is gone.
        "(setsid sh -c 'echo $$; exec sleep 2000' &) ; sleep 2000",
        // With closed streams.
        "setsid sh -c 'echo $$; exec sleep 2000 <&- >&- 2>&-' & wait",
        // That ignores what can be ignored.
        "setsid sh -c 'trap \"\" TERM INT HUP QUIT; echo $$; while :; do sleep 2000; done' & wait",
        // With no environment, but with a parent.
        "env -i setsid sleep 2000 & echo $!; wait",
        // Stopped.
        "setsid sh -c 'echo $$; kill -STOP $$' & wait",
        // The leader itself executes another program after a fork.
        "sleep 2000 & echo $!; exec sleep 2001"));

TEST_P(EscapeTest, KillReachesIt) {
  LocalWorld world;
  const auto session = world.create("local-kill");
  const auto process = session->do_exec(shell(GetParam()));
  const pid_t escaped = std::stoi(read_line(*process));
  ASSERT_TRUE(is_alive(escaped));
  process->do_kill();
  EXPECT_FALSE(is_alive(escaped));
  EXPECT_THAT(world.living("local-kill"), IsEmpty());
  EXPECT_EQ(wait_exit(*process), kKilled);
}

TEST_P(EscapeTest, CloseReachesItWithinTheGrace) {
  LocalWorld world;
  world.settings.set("close_grace", 0.2);
  const auto session = world.create("local-close");
  const auto process = session->do_exec(shell(GetParam()));
  const pid_t escaped = std::stoi(read_line(*process));
  ASSERT_TRUE(is_alive(escaped));
  session->do_close();
  EXPECT_FALSE(is_alive(escaped));
  EXPECT_THAT(world.living("local-close"), IsEmpty());
  EXPECT_TRUE(process->do_poll_exit().has_value());
  EXPECT_FALSE(std::filesystem::exists(world.workdir("local-close")));
}

TEST(LocalKillTest, ACommandThatHasEndedLeavesADaemonToClose) {
  LocalWorld world;
  world.settings.set("close_grace", 0.2);
  const auto session = world.create("local-daemon");
  const auto process = session->do_exec(shell("setsid sh -c 'echo $$; exec sleep 2000' & exit 3"));
  const pid_t daemon = std::stoi(read_line(*process));
  EXPECT_EQ(wait_exit(*process), ExitStatus::exited(3));
  process->do_kill();
  EXPECT_TRUE(is_alive(daemon)) << "kill() does nothing after the exit";
  EXPECT_EQ(process->do_poll_exit(), ExitStatus::exited(3));
  session->do_close();
  EXPECT_FALSE(is_alive(daemon));
}

TEST(LocalKillTest, KillTouchesNobodyElse) {
  LocalWorld world;
  const auto session = world.create("local-a");
  const auto neighbour = world.create("local-a2");
  const auto victim = session->do_exec(shell("echo up; sleep 2000; true"));
  const auto sibling = session->do_exec(shell("echo up; sleep 2000; true"));
  const auto other = neighbour->do_exec(shell("echo up; sleep 2000; true"));
  const pid_t stranger = ::fork();
  if (stranger == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::execlp("sleep", "sleep", "2000", nullptr);
    ::_exit(1);
  }
  for (const auto* process : {&victim, &sibling, &other}) EXPECT_EQ(read_line(**process), "up");
  victim->do_kill();
  EXPECT_EQ(wait_exit(*victim), kKilled);
  for (const auto* process : {&sibling, &other}) {
    EXPECT_EQ((*process)->do_poll_exit(), std::nullopt);
  }
  session->do_close();
  EXPECT_EQ(other->do_poll_exit(), std::nullopt);
  EXPECT_TRUE(is_alive(stranger));
  ::kill(stranger, SIGKILL);
  EXPECT_EQ(::waitpid(stranger, nullptr, 0), stranger);
}

TEST(LocalKillTest, KillIsIdempotentAndKeepsTheFirstStatus) {
  LocalWorld world;
  const auto session = world.create("local-twice");
  const auto process = session->do_exec(shell("sleep 2000"));
  process->do_kill();
  process->do_kill();
  EXPECT_EQ(wait_exit(*process), kKilled);
  process->do_kill();
  EXPECT_EQ(process->do_poll_exit(), kKilled);
  const auto ended = session->do_exec(shell("exit 4"));
  EXPECT_EQ(wait_exit(*ended), ExitStatus::exited(4));
  ended->do_kill();
  EXPECT_EQ(ended->do_poll_exit(), ExitStatus::exited(4));
}

// KILL-005: there is no window after exec in which a kill is lost.
TEST(LocalKillTest, KillStraightAfterExecWorks) {
  LocalWorld world;
  const auto session = world.create("local-early");
  for (int i = 0; i < 50; ++i) {
    const auto process = session->do_exec(shell("sleep 2000 & sleep 2000"));
    process->do_kill();
    EXPECT_EQ(wait_exit(*process), kKilled);
    EXPECT_THAT(world.living("local-early"), IsEmpty());
  }
}

TEST(LocalKillTest, KillRacingTheExitKeepsOneStatus) {
  LocalWorld world;
  const auto session = world.create("local-race");
  for (int i = 0; i < 50; ++i) {
    const auto process = session->do_exec(shell("exit 3"));
    std::jthread killer([&] { process->do_kill(); });
    const auto status = wait_exit(*process);
    killer.join();
    EXPECT_TRUE(status == kKilled || status == ExitStatus::exited(3));
    EXPECT_EQ(process->do_poll_exit(), status);
  }
}

TEST(LocalKillTest, WhoeverSeesTheEndSeesTheEndOfTheTree) {
  LocalWorld world;
  const auto session = world.create("local-order");
  for (int i = 0; i < 20; ++i) {
    const auto process = session->do_exec(shell("setsid sh -c 'echo $$; sleep 2000; :' & wait"));
    const pid_t escaped = std::stoi(read_line(*process));
    std::jthread killer([&] { process->do_kill(); });
    EXPECT_EQ(wait_exit(*process), kKilled);
    EXPECT_FALSE(is_alive(escaped));
  }
}

// As fast as it can, and bounded: where it outruns the test on a busy machine, it comes to an end.
TEST(LocalKillTest, AForkingTreeIsCaught) {
  LocalWorld world;
  const auto session = world.create("local-forks");
  // Long at it, but not for ever: a kill that came too late would else fill the machine.
  const auto process = session->do_exec(shell(
      "for i in 1 2 3; do (n=0; while [ $n -lt 700 ]; do n=$((n+1)); setsid sleep 2000 & done;"
      " wait) & done; echo up; wait"));
  EXPECT_EQ(read_line(*process), "up");
  await_process(world, "local-forks", "sleep 2000");
  process->do_kill();
  EXPECT_EQ(wait_exit(*process), kKilled);
  EXPECT_THAT(world.living("local-forks"), IsEmpty());
}

TEST(LocalKillTest, OutputBeforeTheKillCanBeRead) {
  LocalWorld world;
  const auto session = world.create("local-output");
  const auto process = session->do_exec(shell("echo before; echo ready; sleep 2000"));
  await_process(world, "local-output", "sleep 2000");
  process->do_kill();
  const test::Finished finished = test::drive(*process);
  EXPECT_EQ(finished.out, "before\nready\n");
  EXPECT_EQ(finished.status, kKilled);
}

// CLOSE-005: one grace for all, however many there are and however stubborn.
TEST(LocalCloseTest, StubbornCommandsShareOneGrace) {
  LocalWorld world;
  world.settings.set("close_grace", 0.5);
  const auto session = world.create("local-stubborn");
  std::vector<std::unique_ptr<ProcessHooks>> processes;
  processes.reserve(16);
  for (int i = 0; i < 16; ++i) {
    processes.push_back(
        session->do_exec(shell("trap '' TERM; echo up; while :; do sleep 2000; done")));
    EXPECT_EQ(read_line(*processes.back()), "up");
  }
  const auto begin = Clock::now();
  session->do_close();
  // The grace, and what the rules allow besides: 2 s.
  EXPECT_LT(Clock::now() - begin, std::chrono::milliseconds(2500));
  for (const auto& process : processes) EXPECT_EQ(process->do_poll_exit(), kKilled);
  EXPECT_THAT(world.living("local-stubborn"), IsEmpty());
}

TEST(LocalCloseTest, CommandsThatHeedTermAreNotKilled) {
  LocalWorld world;
  const auto session = world.create("local-polite");
  const auto process = session->do_exec(
      shell("trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 2000 & wait; done"));
  EXPECT_EQ(read_line(*process), "up");
  session->do_close();
  const test::Finished finished = test::drive(*process);
  EXPECT_EQ(finished.out, "bye\n");
  EXPECT_EQ(finished.status, ExitStatus::exited(7));
}

TEST(LocalCloseTest, ExecAfterCloseIsRefusedByName) {
  LocalWorld world;
  const auto session = world.create("local-closed");
  session->do_close();
  try {
    session->do_exec(shell("true"));
    FAIL() << "it was started";
  } catch (const SessionClosedError& error) {
    EXPECT_THAT(error.what(), HasSubstr("local-closed"));
  }
}

// Starts stubborn commands, one after the other, until the session is closed.
void start_until_closed(SessionHooks& session) {
  try {
    for (;;) {
      const auto process = session.do_exec(shell("trap '' TERM; sleep 2000; true"));
      const auto status = wait_exit(*process);
      // Of the close: it may come before the trap.
      EXPECT_TRUE(status == kKilled || status == ExitStatus::signaled(SIGTERM));
    }
  } catch (const SessionClosedError&) {
  }
}

// CLOSE-010: each exec either throws, or gives a process that the close has ended.
TEST(LocalCloseTest, ExecRacingCloseLeavesNothing) {
  for (int round = 0; round < 20; ++round) {
    LocalWorld world;
    world.settings.set("close_grace", 0.05);
    const auto session = world.create("local-racing");
    std::vector<std::jthread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { start_until_closed(*session); });
    session->do_close();
    threads.clear();
    EXPECT_THAT(world.living("local-racing"), IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(world.workdir("local-racing")));
  }
}

TEST(LocalCloseTest, AProcessDestroyedEarlyIsEnded) {
  LocalWorld world;
  const auto session = world.create("local-early");
  auto process = session->do_exec(shell("setsid sh -c 'echo $$; exec sleep 2000' & wait"));
  const pid_t escaped = std::stoi(read_line(*process));
  process.reset();
  EXPECT_FALSE(is_alive(escaped));
  siginfo_t info{};
  EXPECT_NE(::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT), 0) << "a zombie is left";
}

// BUGS.md #199: what writes into the directory is ended before it is removed.
TEST(LocalCloseTest, AWriterDoesNotKeepTheDirectory) {
  LocalWorld world;
  world.settings.set("close_grace", 0.1);
  const auto session = world.create("local-writer");
  const auto process = session->do_exec(shell(
      "trap '' TERM; echo up; i=0; while :; do i=$((i+1)); mkdir -p d$i; echo x >d$i/f; done"));
  EXPECT_EQ(read_line(*process), "up");
  session->do_close();
  EXPECT_FALSE(std::filesystem::exists(world.workdir("local-writer")));
}

}  // namespace
}  // namespace sandproof::local
