// SPDX-License-Identifier: Apache-2.0
// Signals, groups and sessions, stopping and going on, time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

using ::testing::ElementsAre;

Task<int> waits_in_vain(Process& self) {
  (void)co_await self.pause();
  co_return 0;
}

BoxOptions box_with_reaper() {
  BoxOptions options;
  options.init = Init::kReaps;
  return options;
}

TEST(MachineSignal, AHandledOneInterruptsAReadAndIsTakenOnce) {
  World world({}, box_with_reaper());
  auto [read_end, write_end] = make_pipe();
  const auto launch = world.start(
      [](Process& self) -> Task<int> {
        (void)self.set_disposition(Signal::kUsr1, Disposition::kHandle);
        std::array<std::byte, 1> byte;
        EXPECT_EQ((co_await self.read(0, byte)).error(), Errno::kIntr);
        // Not taken yet: nothing would wait.
        EXPECT_EQ((co_await self.pause()).error(), Errno::kIntr);
        EXPECT_EQ(self.take_signal(), Signal::kUsr1);
        EXPECT_EQ(self.take_signal(), std::nullopt);
        co_return static_cast<int>((co_await self.read(0, byte)).value_or(9));
      },
      {read_end});
  read_end = nullptr;
  world.machine.run_until_idle();
  EXPECT_TRUE(world.machine.kill(world.box, launch->pid(), Signal::kUsr1).ok());
  world.machine.run_until_idle();
  EXPECT_EQ(launch->status(), std::nullopt);
  EXPECT_EQ(write_end->try_write(bytes_of("x")).value_or(0), 1U);
  world.machine.run_until_idle();
  EXPECT_EQ(launch->status(), WaitStatus::exited(1));
}

TEST(MachineSignal, IgnoredOnesDoNothingAndBlockedOnesWait) {
  World world({}, box_with_reaper());
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    (void)self.set_disposition(Signal::kTerm, Disposition::kIgnore);
    EXPECT_TRUE((co_await self.kill(self.pid(), Signal::kTerm)).ok());
    SignalSet usr;
    usr.add(Signal::kUsr2);
    (void)self.change_mask(MaskChange::kBlock, usr);
    EXPECT_TRUE((co_await self.kill(self.pid(), Signal::kUsr2)).ok());
    EXPECT_TRUE(self.pending().has(Signal::kUsr2));
    EXPECT_EQ(self.set_disposition(Signal::kKill, Disposition::kIgnore).error(), Errno::kInval);
    EXPECT_EQ((co_await self.kill(self.pid(), 65)).error(), Errno::kInval);
    (void)self.change_mask(MaskChange::kUnblock, usr);
    co_await self.yield_point();
    co_return 1;
  }),
            WaitStatus::signaled(Signal::kUsr2));
}

TEST(MachineSignal, AGroupGetsItAndOthersDoNot) {
  World world({}, box_with_reaper());
  std::vector<int> ends;
  EXPECT_EQ(world.run([&ends](Process& self) -> Task<int> {
    const Pid first = self.fork(waits_in_vain).value();
    const Pid second = self.fork(waits_in_vain).value();
    const Pid alone = self.fork(waits_in_vain).value();
    EXPECT_TRUE(self.set_group(first, 0).ok());
    EXPECT_TRUE(self.set_group(second, first).ok());
    EXPECT_EQ(self.set_group(alone, 4000).error(), Errno::kPerm);
    EXPECT_EQ(self.group_of(second).value_or(0), first);
    EXPECT_EQ((co_await self.wait_child({.which = -first, .no_hang = true}))->pid, 0);
    EXPECT_TRUE((co_await self.kill(-first, Signal::kInt)).ok());
    EXPECT_EQ((co_await self.kill(-4000, Signal::kInt)).error(), Errno::kSrch);
    for (int count = 0; count < 2; ++count) {
      ends.push_back((co_await self.wait_child({.which = -first}))->status.word());
    }
    EXPECT_EQ((co_await self.wait_child({.which = -first})).error(), Errno::kChild);
    EXPECT_EQ((co_await self.wait_child({.which = alone, .no_hang = true}))->pid, 0);
    co_return 0;
  }),
            WaitStatus::exited(0));
  EXPECT_THAT(ends, ElementsAre(2, 2));
}

TEST(MachineSignal, ALeaderOfAGroupMakesNoSessionAndAMemberDoes) {
  World world({}, box_with_reaper());
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    EXPECT_EQ(self.new_session().error(), Errno::kPerm);
    (void)self.fork([](Process& child) -> Task<int> {
      const Pid old = child.session();
      EXPECT_EQ(child.new_session().value_or(0), child.pid());
      EXPECT_EQ(child.set_group(0, 0).error(), Errno::kPerm);
      co_return child.session() == child.pid() && child.group() == child.pid() &&
          old != child.pid();
    });
    co_return (co_await self.wait_child())->status.value();
  }),
            WaitStatus::exited(1));
}

