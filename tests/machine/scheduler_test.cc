// SPDX-License-Identifier: Apache-2.0
// Turns: the same for the same seed, others for another; fair between boxes and between processes;
// and what a turn and a process cost, printed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <set>

#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

Task<int> spins(Process& self) {
  for (;;) co_await self.yield_point();
}

Task<int> sleeps_a_day(Process& self) {
  (void)co_await self.sleep(std::chrono::hours(24));
  co_return 0;
}

/// Fifty processes: half of them write numbers that the seed gives through one small pipe, the
/// others read them, some are killed, some sleep.
Task<int> fifty_processes(Process& self) {
  const PipeFds fds = self.pipe().value();
  std::vector<Pid> pids;
  for (int at = 0; at < 49; ++at) {
    const bool writes = at % 2 == 0;
    pids.push_back(self.fork([fds, writes, at](Process& child) -> Task<int> {
                         (void)child.close(writes ? fds.read : fds.write);
                         std::array<std::byte, 3> some{};
                         for (std::uint64_t left = 5 + child.random() % 20; left > 0; --left) {
                           const auto count = writes ? co_await child.write(fds.write, some)
                                                     : co_await child.read(fds.read, some);
                           if (count.value_or(0) == 0) break;
                         }
                         if (at % 7 == 0) (void)co_await child.sleep(std::chrono::milliseconds(at));
                         co_return at;
                       })
                       .value());
  }
  (void)self.close(fds.read);
  (void)self.close(fds.write);
  for (std::size_t at = 0; at < pids.size(); at += 5) {
    (void)co_await self.kill(pids[at], Signal::kTerm);
  }
  while ((co_await self.wait_child()).ok()) continue;
  co_return 0;
}

Journal journal_of(std::uint64_t seed) {
  BoxOptions options;
  options.pipe_capacity = 7;
  MachineOptions machine_options;
  machine_options.seed = seed;
  World world(machine_options, options);
  const auto launch = world.start(fifty_processes);
  world.machine.run_until_idle();
  while (const auto deadline = world.machine.next_deadline()) {
    world.clock.advance(*deadline - world.clock.now());
    world.machine.run_until_idle();
  }
  EXPECT_EQ(launch->status(), WaitStatus::exited(0));
  return world.machine.journal();
}

TEST(MachineScheduler, TheSameSeedGivesTheSameJournal) {
  const Journal first = journal_of(7);
  EXPECT_GT(first.count(), 500U);
  for (int run = 1; run < 100; ++run) {
    const Journal again = journal_of(7);
    ASSERT_EQ(again.digest(), first.digest()) << "run " << run;
    ASSERT_EQ(again.entries(), first.entries()) << "run " << run;
  }
}

TEST(MachineScheduler, AnotherSeedGivesAnotherJournal) {
  std::set<std::uint64_t> digests;
  for (std::uint64_t seed = 0; seed < 20; ++seed) digests.insert(journal_of(seed).digest());
  EXPECT_EQ(digests.size(), 20U);
}

TEST(MachineScheduler, TheDigestIsOverEntriesThatAreNoLongerKept) {
  Journal some(1);
  Journal others(1);
  some.add({.tick = 1, .box = 1, .pid = 1});
  others.add({.tick = 1, .box = 1, .pid = 2});
  for (Journal* journal : {&some, &others}) journal->add({.tick = 2, .box = 1, .pid = 3});
  EXPECT_EQ(some.entries(), others.entries());
  EXPECT_NE(some.digest(), others.digest());
  EXPECT_EQ(to_string(some.entries().front()), "2 box 1 pid 3 run 0");
}

// A box with a hundred spinning processes, and one that answers: its turn comes every second tick.
TEST(MachineScheduler, ASpinningBoxDoesNotStarveAnother) {
  World world;
  for (int count = 0; count < 100; ++count) world.start(spins);
  Box& responsive = world.machine.make_box();
  std::vector<std::uint64_t> turns;
  Start start;
  start.body = [&](Process& self) -> Task<int> {
    for (int count = 0; count < 200; ++count) {
      turns.push_back(world.machine.ticks());
      for (int calls = 0; calls < Kernel::kSliceCalls; ++calls) co_await self.yield_point();
    }
    co_return 0;
  };
  const auto launch = world.machine.start(responsive, std::move(start));
  while (!(*launch)->status() && world.machine.ticks() < 10000) world.machine.step();
  ASSERT_EQ(turns.size(), 200U);
  for (std::size_t at = 1; at < turns.size(); ++at) ASSERT_LE(turns[at] - turns[at - 1], 3U);
}

