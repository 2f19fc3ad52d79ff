// SPDX-License-Identifier: Apache-2.0
// Processes: made, waited for, killed while they wait, adopted, limited, replaced.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

using ::testing::ElementsAre;

BoxOptions with_init(Init init) {
  BoxOptions options;
  options.init = init;
  return options;
}

Task<int> sleeps_for_ever(Process& self) {
  for (;;) (void)co_await self.sleep(std::chrono::hours(1));
}

Task<int> exits_with_7(Process& /*self*/) { co_return 7; }

Task<int> says_its_argv(Process& self) {
  std::string text;
  for (const std::string& word : self.argv()) text += word + "|";
  for (const std::string& word : self.env()) text += word + ";";
  // What was to be closed by exec is.
  text += std::to_string(self.open_fds().size());
  (void)co_await self.write(1, text);
  co_return 3;
}

constexpr std::array kProgramRows = {ProgramRow{.name = "says", .main = says_its_argv}};

TEST(MachineProcess, AWriterAndAReaderMeetOverAPipeOfOneByte) {
  BoxOptions options;
  options.pipe_capacity = 1;
  World world({}, options);
  std::string got;
  std::vector<int> statuses;
  EXPECT_EQ(world.run([&](Process& self) -> Task<int> {
    const PipeFds fds = self.pipe().value();
    const Pid writer = self.fork([fds](Process& child) -> Task<int> {
                             (void)child.close(fds.read);
                             const auto count = co_await child.write(fds.write, "hello, reader");
                             co_return static_cast<int>(count.value_or(0));
                           })
                           .value();
    const Pid reader = self.fork([fds, &got](Process& child) -> Task<int> {
                             (void)child.close(fds.write);
                             got = co_await read_to_end(child, fds.read);
                             co_return 5;
                           })
                           .value();
    (void)self.close(fds.read);
    (void)self.close(fds.write);
    for (const Pid pid : {writer, reader}) {
      const Result<ChildChange> change = co_await self.wait_child({.which = pid});
      statuses.push_back(change->status.word());
    }
    co_return 0;
  }),
            WaitStatus::exited(0));
  EXPECT_EQ(got, "hello, reader");
  EXPECT_THAT(statuses, ElementsAre(13 << 8, 5 << 8));
  EXPECT_TRUE(world.machine.processes(world.box).empty());
}

/// Notes that its frame was destroyed.
struct FrameWitness {
  explicit FrameWitness(bool& gone) : gone_(gone) {}
  FrameWitness(const FrameWitness&) = delete;
  FrameWitness& operator=(const FrameWitness&) = delete;
  ~FrameWitness() { gone_ = true; }
  bool& gone_;
};

TEST(MachineProcess, KillingABlockedOneDestroysItsFramesAndClosesItsFiles) {
  World world;
  bool gone = false;
  auto [read_end, write_end] = make_pipe();
  auto [out_read, out_write] = make_pipe();
  std::vector<FilePtr> files;
  files.push_back(std::move(read_end));
  files.push_back(std::move(out_write));
  const auto launch = world.start(
      [&gone](Process& self) -> Task<int> {
        const FrameWitness witness(gone);
        (void)co_await read_to_end(self, 0);
        co_return 0;
      },
      std::move(files));
  world.machine.run_until_idle();
  EXPECT_EQ(world.state(launch->pid()), 'S');
  EXPECT_FALSE(gone);
  EXPECT_TRUE(world.machine.kill(world.box, launch->pid(), Signal::kKill).ok());
  EXPECT_TRUE(gone);
  EXPECT_EQ(launch->status(), WaitStatus::signaled(Signal::kKill));
  EXPECT_EQ(write_end->try_write(bytes_of("x")).error(), Errno::kPipe);
  std::array<std::byte, 1> byte;
  EXPECT_EQ(out_read->try_read(byte).value_or(9), 0U);
}

