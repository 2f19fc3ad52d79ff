// SPDX-License-Identifier: Apache-2.0
// A machine in real time on a thread of its own: work from other threads, bytes in both directions,
// ends.
#include "fakes/machine/host/host_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>

#include "fakes/machine/host/host_process.h"
#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;
using State = HostTransfer::State;

// A wait that takes longer has failed.
constexpr int kHostWaitMs = 20'000;

bool host_wait(int fd, short events) {
  pollfd one{.fd = fd, .events = events, .revents = 0};
  return ::poll(&one, 1, kHostWaitMs) == 1 && (one.revents & events) != 0;
}

std::string host_read_all(HostReader& reader, std::size_t chunk = 4096) {
  std::string all;
  std::string buffer(chunk, '\0');
  for (;;) {
    const HostTransfer got = reader.read(std::as_writable_bytes(std::span(buffer)));
    if (got.state == State::kEnd) return all;
    if (got.state == State::kMoved) all.append(buffer, 0, got.count);
    if (got.state == State::kAgain && !host_wait(reader.descriptor(), POLLIN)) {
      return all + "<no more came>";
    }
  }
}

bool host_write_all(HostWriter& writer, std::string_view text) {
  while (!text.empty()) {
    const HostTransfer put = writer.write(bytes_of(text));
    if (put.state == State::kEnd) return false;
    if (put.state == State::kMoved) text.remove_prefix(put.count);
    if (put.state == State::kAgain && !host_wait(writer.descriptor(), POLLOUT)) return false;
  }
  return true;
}

struct HostWorld {
  std::unique_ptr<HostProcess> start(ProcessBody body, bool wants_input = false,
                                     BoxOptions options = reaping()) {
    return loop.call([&](Machine& machine) {
      Start start;
      start.argv = {"test"};
      start.body = std::move(body);
      Box& box = machine.make_box(std::move(options));
      auto started = HostProcess::start(loop, machine, box, std::move(start), wants_input);
      EXPECT_TRUE(started.ok());
      return *std::move(started);
    });
  }
  static BoxOptions reaping() {
    BoxOptions options;
    options.init = Init::kReaps;
    return options;
  }
  static WaitStatus end_of(const HostProcess& process) {
    EXPECT_TRUE(host_wait(process.exit_descriptor(), POLLIN));
    return process.status().value_or(WaitStatus::stopped(Signal::kStop));
  }

  HostLoop loop{MachineOptions()};
};

Task<int> host_copies(Process& self) {
  std::string buffer(1000, '\0');
  for (;;) {
    const auto count = co_await self.read(0, std::as_writable_bytes(std::span(buffer)));
    if (!count || *count == 0) co_return count ? 0 : 1;
    (void)co_await self.write(1, std::string_view(buffer).substr(0, *count));
  }
}

Task<int> host_sleeps(Process& self) {
  (void)co_await self.pause();
  co_return 0;
}

Task<int> host_yes(Process& self) {
  for (;;) {
    // In a variable: g++ 12 miscompiles a co_await in the condition of a loop.
    const Result<std::size_t> count = co_await self.write(1, "y\n");
    if (!count) co_return 1;
  }
}

TEST(MachineHostLoop, WorkIsDoneInOrderOnOneThreadAndItsErrorsAreThrown) {
  HostLoop loop{MachineOptions()};
  std::vector<int> order;
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(loop.post([&order, i](Machine&) { order.push_back(i); }));
  }
  EXPECT_EQ(loop.call([](Machine& machine) { return machine.box_count(); }), 0U);
  EXPECT_THAT(order, testing::ElementsAre(0, 1, 2, 3, 4));
  EXPECT_FALSE(loop.on_thread());
  EXPECT_TRUE(loop.call([&loop](Machine&) { return loop.on_thread(); }));
  EXPECT_EQ(loop.call([&loop](Machine&) { return loop.call([](Machine&) { return 7; }); }), 7);
  EXPECT_THROW(loop.call([](Machine&) { throw std::out_of_range("here"); }), std::out_of_range);
  loop.stop();
  EXPECT_FALSE(loop.post([](Machine&) {}));
  EXPECT_THROW(loop.call([](Machine&) {}), std::runtime_error);
}

TEST(MachineHostLoop, ManyThreadsMayAsk) {
  HostLoop loop{MachineOptions()};
  std::atomic<int> answers = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < 200; ++n) answers += loop.call([](Machine&) { return 1; });
      });
    }
  }
  EXPECT_EQ(answers, 800);
}

