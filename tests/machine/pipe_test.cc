// SPDX-License-Identifier: Apache-2.0
// Pipes and what the real kernel does in the same place: each comparison runs plain system calls in
// a real child, and the same in a process of the machine.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>

#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

using ::testing::ElementsAre;

/// What a call gave: a count, or an error as a negative number.
using Outcomes = std::vector<long>;

long outcome(ssize_t count) { return count < 0 ? -errno : count; }
long outcome(const Result<std::size_t>& count) {
  return count ? static_cast<long>(*count) : -static_cast<long>(count.error());
}

/// The word of wait() for a real child that runs `body` and exits by what it gives.
int real_end(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int word = -1;
  waitpid(child, &word, WUNTRACED);
  if (WIFSTOPPED(word)) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  // The machine has no core dumps.
  return WIFSIGNALED(word) ? word & ~0x80 : word;
}

int machine_end(ProcessBody body) {
  BoxOptions options;
  options.init = Init::kReaps;
  World world({}, options);
  return world.run(std::move(body)).value_or(WaitStatus::exited(255)).word();
}

struct RealPipe {
  RealPipe() { EXPECT_EQ(pipe2(fds.data(), O_CLOEXEC), 0); }
  ~RealPipe() {
    close(fds[0]);
    close(fds[1]);
  }
  RealPipe(const RealPipe&) = delete;
  RealPipe& operator=(const RealPipe&) = delete;
  std::array<int, 2> fds{};
};

TEST(MachinePipe, AFullNonblockingOneTakesWhatTheRealOneTakes) {
  const std::vector<std::byte> much(100000);
  std::vector<std::byte> into(100000);
  // The sizes, of writes above and of reads below 0.
  const std::vector<long> script = {100000, 1,    0,    -4096,   4096, 1,
                                    -8192,  5000, 4000, -100000, -1,   1};

  RealPipe real;
  fcntl(real.fds[0], F_SETFL, O_NONBLOCK);
  fcntl(real.fds[1], F_SETFL, O_NONBLOCK);
  const auto [read_end, write_end] = make_pipe();
  Outcomes theirs;
  Outcomes ours;
  for (const long size : script) {
    const auto count = static_cast<std::size_t>(std::labs(size));
    if (size >= 0) {
      theirs.push_back(outcome(write(real.fds[1], much.data(), count)));
      ours.push_back(outcome(write_end->try_write(std::span(much).first(count))));
    } else {
      theirs.push_back(outcome(read(real.fds[0], into.data(), count)));
      ours.push_back(outcome(read_end->try_read(std::span(into).first(count))));
    }
  }
  EXPECT_EQ(ours, theirs);
  EXPECT_THAT(std::span(ours).first(4), ElementsAre(65536, -EAGAIN, 0, 4096));
}

TEST(MachinePipe, AWriteWithoutReadersSignalsFirstAndThenFails) {
  EXPECT_EQ(machine_end([](Process& self) -> Task<int> {
              const PipeFds fds = self.pipe().value();
              (void)self.close(fds.read);
              (void)co_await self.write(fds.write, "x");
              co_return 1;
            }),
            real_end([] {
              RealPipe pipe;
              signal(SIGPIPE, SIG_DFL);
              close(pipe.fds[0]);
              (void)!write(pipe.fds[1], "x", 1);
              return 1;
            }));
  EXPECT_EQ(machine_end([](Process& self) -> Task<int> {
              const PipeFds fds = self.pipe().value();
              (void)self.close(fds.read);
              (void)self.set_disposition(Signal::kPipe, Disposition::kHandle);
              const auto nothing = co_await self.write(fds.write, "");
              EXPECT_EQ(self.take_signal(), std::nullopt);
              const auto count = co_await self.write(fds.write, "x");
              EXPECT_EQ(self.take_signal(), Signal::kPipe);
              co_return static_cast<int>(outcome(nothing) - outcome(count));
            }),
            real_end([] {
              RealPipe pipe;
              signal(SIGPIPE, SIG_IGN);
              close(pipe.fds[0]);
              const long nothing = outcome(write(pipe.fds[1], "", 0));
              return static_cast<int>(nothing - outcome(write(pipe.fds[1], "x", 1)));
            }));
}

