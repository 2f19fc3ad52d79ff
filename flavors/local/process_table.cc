// SPDX-License-Identifier: Apache-2.0
// The process table of proc(5). Stateless. See process_table.h.
#include "flavors/local/process_table.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <system_error>
#include <vector>

#include "flavors/local/mark.h"
#include "flavors/local/pidfd.h"

namespace sandproof::local {
namespace {

// A stat line is a few hundred bytes; a name of 64 bytes is the only text in it.
constexpr std::size_t kLargestStat = 4096;
// Arguments and environment together are at most 6 MiB on Linux (three quarters of 8 MiB).
constexpr std::size_t kLargestEnvironment = std::size_t{8} << 20;
// For people to read.
constexpr std::size_t kLargestCommandLine = 4096;
constexpr std::size_t kReadAtOnce = std::size_t{64} << 10;

Descriptor open_entry(pid_t pid, const char* entry) {
  const std::string path = "/proc/" + std::to_string(pid) + "/" + entry;
  return Descriptor(retry_eintr([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }));
}

// At most `limit` bytes; empty for what cannot be read.
std::string read_entry(pid_t pid, const char* entry, std::size_t limit) {
  const Descriptor file = open_entry(pid, entry);
  std::string text(limit, '\0');
  std::size_t size = 0;
  while (file.valid() && size < limit) {
    const ssize_t count =
        retry_eintr([&] { return ::read(file.get(), text.data() + size, limit - size); });
    if (count <= 0) break;
    size += static_cast<std::size_t>(count);
  }
  text.resize(size);
  return text;
}

template <typename Number>
bool take_number(std::string_view& text, Number& number) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool skip_numbers(std::string_view& text, int count) {
  long long ignored = 0;
  for (int i = 0; i < count; ++i) {
    if (!take_number(text, ignored)) {
      // Addresses and limits may be larger than any signed number.
      unsigned long long large = 0;
      if (!take_number(text, large)) return false;
    }
  }
  return true;
}

// PF_KTHREAD of the kernel's flags, which proc(5) prints as a number.
constexpr unsigned long kKernelThread = 0x00200000;

// proc(5), "/proc/[pid]/stat". The name in parentheses can contain anything, parentheses too.
std::optional<ProcessRow> parse_stat(pid_t pid, std::string_view text) {
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string_view::npos || name_end + 2 >= text.size()) return std::nullopt;
  ProcessRow row;
  row.pid = pid;
  row.state = text[name_end + 2];
  text.remove_prefix(name_end + 3);
  // Parent, group and session; the terminal's two; the flags; ten from minflt to nice; the number
  // of threads; itrealvalue; the start.
  unsigned long flags = 0;
  const bool good = take_number(text, row.parent) && take_number(text, row.group) &&
                    take_number(text, row.session) && skip_numbers(text, 2) &&
                    take_number(text, flags) && skip_numbers(text, 10) &&
                    take_number(text, row.threads) && skip_numbers(text, 1) &&
                    take_number(text, row.start);
  row.kernel = (flags & kKernelThread) != 0;
  return good ? std::optional(row) : std::nullopt;
}

// proc(5), env_start of "/proc/[pid]/stat": where the environment begins, also an empty one;
// another place in each program. 0 from the moment when execve(2) has taken the old memory away
// until the new program is laid out. (And where it may not be told; but then the environment may
// not be read, either.)
unsigned long long environment_start(std::string_view stat) {
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos || name_end + 3 > stat.size()) return 0;
  stat.remove_prefix(name_end + 3);
  unsigned long long start = 0;
  // From the parent, the fourth field, to arg_end, the forty-ninth.
  return skip_numbers(stat, 46) && take_number(stat, start) ? start : 0;
}

