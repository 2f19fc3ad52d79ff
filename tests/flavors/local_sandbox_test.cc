// SPDX-License-Identifier: Apache-2.0
// The local flavor under the framework, with real processes: what needs the pump, the poller, the
// reaping and the tree kill together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "flavors/local/mark.h"
#include "flavors/local/pipe.h"
#include "flavors/local/process_table.h"
#include "flavors/local/tree.h"
#include "sandproof/errors.h"
#include "sandproof/flavor.h"
#include "sandproof/flavors/local.h"
#include "tests/flavors/local_support.h"

namespace sandproof::local {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using test::kPatience;
using ::testing::Each;
using ::testing::IsEmpty;

ExecOptions piped() {
  ExecOptions options;
  options.input = Stdin::pipe();
  return options;
}

// "exited(3)", or what wait() throws.
std::string end_in_words(Process& process) {
  try {
    return process.wait(kPatience).to_string();
  } catch (const std::exception& error) {
    return error.what();
  }
}

// Zombies too: they are there until somebody reaps them.
std::size_t children_of_this_program() {
  const auto rows = system_process_table()->list();
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [](const ProcessRow& row) { return row.parent == ::getpid(); }));
}

std::size_t threads_of_this_program() {
  using Iterator = std::filesystem::directory_iterator;
  return static_cast<std::size_t>(std::distance(Iterator("/proc/self/task"), Iterator()));
}

class LocalSandboxTest : public ::testing::Test {
 protected:
  LocalSandboxTest() {
    SandboxOptions options;
    options.component_id = test::kComponent;
    options.settings.set("base_dir", scratch_.path().string()).set("close_grace", 0.2);
    options.diagnostics = std::make_shared<test::RecordingDiagnostics>();
    sandbox_ = make_sandbox(local_flavor(), options);
    session_ = sandbox_->create_session();
  }

  // The command lines of the session's live processes.
  std::vector<std::string> living() const {
    std::vector<std::string> commands;
    const auto pattern = MarkPattern::session(test::kComponent, session_->id());
    for (const MarkedProcess& process : list_marked(*system_process_table(), pattern)) {
      if (process.alive) commands.push_back(process.command);
    }
    return commands;
  }

  // Looks until this very command is there: the only way to know that a program has been executed
  // which says nothing. A part of the text would do for the shell that is to start it.
  void await_command(const std::string& command) const {
    const auto deadline = Clock::now() + kPatience;
    do {
      const std::vector<std::string> commands = living();
      if (std::find(commands.begin(), commands.end(), command) != commands.end()) return;
    } while (Clock::now() < deadline);
    FAIL() << "no process '" << command << "' appears";
  }

  test::ScratchDir scratch_;
  std::unique_ptr<Sandbox> sandbox_;
  std::unique_ptr<Session> session_;
};

// BUGS.md #4: whether a deadline works must not depend on whether a shell forks or executes.
class ShellDeadlineTest
    : public LocalSandboxTest,
      public ::testing::WithParamInterface<std::tuple<std::string, std::string>> {};

