// SPDX-License-Identifier: Apache-2.0
// What the framework's cores cost per byte of a command's output: collect() outside a step and in
// one, line iteration, raw reads, long lines. Each against a bare read loop over the same kind of
// pipe in the same run, turn by turn, since only the ratio means anything on a busy machine.
//
//   collect_bench [megabytes] [rounds] [row]      1000 and 5; only rows whose names hold `row`
//
// Fake hooks over a plain pipe: no flavor, no process. One thread writes, the main thread consumes,
// so that two processors are in use, as with a command.
#include <fcntl.h>
#include <malloc.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "sandproof/flavor.h"
#include "sandproof/log_stores.h"

namespace sandproof {
namespace {

constexpr std::size_t kBlock = std::size_t{64} << 10;
constexpr std::size_t kLine = 80;

void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

std::string block_of_lines() {
  std::string block;
  while (block.size() + kLine <= kBlock) block += std::string(kLine - 1, 'x') + "\n";
  return block;
}

/// What a command writes: blocks up to a size, and maybe one newline at the end of all.
struct Plan {
  std::string block = block_of_lines();
  std::size_t size = 0;
};

/// Writes the plan into a pipe on a thread of its own.
class Writer {
 public:
  explicit Writer(const Plan& plan) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe2");
    reading_ = ends[0];
    exit_event_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (exit_event_ < 0) fail("eventfd");
    thread_ = std::jthread([plan, fd = ends[1], event = exit_event_] {
      std::size_t left = plan.size;
      while (left > 0) {
        const ssize_t n = ::write(fd, plan.block.data(), std::min(left, plan.block.size()));
        if (n < 0) break;
        left -= static_cast<std::size_t>(n);
      }
      ::close(fd);
      const std::uint64_t one = 1;
      if (::write(event, &one, sizeof one) < 0) std::abort();
    });
  }
  ~Writer() {
    thread_.join();
    ::close(reading_);
    ::close(exit_event_);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  int reading() const { return reading_; }
  int exit_event() const { return exit_event_; }

 private:
  int reading_ = -1;
  int exit_event_ = -1;
  std::jthread thread_;
};

class PipeProcess : public ProcessHooks {
 public:
  explicit PipeProcess(const Plan& plan) : writer_(plan) {
    const int flags = ::fcntl(writer_.reading(), F_GETFL);
    if (::fcntl(writer_.reading(), F_SETFL, flags | O_NONBLOCK) != 0) fail("fcntl");
  }
  int do_descriptor(Channel channel) const noexcept override {
    return channel == Channel::kOut ? writer_.reading() : writer_.exit_event();
  }
  IoResult do_read(Stream stream, std::span<std::byte> buffer) noexcept override {
    if (stream == Stream::kErr) return IoResult::end();
    const ssize_t n = ::read(writer_.reading(), buffer.data(), buffer.size());
    if (n > 0) return IoResult::ready(static_cast<std::size_t>(n));
    if (n == 0) return IoResult::end();
    if (errno == EAGAIN || errno == EINTR) return IoResult::again();
    return IoResult::failed({errno, std::generic_category()});
  }
  std::optional<ExitStatus> do_poll_exit() noexcept override {
    std::uint64_t count = 0;
    if (!ended_) ended_ = ::read(writer_.exit_event(), &count, sizeof count) > 0;
    return ended_ ? std::optional(ExitStatus::exited(0)) : std::nullopt;
  }
  void do_kill() override {}

 private:
  Writer writer_;
  bool ended_ = false;
};

class PipeSession : public SessionHooks {
 public:
  explicit PipeSession(const Plan& plan) : plan_(plan) {}
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& /*request*/) override {
    return std::make_unique<PipeProcess>(plan_);
  }
  void do_close() override {}

 private:
  const Plan& plan_;
};

class PipeSandbox : public SandboxHooks {
 public:
  explicit PipeSandbox(const Plan& plan) : plan_(plan) {}
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& /*spec*/) override {
    return std::make_unique<PipeSession>(plan_);
  }

 private:
  const Plan& plan_;
};

/// Keeps the text of the last lines and nothing else: what a sink in memory costs at least. One
/// that keeps everything pays for new pages beside.
class TextStore : public LogStore {
 public:
  std::unique_ptr<LogSource> open_source(const std::string& /*name*/) override {
    struct Source : LogSource {
      void log(LogLevel /*level*/, std::string_view line) override {
        if (text.size() > (std::size_t{1} << 20)) text.clear();
        text.append(line).push_back('\n');
      }
      void end() override {}
      std::string text;
    };
    return std::make_unique<Source>();
  }
};

using Consume = std::function<void(Process&)>;

