// SPDX-License-Identifier: Apache-2.0
// The search for the processes of a tree, and their end. See tree.h.
#include "flavors/local/tree.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>

#include "sandproof/errors.h"

namespace sandproof::local {
namespace {

using Clock = std::chrono::steady_clock;

// A pass takes milliseconds, a tree of depth n that is forking at full speed is caught in about n
// of them, and what is not frozen by then is met by the killing passes.
constexpr int kFreezePasses = 32;
// Looks at the states of what was just stopped, which take microseconds each.
constexpr int kStateLooks = 20;
// Passes after which a process that has been asleep in the kernel all the time counts as stopped.
constexpr int kKernelLooks = 3;
// The share of kKillLimit that freezing may take.
constexpr std::chrono::milliseconds kFreezeLimit{500};
// A process is without an environment for microseconds while it executes a program, and for as long
// as it does not get a processor in the middle of that. What takes longer is stuck in the kernel.
constexpr std::chrono::milliseconds kUnclearLimit{250};
// Pidfds that are open at once, far below the usual limit of 1024 descriptors.
constexpr std::size_t kBatch = 64;
// Pids that a message names.
constexpr std::size_t kNamedPids = 8;

std::string names_of(const std::vector<pid_t>& pids) {
  std::string text;
  for (std::size_t i = 0; i < std::min(pids.size(), kNamedPids); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(pids[i]);
  }
  return pids.size() > kNamedPids ? text + " …" : text;
}

[[noreturn]] void fail_to_kill(const MarkPattern& pattern, const std::vector<pid_t>& left) {
  throw BackendError(std::to_string(left.size()) + " process(es) of " + pattern.to_string() +
                     " are alive " + std::to_string(kKillLimit.count()) +
                     " ms after they were killed: " + names_of(left) +
                     "; they are stuck in the kernel, or belong to another user");
}

}  // namespace

Tree::Tree(ProcessTable& table, TreeScope scope)
    : table_(table),
      pattern_(std::move(scope.pattern)),
      leaders_(scope.leaders.begin(), scope.leaders.end()),
      since_(scope.since) {}

// True if the process was not known to be of the tree.
bool Tree::adopt(const ProcessRow& row) {
  found_.push_back(row);
  const auto [place, is_new] = known_.try_emplace(row.pid, Known{.start = row.start});
  if (is_new) return true;
  if (place->second.start == row.start) return false;
  place->second = Known{.start = row.start};
  return true;
}

// Completes what was found by the children of what was found, to any depth.
void Tree::adopt_children(const std::vector<ProcessRow>& rows) {
  std::unordered_multimap<pid_t, const ProcessRow*> children;
  children.reserve(rows.size());
  for (const ProcessRow& row : rows) children.emplace(row.parent, &row);
  std::unordered_set<pid_t> seen;
  for (const ProcessRow& row : found_) seen.insert(row.pid);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const auto [begin, end] = children.equal_range(found_[i].pid);
    for (auto child = begin; child != end; ++child) {
      const ProcessRow& row = *child->second;
      if (row.pid != ::getpid() && seen.insert(row.pid).second && adopt(row)) found_new_ = true;
    }
  }
}

// One look at the machine. Afterwards found_ is what belongs to the tree.
void Tree::scan() {
  const std::vector<ProcessRow> rows = table_.list();
  found_.clear();
  found_new_ = false;
  unclear_ = false;
  for (const ProcessRow& row : rows) {
    const auto known = known_.find(row.pid);
    const bool belongs = (known != known_.end() && known->second.start == row.start) ||
                         is_leader(row.pid) || is_leader(row.session) || is_leader(row.group);
    if (belongs && adopt(row)) found_new_ = true;
  }
  // Parents first: it saves reading their environments.
  adopt_children(rows);
  std::unordered_set<pid_t> members;
  for (const ProcessRow& row : found_) members.insert(row.pid);
  const std::size_t before = found_.size();
  for (const ProcessRow& row : rows) {
    if (members.contains(row.pid) || !row.alive() || row.kernel || row.start < since_ ||
        row.pid == ::getpid()) {
      continue;
    }
    const MarkReading mark = table_.mark(row.pid);
    unclear_ = unclear_ || mark.unclear;
    if (pattern_.matches(mark.value) && adopt(row)) found_new_ = true;
  }
  if (found_.size() > before) adopt_children(rows);
}