TEST(MachineHostLoop, AProcessIsFedReadAndItsEndSeen) {
  HostWorld world;
  for (const std::size_t capacity : {std::size_t{1}, std::size_t{4096}, kPipeCapacity}) {
    BoxOptions options = HostWorld::reaping();
    options.pipe_capacity = capacity;
    const auto process = world.start(host_copies, true, std::move(options));
    std::string text;
    for (int i = 0; text.size() < (capacity == 1 ? 20'000U : 300'000U); ++i) {
      text += std::to_string(i) + "\n";
    }
    std::jthread feeder([&] {
      EXPECT_TRUE(host_write_all(*process->in(), text));
      process->in()->close();
    });
    EXPECT_EQ(host_read_all(process->out(), 777), text);
    EXPECT_EQ(host_read_all(process->err()), "");
    EXPECT_EQ(HostWorld::end_of(*process), WaitStatus::exited(0));
  }
}

TEST(MachineHostLoop, TimePassesByItself) {
  HostWorld world;
  const auto process = world.start([](Process& self) -> Task<int> {
    (void)co_await self.sleep(std::chrono::milliseconds(30));  // sleep: in the machine's time
    (void)co_await self.write(1, "later");
    co_return 4;
  });
  EXPECT_EQ(process->status(), std::nullopt);
  EXPECT_EQ(host_read_all(process->out()), "later");
  EXPECT_EQ(HostWorld::end_of(*process), WaitStatus::exited(4));
}

TEST(MachineHostLoop, AWriterThatNobodyReadsIsHeldUpAndOthersGoOn) {
  HostWorld world;
  const auto loud = world.start(host_yes);
  const auto other = world.start(host_copies, true);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(host_write_all(*other->in(), "ping"));
    std::array<std::byte, 4> pong{};
    while (other->out().read(pong).state == State::kAgain) {
      ASSERT_TRUE(host_wait(other->out().descriptor(), POLLIN));
    }
  }
  const std::uint64_t before = world.loop.call([](Machine& machine) { return machine.ticks(); });
  EXPECT_EQ(world.loop.call([](Machine& machine) { return machine.ticks(); }), before);
  std::string some(3 * HostReader::kCapacity, '\0');
  std::size_t read = 0;
  while (read < some.size()) {
    ASSERT_TRUE(host_wait(loud->out().descriptor(), POLLIN));
    read += loud->out().read(std::as_writable_bytes(std::span(some).subspan(read))).count;
  }
  EXPECT_THAT(some, HasSubstr("y\ny\n"));
  // Reading no more is a pipe without readers.
  loud->out().close();
  EXPECT_EQ(HostWorld::end_of(*loud), WaitStatus::signaled(Signal::kPipe));
  EXPECT_EQ(loud->out().read(std::as_writable_bytes(std::span(some))).state, State::kEnd);
}

TEST(MachineHostLoop, InputThatNobodyReadsIsTold) {
  HostWorld world;
  const auto process = world.start(
      [](Process& self) -> Task<int> {
        (void)self.close(0);
        (void)co_await self.pause();
        co_return 0;
      },
      true);
  // The first bytes may be taken before it is known.
  EXPECT_FALSE(host_write_all(*process->in(), std::string(1'000'000, 'x')));
  EXPECT_TRUE(host_wait(process->in()->descriptor(), POLLOUT));
  process->kill_tree();
}

TEST(MachineHostLoop, KillingATreeTakesWhatLeftItToo) {
  HostWorld world;
  const auto process = world.start([](Process& self) -> Task<int> {
    const auto child = [](Process& inner) -> Task<int> {
      (void)inner.new_session();
      (void)inner.fork(host_sleeps);
      (void)co_await inner.write(1, "up\n");
      co_return 0;
    };
    EXPECT_TRUE(self.fork(child));
    EXPECT_TRUE(co_await self.wait_child());
    (void)co_await self.pause();
    co_return 0;
  });
  std::string line(3, '\0');
  while (process->out().read(std::as_writable_bytes(std::span(line))).state == State::kAgain) {
    ASSERT_TRUE(host_wait(process->out().descriptor(), POLLIN));
  }
  process->kill_tree();
  EXPECT_EQ(process->status(), WaitStatus::signaled(Signal::kKill));
  EXPECT_EQ(host_read_all(process->out()), "");
  process->kill_tree();
}

TEST(MachineHostLoop, DescriptorsGoWithTheProcess) {
  const auto descriptors = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  HostWorld world;
  const auto before = descriptors();
  for (int i = 0; i < 20; ++i) {
    const auto process = world.start(host_copies, true);
    EXPECT_EQ(descriptors(), before + 4);
    if (i % 2 == 0) process->kill_tree();
  }
  EXPECT_EQ(descriptors(), before);
}

TEST(MachineHostLoop, StoppingEndsStreamsAndProcesses) {
  HostWorld world;
  const auto process = world.start(host_sleeps, true);
  world.loop.stop();
  EXPECT_EQ(HostWorld::end_of(*process), WaitStatus::signaled(Signal::kKill));
  EXPECT_EQ(host_read_all(process->out()), "");
  EXPECT_EQ(process->in()->write(bytes_of("x")).state, State::kEnd);
  process->kill_tree();
}

}  // namespace
}  // namespace sandproof::machine
