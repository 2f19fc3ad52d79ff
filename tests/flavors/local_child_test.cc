// SPDX-License-Identifier: Apache-2.0
// A child: one reaping, one status, whoever asks in whatever order.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "flavors/local/child.h"
#include "flavors/local/process_table.h"
#include "flavors/local/program.h"
#include "tests/flavors/local_support.h"

namespace sandproof::local {
namespace {

using Clock = std::chrono::steady_clock;
using test::kPatience;

class ChildTest : public ::testing::Test {
 protected:
  Launched start(const std::string& script) {
    return launch({.argv = {"sh", "-c", script},
                   .env = {{"PATH", kDefaultPath}},
                   .cwd = cwd_.get(),
                   .cwd_name = "/",
                   .in = -1,
                   .out = null_.get(),
                   .err = null_.get()});
  }

  static std::optional<ExitStatus> wait(Child& child) {
    return child.wait_until(Clock::now() + kPatience);
  }

  // Waits for the end without asking the child object.
  static void await_end(const Child& child) {
    pollfd ready{child.pidfd(), POLLIN, 0};
    EXPECT_EQ(retry_eintr([&] { return ::poll(&ready, 1, 30'000); }), 1);
  }

  // Whether the kernel still knows the pid, as a process or as a zombie.
  static bool exists(pid_t pid) { return system_process_table()->find(pid).has_value(); }

  Descriptor cwd_{::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)};
  Descriptor null_{::open("/dev/null", O_WRONLY | O_CLOEXEC)};
};

TEST_F(ChildTest, AHandleThatGoesTakesTheGroupWithIt) {
  pid_t group = 0;
  {
    const Child child(start("sleep 2000 & sleep 2000; :"));
    group = child.pid();
  }
  const auto deadline = Clock::now() + kPatience;
  while (::kill(-group, 0) == 0 && Clock::now() < deadline) std::this_thread::yield();
  EXPECT_EQ(::kill(-group, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST_F(ChildTest, TheStatusIsThatOfTheCommand) {
  Child exited(start("exit 3"));
  EXPECT_EQ(wait(exited), ExitStatus::exited(3));
  Child full(start("exit 255"));
  EXPECT_EQ(wait(full), ExitStatus::exited(255));
  Child killed(start("kill -KILL $$"));
  EXPECT_EQ(wait(killed), ExitStatus::signaled(SIGKILL));
  Child aborted(start("kill -ABRT $$"));
  EXPECT_EQ(wait(aborted), ExitStatus::signaled(SIGABRT));
}

TEST_F(ChildTest, ARunningChildHasNoStatus) {
  Child child(start("sleep 1000"));
  EXPECT_EQ(child.poll(), std::nullopt);
  EXPECT_EQ(child.wait_until(Clock::now()), std::nullopt);
  EXPECT_TRUE(child.signal(SIGTERM));
  EXPECT_EQ(wait(child), ExitStatus::signaled(SIGTERM));
}

TEST_F(ChildTest, TheStatusStaysAfterTheReaping) {
  Child child(start("exit 4"));
  EXPECT_EQ(wait(child), ExitStatus::exited(4));
  EXPECT_FALSE(exists(child.pid()));
  EXPECT_EQ(child.poll(), ExitStatus::exited(4));
  EXPECT_EQ(wait(child), ExitStatus::exited(4));
}

TEST_F(ChildTest, NoSignalIsSentAfterTheReaping) {
  Child child(start("exit 0"));
  EXPECT_EQ(wait(child), ExitStatus::exited(0));
  EXPECT_FALSE(child.signal(SIGKILL));
  EXPECT_FALSE(child.hold().has_value());
}

// BUGS.md #18: that the descriptor is readable for other reasons makes nobody block.
TEST_F(ChildTest, AStopIsNotAnEnd) {
  Child child(start("sleep 1000"));
  child.signal(SIGSTOP);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child.pid()), &info, WSTOPPED | WNOWAIT), 0);
  EXPECT_EQ(child.poll(), std::nullopt);
  child.signal(SIGCONT);
  EXPECT_EQ(child.poll(), std::nullopt);
}

TEST_F(ChildTest, AHeldChildKeepsItsPidAndTellsItsStatus) {
  Child child(start("exit 6"));
  auto first = child.hold();
  auto second = child.hold();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(wait(child), ExitStatus::exited(6));
  EXPECT_TRUE(exists(child.pid()));
  first.reset();
  EXPECT_EQ(child.poll(), ExitStatus::exited(6));
  EXPECT_TRUE(exists(child.pid()));
  second.reset();
  EXPECT_FALSE(exists(child.pid()));
  EXPECT_EQ(child.poll(), ExitStatus::exited(6));
}

TEST_F(ChildTest, AHoldDoesNotEndWhatRuns) {
  Child child(start("sleep 1000"));
  {
    const auto hold = child.hold();
    EXPECT_TRUE(hold.has_value());
  }
  EXPECT_EQ(child.poll(), std::nullopt);
  EXPECT_TRUE(child.signal(SIGKILL));
  EXPECT_EQ(wait(child), ExitStatus::signaled(SIGKILL));
}

// BUGS.md #28, #29: one status, and nobody is told that an ended child runs.
TEST_F(ChildTest, ManyThreadsSeeTheSameStatus) {
  for (int round = 0; round < 50; ++round) {
    Child child(start("exit 3"));
    std::atomic<int> good = 0;
    std::atomic<int> contradictions = 0;
    std::vector<std::jthread> threads;
    threads.reserve(8);
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        if (wait(child) == ExitStatus::exited(3)) ++good;
        if (child.poll() != ExitStatus::exited(3)) ++contradictions;
      });
    }
    threads.clear();
    EXPECT_EQ(good, 8);
    EXPECT_EQ(contradictions, 0);
  }
}

TEST_F(ChildTest, DestructionEndsAndReaps) {
  pid_t pid = 0;
  {
    Child child(start("trap '' TERM INT HUP; sleep 1000"));
    pid = child.pid();
    ASSERT_TRUE(exists(pid));
  }
  EXPECT_FALSE(exists(pid));
}

TEST_F(ChildTest, DestructionReapsWhatHasEnded) {
  pid_t pid = 0;
  {
    Child child(start("exit 0"));
    pid = child.pid();
    await_end(child);
    ASSERT_TRUE(exists(pid));
  }
  EXPECT_FALSE(exists(pid));
}

// BUGS.md #22: each owner gets the status of its own child.
TEST_F(ChildTest, OwnersDoNotTakeEachOthersChildren) {
  const pid_t foreign = ::fork();
  ASSERT_GE(foreign, 0);
  if (foreign == 0) ::_exit(9);
  std::vector<std::unique_ptr<Child>> children;
  children.reserve(20);
  for (int i = 0; i < 20; ++i) {
    children.push_back(std::make_unique<Child>(start("exit " + std::to_string(i))));
  }
  for (int i = 19; i >= 0; --i) {
    EXPECT_EQ(wait(*children[static_cast<std::size_t>(i)]), ExitStatus::exited(i));
  }
  int status = 0;
  ASSERT_EQ(retry_eintr([&] { return ::waitpid(foreign, &status, 0); }), foreign);
  EXPECT_EQ(WEXITSTATUS(status), 9);
}

TEST_F(ChildTest, AStolenStatusIsLostAndSaysSo) {
  Child child(start("exit 3"));
  int status = 0;
  ASSERT_EQ(retry_eintr([&] { return ::waitpid(child.pid(), &status, 0); }), child.pid());
  const auto lost = wait(child);
  ASSERT_TRUE(lost && lost->is_lost());
  EXPECT_THAT(lost->why(), ::testing::HasSubstr("SIGCHLD"));
  EXPECT_FALSE(child.signal(SIGKILL));
  EXPECT_EQ(child.poll(), lost);
}

TEST_F(ChildTest, TheStatusIsLostWhereTheProgramIgnoresSigchld) {
  struct sigaction ignore {};
  struct sigaction before {};
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGCHLD, &ignore, &before), 0);
  std::optional<ExitStatus> status;
  {
    Child child(start("exit 3"));
    status = wait(child);
  }
  ASSERT_EQ(::sigaction(SIGCHLD, &before, nullptr), 0);
  ASSERT_TRUE(status.has_value());
  EXPECT_TRUE(status->is_lost());
}

}  // namespace
}  // namespace sandproof::local