TEST(MachineScheduler, EveryProcessOfABoxGetsItsTurnWithinTwoRounds) {
  World world;
  constexpr std::size_t kProcesses = 20;
  for (std::size_t count = 0; count < kProcesses; ++count) world.start(spins);
  world.machine.run_until_idle(2000);
  std::vector<std::uint64_t> last(kProcesses + 1, 0);
  for (const JournalEntry& entry : world.machine.journal().entries()) {
    if (entry.event != JournalEntry::Event::kRun) continue;
    std::uint64_t& before = last[static_cast<std::size_t>(entry.pid)];
    ASSERT_LE(entry.tick - before, 2 * kProcesses);
    before = entry.tick;
  }
}

TEST(MachineScheduler, AForkBombIsStoppedByTheLimitAndByAKill) {
  BoxOptions options;
  options.process_limit = 200;
  World world({}, options);
  const ProcessBody bomb = [&bomb](Process& self) -> Task<int> {
    for (;;) {
      (void)self.fork(bomb);
      co_await self.yield_point();
    }
  };
  const auto launch = world.start(bomb);
  world.machine.run_until_idle(5000);
  EXPECT_EQ(world.box.table().size(), 200U);
  EXPECT_TRUE(world.machine.kill(world.box, 1, Signal::kKill).ok());
  EXPECT_EQ(launch->status(), WaitStatus::signaled(Signal::kKill));
  EXPECT_FALSE(world.machine.step());
}

double nanoseconds_since(std::chrono::steady_clock::time_point begun) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begun).count();
}

TEST(MachineScheduler, AMillionSwitchesAreCounted) {
  World world;
  const auto two = [](Process& self) -> Task<int> {
    const PipeFds there = self.pipe().value();
    const PipeFds back = self.pipe().value();
    (void)self.fork([=](Process& child) -> Task<int> {
      std::array<std::byte, 1> byte{};
      for (int count = 0; count < 250000; ++count) {
        (void)co_await child.read(there.read, byte);
        (void)co_await child.write(back.write, byte);
      }
      co_return 0;
    });
    std::array<std::byte, 1> byte{};
    for (int count = 0; count < 250000; ++count) {
      (void)co_await self.write(there.write, byte);
      (void)co_await self.read(back.read, byte);
    }
    (void)co_await self.wait_child();
    co_return 0;
  };
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(world.run(two), WaitStatus::exited(0));
  const double spent = nanoseconds_since(begun);
  std::printf("  %.0f ns per call (a million calls, %llu switches)\n", spent / 1e6,
              static_cast<unsigned long long>(world.machine.ticks()));
  EXPECT_GE(world.machine.ticks(), 500000U);
}

/// Of the whole process, bytes.
std::size_t resident() {
  std::ifstream statm("/proc/self/statm");
  std::size_t size = 0;
  std::size_t pages = 0;
  statm >> size >> pages;
  return pages * 4096;
}

TEST(MachineScheduler, AHundredThousandSleepAndAllWake) {
  constexpr std::size_t kSleepers = 100000;
  BoxOptions options;
  options.process_limit = kSleepers + 1;
  World world({}, options);
  const std::size_t before = resident();
  const auto launch = world.start(
      [](Process& self) -> Task<int> {
        for (std::size_t count = 0; count < kSleepers; ++count) {
          (void)self.fork(sleeps_a_day);
          co_await self.yield_point();
        }
        while ((co_await self.wait_child()).ok()) continue;
        co_return 0;
      },
      {open_null(), open_null(), open_null()});
  world.machine.run_until_idle();
  EXPECT_EQ(world.box.table().size(), kSleepers + 1);
  std::printf("  %zu bytes per sleeping process\n", (resident() - before) / kSleepers);
  world.clock.advance(std::chrono::hours(24));
  world.machine.run_until_idle();
  EXPECT_EQ(launch->status(), WaitStatus::exited(0));
}

}  // namespace
}  // namespace sandproof::machine