TEST(MachinePipe, ABlockedWriterOfMuchTellsThePartWhenTheReaderGoes) {
  const auto machines = machine_end([](Process& self) -> Task<int> {
    const PipeFds fds = self.pipe().value();
    (void)self.set_disposition(Signal::kPipe, Disposition::kIgnore);
    (void)self.fork([fds](Process& child) -> Task<int> {
      (void)child.close(fds.write);
      std::array<std::byte, 4096> some;
      (void)co_await child.read(fds.read, some);
      co_return 0;
    });
    (void)self.close(fds.read);
    const std::vector<std::byte> much(100000);
    const auto count = co_await self.write(fds.write, much);
    const auto then = co_await self.write(fds.write, much);
    co_return outcome(count) >= 65536 && outcome(count) <= 65536 + 4096 && outcome(then) == -EPIPE;
  });
  const auto reals = real_end([] {
    RealPipe pipe;
    signal(SIGPIPE, SIG_IGN);
    if (fork() == 0) {
      close(pipe.fds[1]);
      std::array<char, 4096> some;
      _exit(read(pipe.fds[0], some.data(), some.size()) > 0 ? 0 : 1);
    }
    close(pipe.fds[0]);
    const std::vector<std::byte> much(100000);
    const long count = outcome(write(pipe.fds[1], much.data(), much.size()));
    const long then = outcome(write(pipe.fds[1], much.data(), much.size()));
    return static_cast<int>(count >= 65536 && count <= 65536 + 4096 && then == -EPIPE);
  });
  EXPECT_EQ(machines, 1 << 8);
  EXPECT_EQ(machines, reals);
}

TEST(MachinePipe, EndsAreToldByTheSameWords) {
  for (const int number : {1, 2, 9, 13, 14, 15, 17, 19, 23, 28, 34}) {
    EXPECT_EQ(machine_end([number](Process& self) -> Task<int> {
                (void)self.fork([number](Process& child) -> Task<int> {
                  (void)child.new_session();
                  (void)co_await child.kill(0, number);
                  co_return 300;
                });
                const auto change = co_await self.wait_child({.stopped = true});
                const WaitStatus status = change->status;
                if (status.kind() == WaitStatus::Kind::kExited) co_await self.exit(status.value());
                co_return status.word() % 251;
              }) >>
                  8,
              [number] {
                const int word = real_end([number] {
                  setsid();
                  signal(number, SIG_DFL);
                  kill(0, number);
                  return 300;
                });
                return WIFEXITED(word) ? WEXITSTATUS(word) : word % 251;
              }())
        << "signal " << number;
  }
}

TEST(MachinePipe, PollTellsWhatTheRealOneTells) {
  World world;
  std::vector<Readiness> seen;
  EXPECT_EQ(world.run([&seen](Process& self) -> Task<int> {
    const PipeFds fds = self.pipe().value();
    std::array<PollItem, 2> items = {PollItem{.fd = fds.read, .read = true},
                                     PollItem{.fd = fds.write, .write = true}};
    EXPECT_EQ((co_await self.poll(items, std::nullopt)).value_or(9), 1U);
    seen.push_back(items[0].ready);
    seen.push_back(items[1].ready);
    (void)self.close(fds.write);
    EXPECT_EQ((co_await self.poll(items, std::nullopt)).value_or(9), 2U);
    seen.push_back(items[0].ready);
    EXPECT_TRUE(items[1].invalid);
    co_return 0;
  }),
            WaitStatus::exited(0));
  EXPECT_THAT(seen,
              ElementsAre(Readiness{}, Readiness{.writable = true}, Readiness{.hangup = true}));
}

