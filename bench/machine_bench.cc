// SPDX-License-Identifier: Apache-2.0
// The machine as an embedder has it: boxes of one image, a command from its start to its end, and
// the bytes that it hands to the host.
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <poll.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "fakes/machine/host/host_loop.h"
#include "fakes/machine/host/host_process.h"
#include "fakes/machine/images/image.h"

namespace {

using namespace sandproof::machine;  // NOLINT: a program of its own.

Task<int> bench_true(Process&) { co_return 0; }

// 64 KiB at a time, for ever.
Task<int> bench_flood(Process& self) {
  const std::string block(65536, 'x');
  for (;;) {
    const Result<std::size_t> count = co_await self.write(1, block);
    if (!count) co_return 1;
  }
}

constexpr std::array kRows = {ProgramRow{"true", bench_true}, ProgramRow{"flood", bench_flood}};

double heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

BoxOptions reaping() {
  BoxOptions options;
  options.init = Init::kReaps;
  return options;
}

// With an init each. bytes_per_box times 10 000 is what as many cost.
void boxes_of_one_image(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  double cost = 0;
  for (auto _ : state) {
    ManualClock clock;
    Machine machine(clock, {.programs = kRows});
    const Image image = make_image(image_profiles().front(), kRows, {}, 0);
    const double before = heap_bytes();
    for (std::size_t i = 0; i < count; ++i) (void)make_image_box(machine, image, reaping());
    machine.run_until_idle();
    cost = heap_bytes() - before;
  }
  state.counters["bytes_per_box"] = cost / static_cast<double>(count);
}
BENCHMARK(boxes_of_one_image)->Arg(10'000)->Unit(benchmark::kMillisecond);

// In a warm box, without a host thread.
void start_to_end(benchmark::State& state) {
  ManualClock clock;
  Machine machine(clock, {.programs = kRows});
  const Image image = make_image(image_profiles().front(), kRows, {}, 0);
  const ImageBox box = make_image_box(machine, image, reaping());
  for (auto _ : state) {
    Start start;
    start.argv = {"/bin/true"};
    const auto launch = machine.start(*box.box, std::move(start));
    machine.run_until_idle();
    if (!launch || !(*launch)->status()) state.SkipWithError("it did not end");
  }
}
BENCHMARK(start_to_end)->Unit(benchmark::kMicrosecond);

struct Hosted {
  std::unique_ptr<HostProcess> start(const char* program) {
    return loop.call([&](Machine& machine) {
      if (box == nullptr) {
        box = make_image_box(machine, make_image(image_profiles().front(), kRows, {}, 0), reaping())
                  .box;
      }
      Start start;
      start.argv = {program};
      return *HostProcess::start(loop, machine, *box, std::move(start), false);
    });
  }

  Box* box = nullptr;
  HostLoop loop{{.programs = kRows}};
};

// The same from another thread, with its streams, until its end is seen.
void start_to_end_from_the_host(benchmark::State& state) {
  Hosted hosted;
  for (auto _ : state) {
    const auto process = hosted.start("/bin/true");
    pollfd end{.fd = process->exit_descriptor(), .events = POLLIN, .revents = 0};
    ::poll(&end, 1, -1);
    if (!process->status()) state.SkipWithError("it did not end");
  }
}
BENCHMARK(start_to_end_from_the_host)->Unit(benchmark::kMicrosecond)->UseRealTime();

void bytes_to_the_host(benchmark::State& state) {
  Hosted hosted;
  const auto process = hosted.start("/bin/flood");
  std::vector<std::byte> buffer(65536);
  std::size_t bytes = 0;
  for (auto _ : state) {
    pollfd one{.fd = process->out().descriptor(), .events = POLLIN, .revents = 0};
    ::poll(&one, 1, -1);
    bytes += process->out().read(buffer).count;
  }
  process->kill_tree();
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK(bytes_to_the_host)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
