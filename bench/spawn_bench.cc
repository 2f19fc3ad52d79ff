// SPDX-License-Identifier: Apache-2.0
// What starting a command and waiting for it costs with the launcher, beside a bare posix_spawn and
// waitpid of the same program in the same rounds: read the counter `ratio`, of medians. The second
// row does it in a process that has touched 200 MB.
// One thread; each benchmark owns its memory.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "flavors/local/child.h"
#include "flavors/local/cwd.h"
#include "flavors/local/launcher.h"

namespace sandproof::local {
namespace {

using Clock = std::chrono::steady_clock;

// What the target is about: a harness that holds a lot of output.
constexpr std::size_t kLargeProcess = std::size_t{200} << 20;
constexpr std::size_t kPage = 4096;
const std::string kProgram = "/bin/true";

// Memory of this process that is really there.
class Ballast {
 public:
  explicit Ballast(std::size_t size) : size_(size) {
    if (size == 0) return;
    memory_ = static_cast<char*>(
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory_ == MAP_FAILED) throw std::runtime_error("there is no memory for the benchmark");
    // Small pages: their tables are what a fork has to copy.
    ::madvise(memory_, size, MADV_NOHUGEPAGE);
    for (std::size_t i = 0; i < size; i += kPage) memory_[i] = 1;
  }
  Ballast(const Ballast&) = delete;
  Ballast& operator=(const Ballast&) = delete;
  ~Ballast() {
    if (size_ > 0) ::munmap(memory_, size_);
  }

 private:
  char* memory_ = nullptr;
  const std::size_t size_;
};

class Baseline {
 public:
  void run() const {
    std::string name = kProgram;
    std::array<char*, 2> argv{name.data(), nullptr};
    std::array<char*, 1> env{nullptr};
    pid_t pid = 0;
    int status = 0;
    if (::posix_spawn(&pid, kProgram.c_str(), nullptr, nullptr, argv.data(), env.data()) != 0 ||
        ::waitpid(pid, &status, 0) != pid || status != 0) {
      throw std::runtime_error("the baseline does not work");
    }
  }
};

class Ours {
 public:
  void run() const {
    Child child(launch({.argv = {kProgram},
                        .env = {},
                        .cwd = cwd_.get(),
                        .cwd_name = "/",
                        .in = null_.get(),
                        .out = null_.get(),
                        .err = null_.get()}));
    const auto status = child.wait_until(Clock::now() + std::chrono::seconds(10));
    if (!status || !status->success()) throw std::runtime_error("the launcher does not work");
  }

 private:
  Descriptor cwd_ = open_cwd(AT_FDCWD, "/");
  Descriptor null_{::open("/dev/null", O_RDWR | O_CLOEXEC)};
};

template <typename Runner>
double microseconds(const Runner& runner) {
  const auto begin = Clock::now();
  runner.run();
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// One round is one start of each kind, in turn, so that both meet the same machine.
void start_and_wait(benchmark::State& state, std::size_t ballast_size) {
  const Ballast ballast(ballast_size);
  const Baseline baseline;
  const Ours ours;
  std::vector<double> theirs_us;
  std::vector<double> ours_us;
  for (auto _ : state) {
    theirs_us.push_back(microseconds(baseline));
    ours_us.push_back(microseconds(ours));
    state.SetIterationTime(ours_us.back() / 1e6);
  }
  const double theirs = median(theirs_us);
  const double launched = median(ours_us);
  state.counters["posix_spawn_us"] = theirs;
  state.counters["launch_us"] = launched;
  state.counters["ratio"] = launched / theirs;
}

BENCHMARK_CAPTURE(start_and_wait, small_process, 0)->UseManualTime();
BENCHMARK_CAPTURE(start_and_wait, process_of_200_MB, kLargeProcess)->UseManualTime();

}  // namespace
}  // namespace sandproof::local

BENCHMARK_MAIN();