TEST_P(ShellDeadlineTest, EndsAllOfIt) {
  const auto& [shell_path, script] = GetParam();
  if (!std::filesystem::exists(shell_path)) GTEST_SKIP() << "there is no " << shell_path;
  const auto process = session_->exec({shell_path, "-c", script});
  await_command("sleep 2000");
  const auto begin = Clock::now();
  const Output output = process->collect({.timeout = 100ms});
  // COLLECT-012: the timeout, the drain grace, and 2 s.
  EXPECT_LT(Clock::now() - begin, 100ms + 1s + 2s);
  EXPECT_TRUE(output.timed_out);
  EXPECT_EQ(output.status.integer(), 137);
  EXPECT_THAT(living(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Shapes, ShellDeadlineTest,
                         ::testing::Combine(::testing::Values("/bin/dash", "/bin/bash"),
                                            ::testing::Values("sleep 2000", "sleep 2000; true",
                                                              "sleep 2000 & wait", "(sleep 2000)",
                                                              "sleep 2000 | cat")));

// BUGS.md #12: who polls for the end is not disturbed by a stream that has ended before.
TEST_F(LocalSandboxTest, TimedWaitsGoOnAfterAStreamHasEnded) {
  const auto process = session_->exec({"sh", "-c", "exec 1>&-; read x; echo e >&2"}, piped());
  std::string line;
  EXPECT_FALSE(process->out().next(line));
  for (int i = 0; i < 4; ++i) EXPECT_THROW(process->wait(20ms), TimeoutError);
  EXPECT_TRUE(process->in().write("go\n"));
  const Output output = process->collect();
  EXPECT_EQ(output.out, "");
  EXPECT_EQ(output.err, "e\n");
  EXPECT_EQ(output.status, ExitStatus::exited(0));
  EXPECT_EQ(output.out_end, StreamEnd::kComplete);
}

// BUGS.md #22: two sessions that are waited for at once, and a child that this program has forked
// itself: all end together, and each owner gets the status of its own.
TEST_F(LocalSandboxTest, OwnersInTwoSessionsDoNotTakeAForkedChild) {
  const auto other = sandbox_->create_session();
  for (int round = 0; round < 20; ++round) {
    const auto first = session_->exec({"sh", "-c", "read x; exit 3"}, piped());
    const auto second = other->exec({"sh", "-c", "read x; exit 4"}, piped());
    Pipe gate = make_pipe();
    const pid_t forked = ::fork();
    ASSERT_GE(forked, 0);
    if (forked == 0) {
      char byte = 0;
      ::close(gate.write_end.get());
      ::_exit(::read(gate.read_end.get(), &byte, 1) == 0 ? 9 : 1);
    }
    std::string first_end;
    std::string second_end;
    {
      const std::jthread first_owner([&] { first_end = end_in_words(*first); });
      const std::jthread second_owner([&] { second_end = end_in_words(*second); });
      gate.write_end.reset();
      // Written, not closed: the forked child has a copy of every descriptor.
      EXPECT_TRUE(first->in().write("go\n"));
      EXPECT_TRUE(second->in().write("go\n"));
    }
    EXPECT_EQ(first_end, "exited(3)");
    EXPECT_EQ(second_end, "exited(4)");
    int status = 0;
    ASSERT_EQ(retry_eintr([&] { return ::waitpid(forked, &status, 0); }), forked);
    EXPECT_EQ(WEXITSTATUS(status), 9);
  }
}

// BUGS.md #23: nobody waits for them, and a command goes on beside them; a deadline is what else
// the poller has to look at meanwhile.
TEST_F(LocalSandboxTest, AHundredEndsAtOnceAreNoticedBesideALongCommand) {
  constexpr int kCommands = 100;
  const auto long_one = session_->exec({"sleep", "2000"});
  std::vector<std::unique_ptr<Process>> short_ones;
  short_ones.reserve(kCommands);
  for (int i = 0; i < kCommands; ++i) {
    short_ones.push_back(session_->exec({"sh", "-c", "read x; exit 5"}, piped()));
  }
  ExecOptions brief;
  brief.timeout = 100ms;
  const auto timed = session_->exec({"sleep", "2000"}, brief);
  for (const auto& process : short_ones) process->in().close();
  // Nothing but the reaping announces that an end was noticed.
  const auto deadline = Clock::now() + kPatience;
  while (children_of_this_program() > 1 && Clock::now() < deadline) std::this_thread::yield();
  EXPECT_EQ(children_of_this_program(), 1U);
  std::vector<std::string> ends;
  for (const auto& process : short_ones) ends.push_back(end_in_words(*process));
  EXPECT_THAT(ends, Each("exited(5)"));
  EXPECT_EQ(end_in_words(*timed), "signaled(9), timed out");
  EXPECT_FALSE(long_one->exit_status().has_value());
  long_one->kill();
}

// A thread per command, or two, is what people run out of.
TEST_F(LocalSandboxTest, SixtyFourCommandsCostFourThreadsAtMost) {
  const std::size_t before = threads_of_this_program();
  std::vector<std::unique_ptr<Process>> running;
  for (int i = 0; i < 64; ++i) running.push_back(session_->exec({"sleep", "2000"}));
  EXPECT_LE(threads_of_this_program(), before + 4);
  // Else it would not be 64 that ran.
  for (const auto& process : running) EXPECT_EQ(process->exit_status(), std::nullopt);
}

// BUGS.md #28: once the kernel says that a command has ended, nobody is told that it runs, also
// while another thread is inside wait().
TEST_F(LocalSandboxTest, NobodyIsToldThatAnEndedCommandRuns) {
  for (int round = 0; round < 100; ++round) {
    const auto process = session_->exec({"sh", "-c", "echo $$; read x; exit 3"}, piped());
    std::string line;
    ASSERT_TRUE(process->out().next(line));
    const auto pid = static_cast<id_t>(std::stoi(line));
    const std::jthread waiter([&] { EXPECT_EQ(end_in_words(*process), "exited(3)"); });
    process->in().close();
    siginfo_t info{};
    const int looked = retry_eintr([&] { return ::waitid(P_PID, pid, &info, WEXITED | WNOWAIT); });
    // Where it has been reaped already, it has ended as well.
    EXPECT_TRUE(looked == 0 || errno == ECHILD);
    EXPECT_EQ(process->exit_status(), ExitStatus::exited(3));
    process->kill();
    EXPECT_EQ(process->exit_status(), ExitStatus::exited(3));
  }
}

// BUGS.md #33: what has left its session, its parent and its environment gets away from the kill,
// and holds the streams; the wait is over all the same, whichever of the two comes first.
TEST_F(LocalSandboxTest, WhatGotAwayFromAKillDoesNotHoldUpTheWait) {
  const auto session = sandbox_->create_session(Settings().set("drain_grace", 3600.0));
  for (const bool kill_first : {true, false}) {
    SCOPED_TRACE(kill_first ? "kill first" : "wait first");
    // "up" comes when the subshell, the parent, has been waited for; the pid when the mark is gone.
    const auto process = session->exec(
        {"sh", "-c", "(env -i setsid sh -c 'echo $$; exec sleep 60' &); echo up; sleep 2000; :"});
    pid_t escaped = 0;
    for (int lines = 0; lines < 2; ++lines) {
      std::string line;
      ASSERT_TRUE(process->out().next(line));
      if (line != "up\n") escaped = std::stoi(line);
    }
    ASSERT_GT(escaped, 0);
    std::string end;
    {
      std::jthread waiter;
      if (!kill_first) {
        waiter = std::jthread([&] { end = end_in_words(*process); });
        EXPECT_THROW(process->wait(20ms), TimeoutError);  // By then the other one waits.
      }
      process->kill();
      if (kill_first) end = end_in_words(*process);
    }
    EXPECT_EQ(end, "signaled(9)");
    const auto holder = system_process_table()->find(escaped);
    EXPECT_TRUE(holder && holder->alive()) << "nothing has held the streams";
    ::kill(escaped, SIGKILL);
  }
}

// BUGS.md #47: past the cap, the status is the command's own and the other stream is whole, also
// when a deadline comes on top.
TEST_F(LocalSandboxTest, AFloodOverTheCapKeepsWhatFitsAndTheOtherStream) {
  constexpr std::int64_t kCap = 65'536;
  constexpr const char* kFlood = "yes | head -c 2000000; echo boom >&2; ";
  std::string kept;
  while (kept.size() < std::size_t{kCap}) kept += "y\n";
  session_->exec({"mkfifo", "gate"})->wait();
  for (const bool with_deadline : {false, true}) {
    SCOPED_TRACE(with_deadline ? "with a deadline" : "to its end");
    const std::string after = with_deadline ? "echo up > gate; exec sleep 2000" : "exit 3";
    const auto process = session_->exec({"sh", "-c", kFlood + after});
    CollectOptions options;
    options.max_chars = kCap;
    if (with_deadline) {
      // The time runs when everything has been written.
      session_->exec({"sh", "-c", "read x < gate"})->wait();
      options.timeout = 50ms;
    }
    const Output output = process->collect(options);
    EXPECT_EQ(output.timed_out, with_deadline);
    EXPECT_EQ(output.status.integer(), with_deadline ? 137 : 3);
    EXPECT_TRUE(output.out == kept) << output.out.size() << " bytes";
    EXPECT_TRUE(output.out_truncated);
    EXPECT_EQ(output.out_bytes, 2'000'000U);
    EXPECT_EQ(output.err, "boom\n");
    EXPECT_FALSE(output.err_truncated);
  }
}

}  // namespace
}  // namespace sandproof::local