/// Seconds for one consumer over one plan.
double run_once(const Plan& plan, const std::shared_ptr<LogStore>& logs, const Consume& consume) {
  Flavor flavor;
  flavor.name = "pipe";
  flavor.make_hooks = [&](const ComponentContext&) { return std::make_unique<PipeSandbox>(plan); };
  SandboxOptions options;
  if (logs) options.current_step = [&] { return StepContext{"run", "step", logs, nullptr, {}}; };
  const auto sandbox = make_sandbox(flavor, options);
  const auto session = sandbox->create_session();
  const auto start = std::chrono::steady_clock::now();
  const auto process = session->exec({"command"});
  consume(*process);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double run_bare(const Plan& plan) {
  const auto start = std::chrono::steady_clock::now();
  const Writer writer(plan);
  std::vector<char> buffer(kBlock);
  std::size_t total = 0;
  for (;;) {
    const ssize_t n = ::read(writer.reading(), buffer.data(), buffer.size());
    if (n < 0) fail("read");
    if (n == 0) break;
    total += static_cast<std::size_t>(n);
  }
  if (total != plan.size) std::abort();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void collect(Process& process) {
  if (!process.collect().status.success()) std::abort();
}

void iterate(Process& process) {
  std::string line;
  while (process.out().next(line)) {
  }
}

void read_raw(Process& process) {
  std::vector<std::byte> buffer(kBlock);
  while (process.read_some(Stream::kOut, buffer) > 0) {
  }
}

std::string_view only_rows;

struct Row {
  const char* name;
  const char* target;
  std::function<double()> run;
};

/// The rows turn by turn with the bare loop; the best of the rounds counts, since what disturbs a
/// run only ever makes it slower.
void compare(const char* title, const Plan& plan, int rounds, std::vector<Row> rows) {
  std::erase_if(rows, [](const Row& row) {
    return std::string_view(row.name).find(only_rows) == std::string_view::npos;
  });
  if (rows.empty()) return;
  double bare = 1e9;
  std::vector<double> best(rows.size(), 1e9);
  for (int round = 0; round < rounds; ++round) {
    bare = std::min(bare, run_bare(plan));
    for (std::size_t i = 0; i < rows.size(); ++i) best[i] = std::min(best[i], rows[i].run());
  }
  const double gigabytes = static_cast<double>(plan.size) / 1e9;
  std::printf("\n%s: %.3f GB, best of %d\n", title, gigabytes, rounds);
  std::printf("  %-44s %6.2f GB/s\n", "bare read loop, 64 KiB", gigabytes / bare);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::printf("  %-44s %6.2f GB/s  %5.2f x bare  %s\n", rows[i].name, gigabytes / best[i],
                bare / best[i], rows[i].target);
  }
  std::fflush(stdout);
}

void compare_lines(std::size_t size, int rounds) {
  Plan plan;
  plan.size = size / kLine * kLine;
  Plan small = plan;
  small.size = plan.size / 8 / kLine * kLine;
  const auto text_store = std::make_shared<TextStore>();
  compare(
      "80-byte lines", plan, rounds,
      {{"collect(), default cap", "aim 0.7", [&] { return run_once(plan, nullptr, collect); }},
       {"collect() in a step, last text kept", "aim 0.3",
        [&] { return run_once(plan, text_store, collect); }},
       {"lines", "aim 0.3", [&] { return run_once(plan, nullptr, iterate); }},
       {"lines in a step, last text kept", "", [&] { return run_once(plan, text_store, iterate); }},
       {"read_some, 64 KiB", "", [&] { return run_once(plan, nullptr, read_raw); }}});
  // MemoryLogStore keeps a record of some 200 bytes for each line.
  compare("80-byte lines, an eighth", small, rounds,
          {{"collect() in a step, MemoryLogStore", "aim 0.3",
            [&] { return run_once(small, std::make_shared<MemoryLogStore>(), collect); }}});
}

void compare_long_line(std::size_t megabytes, int rounds) {
  Plan lines;
  lines.size = (megabytes << 20) / kLine * kLine;
  Plan one;
  one.block = std::string(kBlock, 'x');
  one.size = lines.size;
  const std::string title = "one line of " + std::to_string(megabytes) + " MiB";
  compare(
      title.c_str(), one, rounds,
      {{"the same bytes in 80-byte lines", "", [&] { return run_once(lines, nullptr, iterate); }},
       {"one line", "aim 0.5 x the row above, the same at 16, 32, 64",
        [&] { return run_once(one, nullptr, iterate); }}});
}

}  // namespace
}  // namespace sandproof

int main(int argc, char** argv) {
  // Memory that was freed is used again and not fetched anew from the system: a page from there may
  // cost more than reading its bytes (in a virtual machine by a factor), and that is not what the
  // rows of long lines compare.
  ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
  const std::size_t megabytes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  if (argc > 3) sandproof::only_rows = argv[3];
  if (megabytes == 0 || rounds <= 0) {
    std::fprintf(stderr, "usage: collect_bench [megabytes] [rounds] [row]\n");
    return 2;
  }
  sandproof::compare_lines(megabytes * 1'000'000, rounds);
  for (const std::size_t size : {16, 32, 64}) sandproof::compare_long_line(size, rounds);
  return 0;
}