TEST(MachineSignal, AStoppedOneRunsAgainWhenItIsContinued) {
  World world({}, box_with_reaper());
  std::vector<int> told;
  int count = 0;
  EXPECT_EQ(world.run([&](Process& self) -> Task<int> {
    const Pid child = self.fork([&count](Process& counter) -> Task<int> {
                            for (; count < 1000; ++count) co_await counter.yield_point();
                            co_return 3;
                          })
                          .value();
    (void)co_await self.kill(child, Signal::kStop);
    const WaitFor any = {.stopped = true, .continued = true};
    told.push_back((co_await self.wait_child(any))->status.word());
    const int at = count;
    (void)co_await self.kill(child, Signal::kTerm);
    for (int turns = 0; turns < 500; ++turns) co_await self.yield_point();
    EXPECT_EQ(count, at);
    EXPECT_EQ((co_await self.wait_child({.no_hang = true}))->pid, 0);
    (void)co_await self.kill(child, Signal::kCont);
    told.push_back((co_await self.wait_child(any))->status.word());
    co_return 0;
  }),
            WaitStatus::exited(0));
  // The signal that came meanwhile ends it as it goes on; its end is what is told then.
  EXPECT_THAT(told, ElementsAre((19 << 8) | 0x7f, 15));
}

TEST(MachineSignal, ContinuingIsToldToWhoAsks) {
  World world({}, box_with_reaper());
  std::vector<int> told;
  world.run([&](Process& self) -> Task<int> {
    const Pid child = self.fork(waits_in_vain).value();
    (void)self.set_group(child, child);
    (void)co_await self.kill(child, Signal::kTstp);
    told.push_back((co_await self.wait_child({.stopped = true}))->status.word());
    (void)co_await self.kill(child, Signal::kCont);
    told.push_back((co_await self.wait_child({.continued = true}))->status.word());
    (void)co_await self.kill(child, Signal::kStop);
    (void)co_await self.kill(child, Signal::kKill);
    told.push_back((co_await self.wait_child())->status.word());
    co_return 0;
  });
  EXPECT_THAT(told, ElementsAre((20 << 8) | 0x7f, 0xffff, 9));
}

TEST(MachineSignal, TheTerminalsStopPassesAnOrphanedGroupBy) {
  World world({}, box_with_reaper());
  const auto alone = world.start(waits_in_vain);
  world.machine.run_until_idle();
  EXPECT_TRUE(world.machine.kill(world.box, alone->pid(), Signal::kTstp).ok());
  EXPECT_EQ(world.state(alone->pid()), 'S');
  EXPECT_TRUE(world.machine.kill(world.box, alone->pid(), Signal::kStop).ok());
  EXPECT_EQ(world.state(alone->pid()), 'T');
}

TEST(MachineSignal, AnOrphanedGroupWithAStoppedMemberIsHungUp) {
  World world({}, box_with_reaper());
  Pid stopped = 0;
  const auto launch = world.start([&stopped](Process& self) -> Task<int> {
    const Pid child = self.fork(waits_in_vain).value();
    stopped = child;
    (void)self.set_group(child, child);
    (void)co_await self.kill(child, Signal::kStop);
    (void)co_await self.sleep(std::chrono::seconds(1));
    co_return 0;
  });
  world.machine.run_until_idle();
  EXPECT_EQ(world.state(stopped), 'T');
  world.clock.advance(std::chrono::seconds(1));
  world.machine.run_until_idle();
  EXPECT_EQ(launch->status(), WaitStatus::exited(0));
  EXPECT_EQ(world.state(stopped), '-');
}

TEST(MachineSignal, Pid1IsSparedWhatItDoesNotHandle) {
  World world;
  const auto init = world.start(waits_in_vain);
  const auto inside = world.start([](Process& self) -> Task<int> {
    for (const Signal signal : {Signal::kTerm, Signal::kKill, Signal::kStop}) {
      EXPECT_TRUE((co_await self.kill(1, signal)).ok());
    }
    co_return 0;
  });
  world.machine.run_until_idle();
  EXPECT_EQ(inside->status(), WaitStatus::exited(0));
  EXPECT_EQ(world.state(1), 'S');
  EXPECT_TRUE(world.machine.kill(world.box, 1, Signal::kTerm).ok());
  EXPECT_EQ(world.state(1), 'S');
  EXPECT_TRUE(world.machine.kill(world.box, 1, Signal::kKill).ok());
  EXPECT_EQ(init->status(), WaitStatus::signaled(Signal::kKill));
}