TEST(MachinePipe, PollWaitsForWhatComesFirst) {
  World world;
  const auto [read_end, write_end] = make_pipe();
  const auto launch = world.start(
      [](Process& self) -> Task<int> {
        std::array<PollItem, 1> items = {PollItem{.fd = 0, .read = true}};
        if ((co_await self.poll(items, std::chrono::seconds(1))).value_or(9) != 0) co_return 1;
        if ((co_await self.poll(items, std::chrono::seconds(1))).value_or(9) != 1) co_return 2;
        co_return items[0].ready.readable ? 0 : 3;
      },
      {read_end});
  world.machine.run_until_idle();
  world.clock.advance(std::chrono::seconds(1));
  world.machine.run_until_idle();
  EXPECT_EQ(write_end->try_write(bytes_of("x")).value_or(0), 1U);
  world.machine.run_until_idle();
  EXPECT_EQ(launch->status(), WaitStatus::exited(0));
  EXPECT_EQ(world.machine.next_deadline(), std::nullopt);
}

TEST(MachinePipe, SmallWritesOfManyAreNotMixed) {
  BoxOptions options;
  options.pipe_capacity = 10;
  World world({}, options);
  std::string got;
  EXPECT_EQ(world.run([&got](Process& self) -> Task<int> {
    const PipeFds fds = self.pipe().value();
    for (const char letter : {'a', 'b', 'c'}) {
      (void)self.fork([fds, letter](Process& child) -> Task<int> {
        for (int count = 0; count < 50; ++count) {
          (void)co_await child.write(fds.write, std::string(4, letter));
        }
        co_return 0;
      });
    }
    (void)self.close(fds.write);
    got = co_await read_to_end(self, fds.read, 3);
    co_return 0;
  }),
            WaitStatus::exited(0));
  ASSERT_EQ(got.size(), 600U);
  for (std::size_t at = 0; at < got.size(); at += 4) {
    ASSERT_EQ(got.substr(at, 4), std::string(4, got[at])) << at;
  }
}

TEST(MachinePipe, DevicesDoWhatTheyDo) {
  World world;
  EXPECT_EQ(world.run(
                [](Process& self) -> Task<int> {
                  std::array<std::byte, 8> some = {std::byte{1}};
                  EXPECT_EQ(outcome(co_await self.read(0, some)), 0);
                  EXPECT_EQ(outcome(co_await self.write(0, "x")), 1);
                  EXPECT_EQ(outcome(co_await self.read(1, some)), 8);
                  EXPECT_EQ(some[0], std::byte{0});
                  EXPECT_EQ(outcome(co_await self.write(2, "x")), -ENOSPC);
                  EXPECT_EQ(outcome(co_await self.read(3, some)), 8);
                  EXPECT_NE(some, (std::array<std::byte, 8>{}));
                  EXPECT_EQ(outcome(co_await self.write(4, "x")), -EBADF);
                  EXPECT_EQ(co_await read_to_end(self, 4, 2), "text");
                  EXPECT_EQ(self.seek(4, -2, Whence::kEnd).value_or(9), 2U);
                  EXPECT_EQ(co_await read_to_end(self, 4), "xt");
                  EXPECT_EQ(self.seek(5, 0, Whence::kStart).error(), Errno::kSpipe);
                  co_return 0;
                },
                {open_null(), open_zero(), open_full(), open_random(world.machine.random()),
                 open_text("text"), make_pipe().first}),
            WaitStatus::exited(0));
}

TEST(MachinePipe, AGibibyteIsTimed) {
  World world;
  constexpr std::size_t kBytes = std::size_t{1} << 30U;
  std::size_t got = 0;
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(world.run([&got](Process& self) -> Task<int> {
    const PipeFds fds = self.pipe().value();
    (void)self.fork([fds](Process& child) -> Task<int> {
      const std::vector<std::byte> much(kPipeCapacity);
      for (std::size_t sent = 0; sent < kBytes; sent += much.size()) {
        (void)co_await child.write(fds.write, much);
      }
      co_return 0;
    });
    (void)self.close(fds.write);
    std::vector<std::byte> into(kPipeCapacity);
    for (;;) {
      const auto count = co_await self.read(fds.read, into);
      if (count.value_or(0) == 0) co_return 0;
      got += *count;
    }
  }),
            WaitStatus::exited(0));
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
  std::printf("  %.1f GB/s\n", static_cast<double>(kBytes) / 1e9 / spent.count());
  EXPECT_EQ(got, kBytes);
}

}  // namespace
}  // namespace sandproof::machine