std::vector<ProcessRow> Tree::living(bool with_leaders) const {
  std::vector<ProcessRow> rows;
  for (const ProcessRow& row : found_) {
    if (row.alive() && (with_leaders || !is_leader(row.pid))) rows.push_back(row);
  }
  return rows;
}

// Whether the last scan met a process that it could not tell, and looking again is worth it.
bool Tree::is_unclear() {
  if (!unclear_) {
    unclear_since_.reset();
    return false;
  }
  const Clock::time_point now = Clock::now();
  if (!unclear_since_) unclear_since_ = now;
  return now - *unclear_since_ < kUnclearLimit;
}

std::vector<ProcessRow> Tree::members() {
  do {
    scan();
  } while (is_unclear());
  return found_;
}

// A handle to the process of the row; invalid when that process is gone. Opened first and checked
// then: whatever has the pid at the check is what has it at the opening, or the handle is dead.
Descriptor Tree::open_again(const ProcessRow& row) {
  Descriptor process = table_.open(row.pid);
  if (!process.valid()) return process;
  const std::optional<ProcessRow> now = table_.find(row.pid);
  if (!now || now->start != row.start) return {};
  return process;
}

bool Tree::send(const ProcessRow& row, int signal) {
  const Descriptor process = open_again(row);
  return process.valid() && table_.send(process, signal);
}

bool Tree::terminate(Clock::time_point deadline) {
  for (;;) {
    scan();
    const std::vector<ProcessRow> alive = living(true);
    if (!is_unclear() && alive.empty()) return true;
    std::vector<Descriptor> waiting;
    for (const ProcessRow& row : alive) {
      Descriptor process = open_again(row);
      if (!process.valid()) continue;
      Known& known = known_.at(row.pid);
      if (!known.terminated) {
        known.terminated = true;
        table_.send(process, SIGTERM);
        table_.send(process, SIGCONT);
      }
      if (waiting.size() < kBatch) waiting.push_back(std::move(process));
    }
    table_.wait_ended(waiting, deadline);
    if (Clock::now() >= deadline) return false;
  }
}

// Whether everything that was found stands still. Looks several times: a signal takes effect a
// little after it was sent.
bool Tree::stands_still() {
  for (int look = 0; look < kStateLooks; ++look) {
    bool still = true;
    for (const ProcessRow& row : found_) {
      const std::optional<ProcessRow> now = table_.find(row.pid);
      if (!now || now->start != row.start || !now->alive() || now->stopped()) continue;
      // In the kernel, with a SIGSTOP to come: it may be in the middle of a fork, but one that
      // stays so is waiting for something (with vfork, for a child that stands still).
      if (now->state == 'D' && known_.at(row.pid).looks_in_kernel >= kKernelLooks) continue;
      still = false;
      break;
    }
    if (still) return true;
  }
  return false;
}

void Tree::freeze(Clock::time_point deadline) {
  // In one step for the group: nothing of it can fork in between.
  for (const pid_t leader : leaders_) table_.send_to_group(leader, SIGSTOP);
  // Only a scan that began when everything known stood still can find that there is nothing new:
  // a fork that was under way shows up after the list of pids was read.
  bool still = false;
  for (int pass = 0; pass < kFreezePasses && Clock::now() < deadline; ++pass) {
    scan();
    const bool clear = !is_unclear();
    bool running = false;
    for (const ProcessRow& row : found_) {
      if (!row.alive() || row.stopped()) continue;
      // Also to one that was stopped before: something has sent it a SIGCONT.
      send(row, SIGSTOP);
      Known& known = known_.at(row.pid);
      if (row.state == 'D') ++known.looks_in_kernel;
      running = running || row.state != 'D' || known.looks_in_kernel < kKernelLooks;
    }
    if (still && clear && !found_new_ && !running) return;
    still = stands_still();
  }
}