TEST(MachineProcess, AZombieIsThereUntilItIsWaitedFor) {
  World world;
  std::vector<Pid> pids;
  char before = '?';
  bool known = false;
  EXPECT_EQ(world.run([&](Process& self) -> Task<int> {
    const Pid child = self.fork(exits_with_7).value();
    (void)co_await self.sleep(Nanoseconds(0));
    while (world.state(child) != 'Z') co_await self.yield_point();
    before = world.state(child);
    known = (co_await self.kill(child, 0)).ok();
    const auto nothing = co_await self.wait_child({.which = child + 1, .no_hang = true});
    EXPECT_EQ(nothing.error(), Errno::kChild);
    const auto change = co_await self.wait_child({.no_hang = true});
    EXPECT_EQ(change->pid, child);
    EXPECT_EQ((co_await self.kill(child, 0)).error(), Errno::kSrch);
    EXPECT_EQ((co_await self.wait_child()).error(), Errno::kChild);
    co_return change->status.value();
  }),
            WaitStatus::exited(7));
  EXPECT_EQ(before, 'Z');
  EXPECT_TRUE(known);
}

TEST(MachineProcess, WaitingWithoutHangingGivesNothingWhileTheChildRuns) {
  World world;
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    const Pid child = self.fork(sleeps_for_ever).value();
    const auto change = co_await self.wait_child({.no_hang = true});
    (void)co_await self.kill(child, Signal::kTerm);
    const auto ended = co_await self.wait_child({.which = child});
    co_return change->pid == 0 ? ended->status.shell_code() : 1;
  }),
            WaitStatus::exited(128 + 15));
}

// The orphan of a started process, which ends while its parent is gone.
Task<int> leaves_an_orphan(Process& self) {
  (void)self.fork([](Process& child) -> Task<int> {
    (void)co_await child.sleep(std::chrono::seconds(1));
    co_return child.parent();
  });
  co_return 0;
}

TEST(MachineProcess, APid1ThatReapsReapsOrphans) {
  World world({}, with_init(Init::kReaps));
  EXPECT_EQ(world.run(leaves_an_orphan), WaitStatus::exited(0));
  EXPECT_EQ(world.state(3), 'S');
  world.clock.advance(std::chrono::seconds(1));
  world.machine.run_until_idle();
  EXPECT_EQ(world.machine.processes(world.box).size(), 1U);
}

TEST(MachineProcess, APid1ThatSleepsLeavesThemZombies) {
  World world({}, with_init(Init::kSleeps));
  EXPECT_EQ(world.run(leaves_an_orphan), WaitStatus::exited(0));
  world.clock.advance(std::chrono::seconds(1));
  world.machine.run_until_idle();
  EXPECT_EQ(world.state(3), 'Z');
  EXPECT_EQ(world.machine.processes(world.box).at(1).parent, 1);
}

TEST(MachineProcess, TheEndOfPid1EndsAllAndTheNextStartIsPid1Again) {
  World world;
  const auto init = world.start([](Process& self) -> Task<int> {
    (void)self.fork(sleeps_for_ever);
    (void)self.fork(leaves_an_orphan);
    co_return (co_await self.sleep(std::chrono::seconds(5))).ok() ? 4 : 5;
  });
  const auto beside = world.start(sleeps_for_ever);
  world.machine.run_until_idle();
  EXPECT_EQ(init->pid(), 1);
  world.clock.advance(std::chrono::seconds(5));
  world.machine.run_until_idle();
  EXPECT_EQ(init->status(), WaitStatus::exited(4));
  EXPECT_EQ(beside->status(), WaitStatus::signaled(Signal::kKill));
  EXPECT_TRUE(world.machine.processes(world.box).empty());
  EXPECT_EQ(world.start(exits_with_7)->pid(), 1);
}

TEST(MachineProcess, AForkBeyondTheLimitIsRefusedUntilOneIsReaped) {
  BoxOptions options;
  options.process_limit = 3;
  World world({}, options);
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    (void)self.fork(exits_with_7);
    (void)self.fork(exits_with_7);
    EXPECT_EQ(self.fork(exits_with_7).error(), Errno::kAgain);
    EXPECT_TRUE((co_await self.wait_child()).ok());
    EXPECT_TRUE(self.fork(exits_with_7).ok());
    co_return 0;
  }),
            WaitStatus::exited(0));
}