class SystemProcessTable : public ProcessTable {
 public:
  std::vector<ProcessRow> list() override {
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir("/proc"), &::closedir);
    if (directory == nullptr) {
      throw std::system_error(errno, std::generic_category(), "cannot read /proc");
    }
    std::vector<ProcessRow> rows;
    while (const dirent* entry = ::readdir(directory.get())) {
      const std::string_view name(entry->d_name);
      pid_t pid = 0;
      const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
      if (error != std::errc() || end != name.data() + name.size()) continue;
      if (auto row = find(pid)) rows.push_back(*row);
    }
    return rows;
  }

  std::optional<ProcessRow> find(pid_t pid) override {
    // Read for every process of the machine: without an allocation for the text.
    const Descriptor file = open_entry(pid, "stat");
    if (!file.valid()) return std::nullopt;
    std::array<char, kLargestStat> text;  // NOLINT: filled by read()
    const ssize_t size = retry_eintr([&] { return ::read(file.get(), text.data(), text.size()); });
    if (size <= 0) return std::nullopt;
    return parse_stat(pid, std::string_view(text.data(), static_cast<std::size_t>(size)));
  }

  MarkReading mark(pid_t pid) override {
    if (auto reading = mark_in_environment(pid)) return *reading;
    // Empty: because the program has none, or because it is not there yet. It has none if one
    // program was laid out all the while.
    const auto before = environment_start(read_entry(pid, "stat", kLargestStat));
    if (auto reading = mark_in_environment(pid)) return *reading;
    const auto after = environment_start(read_entry(pid, "stat", kLargestStat));
    return {.value = {}, .unclear = before == 0 || before != after};
  }

  std::string command_line(pid_t pid) override {
    std::string text = read_entry(pid, "cmdline", kLargestCommandLine);
    while (!text.empty() && text.back() == '\0') text.pop_back();
    std::replace(text.begin(), text.end(), '\0', ' ');
    if (!text.empty()) return text;
    const std::string stat = read_entry(pid, "stat", kLargestStat);
    const std::size_t begin = stat.find('(');
    const std::size_t end = stat.rfind(')');
    if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
    return "[" + stat.substr(begin + 1, end - begin - 1) + "]";
  }

  Descriptor open(pid_t pid) override { return open_pidfd(pid); }

  bool send(const Descriptor& process, int signal) override {
    return send_through(process.get(), signal);
  }

  void send_to_group(pid_t leader, int signal) override {
    if (leader > 1) ::kill(-leader, signal);
  }

  void wait_ended(std::span<const Descriptor> processes,
                  std::chrono::steady_clock::time_point deadline) override {
    std::vector<pollfd> waiting;
    waiting.reserve(processes.size());
    for (const Descriptor& process : processes) waiting.push_back({process.get(), POLLIN, 0});
    while (!waiting.empty()) {
      const int left = milliseconds_until(deadline);
      if (left == 0) return;
      if (::poll(waiting.data(), waiting.size(), left) <= 0) continue;
      std::erase_if(waiting, [](const pollfd& ready) { return ready.revents != 0; });
    }
  }

 private:
  // Nothing for an environment that is empty.
  static std::optional<MarkReading> mark_in_environment(pid_t pid) {
    const Descriptor file = open_entry(pid, "environ");
    if (!file.valid()) return MarkReading{};
    const std::string wanted = std::string(kMarkName) + "=";
    std::string text;
    std::size_t entry = 0;  // Where the entry begins that has not been looked at.
    for (;;) {
      const std::size_t size = text.size();
      if (size >= kLargestEnvironment) return MarkReading{};
      text.resize(size + kReadAtOnce);
      const ssize_t count =
          retry_eintr([&] { return ::read(file.get(), text.data() + size, kReadAtOnce); });
      text.resize(size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
      if (count <= 0) break;
      for (std::size_t end = 0; (end = text.find('\0', entry)) != std::string::npos;
           entry = end + 1) {
        const std::string_view line(text.data() + entry, end - entry);
        if (line.starts_with(wanted))
          return MarkReading{.value = std::string(line.substr(wanted.size()))};
      }
    }
    if (text.empty()) return std::nullopt;
    return MarkReading{};
  }
};

}  // namespace

std::shared_ptr<ProcessTable> system_process_table() {
  return std::make_shared<SystemProcessTable>();
}

}  // namespace sandproof::local