// Kills what was found, and what further scans find, until one finds nothing alive. Leaders are
// left out unless `with_leaders`.
void Tree::sweep(bool with_leaders, Clock::time_point deadline) {
  for (;;) {
    const std::vector<ProcessRow> alive = living(with_leaders);
    if (alive.empty() || Clock::now() >= deadline) return;
    std::vector<Descriptor> dying;
    std::size_t refused = 0;
    for (const ProcessRow& row : alive) {
      Descriptor process = open_again(row);
      if (!process.valid()) continue;
      if (!table_.send(process, SIGKILL)) {
        if (errno == EPERM) ++refused;
      } else if (dying.size() < kBatch) {
        dying.push_back(std::move(process));
      }
    }
    if (refused == alive.size()) return;
    table_.wait_ended(dying, deadline);
    members();
  }
}

std::vector<pid_t> Tree::kill(Clock::time_point deadline) {
  freeze(std::min(deadline, Clock::now() + kFreezeLimit));
  if (is_unclear()) members();
  sweep(false, deadline);
  // The leaders last. After them, nothing is left that could start anything, and the last look of
  // the sweep finds what has escaped the freezing.
  sweep(true, deadline);
  std::vector<pid_t> left;
  for (const ProcessRow& row : living(true)) {
    const std::optional<ProcessRow> now = table_.find(row.pid);
    if (now && now->start == row.start && now->alive()) left.push_back(row.pid);
  }
  return left;
}

void kill_exec(ProcessTable& table, Child& child, const Mark& mark) {
  const auto hold = child.hold();
  if (!hold || child.poll()) return;
  const MarkPattern pattern = MarkPattern::exec(mark);
  std::vector<pid_t> left;
  std::exception_ptr trouble;
  try {
    const std::optional<ProcessRow> leader = table.find(child.pid());
    Tree tree(table, {pattern, {child.pid()}, leader ? leader->start : 0});
    left = tree.kill(Clock::now() + kKillLimit);
  } catch (...) {
    trouble = std::current_exception();
  }
  // What was frozen and could not be killed in time goes with its group: it must not go on when the
  // leader is gone and nobody looks for it any more.
  if (trouble || !left.empty()) table.send_to_group(child.pid(), SIGKILL);
  // Through the handle that is open in any case: no shortage of anything keeps the command alive.
  child.signal(SIGKILL);
  if (trouble) std::rethrow_exception(trouble);
  if (!left.empty()) fail_to_kill(pattern, left);
}

void terminate_marked(ProcessTable& table, const MarkPattern& pattern,
                      const std::vector<std::shared_ptr<Child>>& children, std::uint64_t since,
                      std::chrono::milliseconds grace) {
  std::vector<Child::Hold> holds;
  std::vector<pid_t> leaders;
  for (const auto& child : children) {
    if (auto hold = child->hold()) {
      holds.push_back(std::move(*hold));
      leaders.push_back(child->pid());
    }
  }
  std::vector<pid_t> left;
  std::exception_ptr trouble;
  try {
    Tree tree(table, {pattern, leaders, since});
    if (!tree.terminate(Clock::now() + grace)) left = tree.kill(Clock::now() + kKillLimit);
  } catch (...) {
    trouble = std::current_exception();
  }
  if (trouble || !left.empty()) {
    for (const pid_t leader : leaders) table.send_to_group(leader, SIGKILL);
  }
  const auto deadline = Clock::now() + kKillLimit;
  holds.clear();
  for (const auto& child : children) {
    if (trouble || !left.empty()) child->signal(SIGKILL);
    child->wait_until(left.empty() ? deadline : Clock::now());
  }
  if (trouble) std::rethrow_exception(trouble);
  if (!left.empty()) fail_to_kill(pattern, left);
}

std::vector<MarkedProcess> list_marked(ProcessTable& table, const MarkPattern& pattern) {
  Tree tree(table, {pattern, {}, 0});
  std::vector<MarkedProcess> processes;
  for (const ProcessRow& row : tree.members()) {
    processes.push_back({row.pid, row.parent, row.alive(), table.command_line(row.pid)});
  }
  return processes;
}

}  // namespace sandproof::local