TEST(MachineProcess, ATableOfDescriptorsIsLimitedAndGivesTheLowestFree) {
  BoxOptions options;
  options.file_limit = 5;
  World world({}, options);
  EXPECT_EQ(world.run(
                [](Process& self) -> Task<int> {
                  EXPECT_EQ(self.dup(0).value_or(-1), 1);
                  EXPECT_EQ(self.pipe()->write, 3);
                  EXPECT_EQ(self.pipe().error(), Errno::kMfile);
                  EXPECT_EQ(self.dup2(0, 5).error(), Errno::kBadf);
                  EXPECT_EQ(self.dup2(0, 4).value_or(-1), 4);
                  EXPECT_EQ(self.dup(0).error(), Errno::kMfile);
                  EXPECT_TRUE(self.close(2).ok());
                  EXPECT_EQ(self.close(2).error(), Errno::kBadf);
                  EXPECT_EQ(self.dup(0).value_or(-1), 2);
                  EXPECT_EQ(self.dup(9).error(), Errno::kBadf);
                  co_return 0;
                },
                {open_null()}),
            WaitStatus::exited(0));
}

TEST(MachineProcess, ExecReplacesTheProgramAndKeepsWhatItMust) {
  MachineOptions options;
  options.programs = kProgramRows;
  World world(options);
  const auto out = std::make_shared<Capture>();
  bool gone = false;
  EXPECT_EQ(world.run(
                [&gone](Process& self) -> Task<int> {
                  const FrameWitness witness(gone);
                  (void)self.dup(1, 7, true);
                  const Strings nothing;
                  const Strings too_much = {"says", std::string(131072, 'x')};
                  const Strings argv = {"says", "a b"};
                  const Strings env = {"K=v"};
                  EXPECT_EQ((co_await self.exec("/bin/unknown", argv, env)).error(), Errno::kNoent);
                  EXPECT_EQ((co_await self.exec("says", too_much, nothing)).error(), Errno::k2big);
                  EXPECT_FALSE(gone);
                  (void)co_await self.exec("/usr/bin/says", argv, env);
                  co_return 99;
                },
                {open_null(), out}),
            WaitStatus::exited(3));
  EXPECT_TRUE(gone);
  EXPECT_EQ(out->text(), "says|a b|K=v;2");
  EXPECT_EQ(out.use_count(), 1);
}

TEST(MachineProcess, ExitEndsItFromWithinNestedTasks) {
  World world;
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    const auto nested = [](Process& process) -> Task<int> {
      co_await process.exit(300);
      co_return 1;
    };
    co_return co_await nested(self);
  }),
            WaitStatus::exited(300 & 0xff));
}

TEST(MachineProcess, AProgramThatThrowsEndsAsByAbort) {
  World world;
  EXPECT_EQ(world.run([](Process& self) -> Task<int> {
    co_await self.yield_point();
    throw std::runtime_error("a defect of the program");
  }),
            WaitStatus::signaled(Signal::kAbrt));
}

TEST(MachineProcess, RemovingABoxEndsWhatRunsInItInAnyState) {
  World world;
  Box& other = world.machine.make_box(with_init(Init::kSleeps));
  auto [read_end, write_end] = make_pipe();
  Start start;
  start.body = [](Process& self) -> Task<int> {
    (void)self.fork(exits_with_7);
    (void)self.fork(sleeps_for_ever);
    (void)co_await read_to_end(self, 0);
    co_return 0;
  };
  start.files.push_back(std::move(read_end));
  std::vector<int> ends;
  start.on_end = [&ends](WaitStatus status) { ends.push_back(status.word()); };
  ASSERT_TRUE(world.machine.start(other, std::move(start)).ok());
  world.machine.run_until_idle();
  world.machine.remove_box(other);
  EXPECT_THAT(ends, ElementsAre(9));
  EXPECT_EQ(world.machine.next_deadline(), std::nullopt);
  EXPECT_EQ(world.run(exits_with_7), WaitStatus::exited(7));
}

}  // namespace
}  // namespace sandproof::machine