TEST(MachineSignal, AnotherUsersProcessIsNotToBeSignalled) {
  World world({}, box_with_reaper());
  const auto target = world.start(waits_in_vain);
  Start start;
  start.credentials = {.uid = 1000, .gid = 1000};
  start.body = [&target](Process& self) -> Task<int> {
    EXPECT_EQ((co_await self.kill(target->pid(), 0)).error(), Errno::kPerm);
    EXPECT_EQ((co_await self.kill(-1, Signal::kTerm)).error(), Errno::kPerm);
    co_return 0;
  };
  const auto other = world.machine.start(world.box, std::move(start));
  world.machine.run_until_idle();
  EXPECT_EQ((*other)->status(), WaitStatus::exited(0));
  EXPECT_EQ(world.state(target->pid()), 'S');
}

TEST(MachineSignal, WhoIgnoresItsChildrenHasNoZombies) {
  World world({}, box_with_reaper());
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    (void)self.set_disposition(Signal::kChld, Disposition::kIgnore);
    const Pid child = self.fork([](Process&) -> Task<int> { co_return 7; }).value();
    EXPECT_EQ((co_await self.wait_child()).error(), Errno::kChild);
    EXPECT_EQ((co_await self.kill(child, 0)).error(), Errno::kSrch);
    co_return 0;
  }),
            WaitStatus::exited(0));
}

TEST(MachineTime, SleepersWakeInTheOrderOfTheirDeadlines) {
  World world({}, box_with_reaper());
  std::vector<int> woken;
  for (const int length : {3, 1, 2}) {
    world.start([&woken, length](Process& self) -> Task<int> {
      (void)co_await self.sleep(std::chrono::seconds(length));
      woken.push_back(length);
      co_return 0;
    });
  }
  world.machine.run_until_idle();
  while (const auto deadline = world.machine.next_deadline()) {
    EXPECT_EQ(world.clock.host_delay(*deadline), std::nullopt);
    world.clock.advance(*deadline - world.clock.now());
    world.machine.run_until_idle();
  }
  EXPECT_THAT(woken, ElementsAre(1, 2, 3));
  EXPECT_EQ(world.clock.now(), std::chrono::seconds(3));
}

TEST(MachineTime, AnAlarmInterruptsASleep) {
  World world({}, box_with_reaper());
  const auto launch = world.start([](Process& self) -> Task<int> {
    (void)self.set_disposition(Signal::kAlrm, Disposition::kHandle);
    EXPECT_EQ(self.alarm(std::chrono::seconds(9)), Nanoseconds(0));
    EXPECT_EQ(self.alarm(std::chrono::seconds(2)), std::chrono::seconds(9));
    EXPECT_EQ((co_await self.sleep(std::chrono::seconds(5))).error(), Errno::kIntr);
    EXPECT_EQ(self.take_signal(), Signal::kAlrm);
    co_return static_cast<int>(self.now() / std::chrono::seconds(1));
  });
  world.machine.run_until_idle();
  world.clock.advance(std::chrono::seconds(2));
  world.machine.run_until_idle();
  EXPECT_EQ(launch->status(), WaitStatus::exited(2));
}

TEST(MachineTime, AHostClockScalesAndSaysHowLongToWait) {
  const auto fast = make_host_clock(1000);
  const Nanoseconds begun = fast->now();
  const auto delay = fast->host_delay(begun + std::chrono::hours(1));
  ASSERT_TRUE(delay.has_value());
  EXPECT_LE(*delay, std::chrono::milliseconds(3601));
  EXPECT_EQ(fast->host_delay(begun - Nanoseconds(1)), Nanoseconds(0));
  EXPECT_GE(fast->now(), begun);
  EXPECT_THROW(make_host_clock(0), std::invalid_argument);
}

TEST(MachineSignal, NamesAndNumbersAreLinuxs) {
  for (int number = 1; number <= 31; ++number) {
    const auto signal = static_cast<Signal>(number);
    EXPECT_EQ(name_of(signal),
              sigabbrev_np(number) == std::string("POLL") ? "IO" : sigabbrev_np(number));
    EXPECT_EQ(signal_named("SIG" + name_of(signal)), signal);
  }
  EXPECT_EQ(signal_named("64"), Signal{64});
  EXPECT_EQ(signal_named("65"), std::nullopt);
  EXPECT_EQ(signal_named("term"), std::nullopt);
}

}  // namespace
}  // namespace sandproof::machine
