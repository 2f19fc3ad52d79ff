// SPDX-License-Identifier: Apache-2.0
// Looking at and ending trees of processes (process_tree.h).
#include "conformance/runner/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <unordered_map>

#include "conformance/runner/system.h"

namespace sandproof::conformance::runner {
namespace {

using Clock = std::chrono::steady_clock;

// A tree that forks faster than it can be frozen gives up the race after this many looks: each
// look freezes all that it sees, and a frozen process does not fork.
constexpr int kFreezePasses = 100;
// A killed process is gone within microseconds; looking again this often finds those whose death
// nobody announces (a pidfd is readable at the death of one that we could open).
constexpr std::chrono::milliseconds kLookAgain{50};
constexpr std::size_t kShownCommandBytes = 200;

std::optional<std::string> read_proc_file(pid_t pid, const char* name, std::size_t limit) {
  const std::string path = "/proc/" + std::to_string(pid) + "/" + name;
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return std::nullopt;
  std::string text(limit, '\0');
  const long count = read_some_bytes(fd.get(), text.data(), text.size());
  if (count < 0) return std::nullopt;
  text.resize(static_cast<std::size_t>(count));
  return text;
}

// proc(5): "pid (comm) state ppid …", where comm may hold anything, also ')' and newlines; field 22
// is the start time.
std::optional<ProcessInfo> read_process(pid_t pid) {
  const std::optional<std::string> text = read_proc_file(pid, "stat", 4096);
  if (!text) return std::nullopt;
  const std::size_t comm_end = text->rfind(')');
  if (comm_end == std::string::npos) return std::nullopt;
  ProcessInfo info;
  info.pid = pid;
  const int fields = std::sscanf(text->c_str() + comm_end + 1,
                                 " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d "
                                 "%*d %*d %*d %*d %llu",
                                 &info.state, &info.parent, &info.start);
  if (fields != 3) return std::nullopt;
  return info;
}

bool same(const ProcessInfo& a, const ProcessInfo& b) {
  return a.pid == b.pid && a.start == b.start;
}

bool still_alive(const ProcessInfo& process) {
  const std::optional<ProcessInfo> now = read_process(process.pid);
  return now && same(*now, process) && now->alive();
}

// The pidfd of exactly this process; none if it is gone.
UniqueFd open_process(const ProcessInfo& process) {
  UniqueFd fd(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
  if (fd && !still_alive(process)) fd.reset();
  return fd;
}

void signal_process(const ProcessInfo& process, int signal) {
  const UniqueFd fd = open_process(process);
  if (fd) ::syscall(SYS_pidfd_send_signal, fd.get(), signal, nullptr, 0);
}

void wait_for_deaths(const std::vector<ProcessInfo>& processes, Clock::duration bound) {
  // More than this many at once are waited for in turns.
  constexpr std::size_t kAtOnce = 64;
  std::vector<UniqueFd> fds;
  std::vector<pollfd> polled;
  for (const ProcessInfo& process : processes) {
    if (fds.size() == kAtOnce) break;
    UniqueFd fd = open_process(process);
    if (!fd) return;  // Gone already: look again at once.
    polled.push_back({fd.get(), POLLIN, 0});
    fds.push_back(std::move(fd));
  }
  ::poll(polled.data(), polled.size(), poll_timeout(std::min<Clock::duration>(bound, kLookAgain)));
}

std::vector<ProcessInfo> living(std::vector<ProcessInfo> processes) {
  std::erase_if(processes, [](const ProcessInfo& process) { return !process.alive(); });
  return processes;
}

void freeze(const std::function<std::vector<ProcessInfo>()>& find, Clock::time_point deadline) {
  std::unordered_map<pid_t, unsigned long long> frozen;
  for (int pass = 0; pass < kFreezePasses && Clock::now() < deadline; ++pass) {
    bool found_new = false;
    for (const ProcessInfo& process : living(find())) {
      const auto [known, is_new] = frozen.try_emplace(process.pid, process.start);
      if (!is_new && known->second == process.start) continue;
      known->second = process.start;
      signal_process(process, SIGSTOP);
      found_new = true;
    }
    if (!found_new) return;
  }
}

}  // namespace

std::vector<ProcessInfo> process_table() {
  const std::unique_ptr<DIR, int (*)(DIR*)> proc(::opendir("/proc"), ::closedir);
  if (!proc) throw_system_error("cannot read /proc");
  std::vector<ProcessInfo> table;
  while (const dirent* entry = ::readdir(proc.get())) {
    pid_t pid = 0;
    const char* const end = entry->d_name + std::strlen(entry->d_name);
    const auto [parsed, error] = std::from_chars(entry->d_name, end, pid);
    if (error != std::errc() || parsed != end) continue;
    if (const std::optional<ProcessInfo> info = read_process(pid)) table.push_back(*info);
  }
  return table;
}

std::vector<ProcessInfo> descendants_of(pid_t root, const std::vector<ProcessInfo>& table) {
  std::unordered_multimap<pid_t, const ProcessInfo*> children;
  for (const ProcessInfo& process : table) children.emplace(process.parent, &process);
  std::vector<ProcessInfo> found;
  std::vector<pid_t> open{root};
  // The table is not one moment: a cycle through a reused pid must not hold us up.
  while (!open.empty() && found.size() <= table.size()) {
    const pid_t parent = open.back();
    open.pop_back();
    const auto [first, last] = children.equal_range(parent);
    for (auto child = first; child != last; ++child) {
      found.push_back(*child->second);
      open.push_back(child->second->pid);
    }
  }
  return found;
}

std::string command_line(pid_t pid) {
  std::string words = read_proc_file(pid, "cmdline", kShownCommandBytes).value_or("");
  while (!words.empty() && words.back() == '\0') words.pop_back();
  std::replace(words.begin(), words.end(), '\0', ' ');
  if (!words.empty()) return words;
  std::string name = read_proc_file(pid, "comm", kShownCommandBytes).value_or("gone");
  if (!name.empty() && name.back() == '\n') name.pop_back();
  return "[" + name + "]";
}

std::vector<ProcessInfo> end_processes(const std::function<std::vector<ProcessInfo>()>& find,
                                       const std::function<void()>& reap,
                                       std::chrono::milliseconds bound) {
  const auto deadline = Clock::now() + bound;
  std::vector<ProcessInfo> left = living(find());
  if (left.empty()) return left;
  freeze(find, deadline);
  while (true) {
    left = living(find());
    if (left.empty() || Clock::now() >= deadline) return left;
    for (const ProcessInfo& process : left) signal_process(process, SIGKILL);
    reap();
    wait_for_deaths(left, deadline - Clock::now());
    reap();
  }
}

std::vector<ProcessInfo> wait_until_gone(const std::vector<ProcessInfo>& processes,
                                         std::chrono::milliseconds bound) {
  const auto deadline = Clock::now() + bound;
  std::vector<ProcessInfo> left = processes;
  while (true) {
    std::erase_if(left, [](const ProcessInfo& process) { return !still_alive(process); });
    if (left.empty() || Clock::now() >= deadline) return left;
    wait_for_deaths(left, deadline - Clock::now());
  }
}

}  // namespace sandproof::conformance::runner
