// SPDX-License-Identifier: Apache-2.0
// Limits, and the ends of processes (supervisor.h).
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "conformance/runner/remove_tree.h"
#include "conformance/runner/supervisor.h"

namespace sandproof::conformance::runner {
namespace {

using std::chrono::milliseconds;

// No progress: the wait board's counter (verbs begun, bytes seen) and the count of assertions stand
// still, and some verb has been open for as long. Never less than this, since a command may be
// quiet for a while by right (the longest such wait of the suite is a drain grace behind an
// operation's deadline of a few seconds), and never less than half of the case's limit, which its
// author has set in knowledge of its waits. So it cuts the long limits short; for the short ones
// the limit itself comes first.
constexpr milliseconds kLeastNoProgress{15'000};
// How often the counters are looked at; a limit is kept this exactly.
constexpr milliseconds kLook{250};
// Processes that were killed by the case itself may be on their way out.
constexpr milliseconds kSettle{500};
// Killing is instant but for a process in uninterruptible sleep, which nobody can end.
constexpr milliseconds kEndBound{10'000};
// The most that a dead worker's pipes can still hold is a pipe's capacity each, 1 MiB at most.
constexpr std::size_t kRest = std::size_t{1} << 20;
constexpr std::size_t kShownLeftovers = 20;

milliseconds no_progress_limit(const Unit& unit, double time_scale) {
  return std::max(std::chrono::duration_cast<milliseconds>(kLeastNoProgress * time_scale),
                  unit.limit / 2);
}

bool waits_for(const SharedBlock& block, milliseconds bound) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const std::vector<WaitRecord> records = read_wait_board(block.board);
  return std::any_of(records.begin(), records.end(), [&](const WaitRecord& record) {
    return now - std::chrono::nanoseconds(record.since_ns) >= bound;
  });
}

std::vector<std::string> described(const std::vector<ProcessInfo>& processes) {
  std::vector<std::string> items;
  for (const ProcessInfo& process : processes) {
    if (items.size() == kShownLeftovers) {
      items.push_back("and " + std::to_string(processes.size() - kShownLeftovers) +
                      " more processes");
      break;
    }
    items.push_back("process " + std::to_string(process.pid) + ": " + command_line(process.pid));
  }
  return items;
}

}  // namespace

int Supervisor::time_to_next_limit() const {
  const auto now = Clock::now();
  Clock::duration left = std::chrono::hours(1);
  for (const WorkerHandle& worker : workers_) {
    if (worker.active) {
      left = std::min(left, worker.active->started + worker.active->unit.limit - now);
      if (no_progress_limit(worker.active->unit, options_.time_scale) < worker.active->unit.limit) {
        left = std::min<Clock::duration>(left, kLook);
      }
    } else if (worker.asked_to_end()) {
      left = std::min(left, worker.end_deadline - now);
    }
  }
  return poll_timeout(left);
}

void Supervisor::check_limits() {
  const auto now = Clock::now();
  for (auto worker = workers_.begin(); worker != workers_.end();) {
    const auto current = worker++;
    const bool was_active = current->active.has_value();
    if (was_active) {
      check_limit(*current, now);
      if (current->active) continue;
    } else if (!current->asked_to_end() || now < current->end_deadline) {
      continue;
    }
    end_tree(*current);
    end_worker(current);
  }
}

void Supervisor::check_limit(WorkerHandle& worker, Clock::time_point now) {
  ActiveUnit& active = *worker.active;
  if (now - active.started >= active.unit.limit) return on_timeout(worker, "limit");
  const SharedBlock& block = worker.block();
  const std::uint64_t progress = block.board.progress + block.assertions;
  if (progress != active.progress) {
    active.progress = progress;
    active.progressed = now;
    return;
  }
  const milliseconds bound = no_progress_limit(active.unit, options_.time_scale);
  if (now - active.progressed >= bound && waits_for(block, bound)) {
    on_timeout(worker, "no_progress");
  }
}

void Supervisor::end_tree(WorkerHandle& worker) {
  if (!worker.keeper_reaped()) {
    const auto below = [&]() -> std::vector<ProcessInfo> {
      if (worker.keeper_reaped()) return {};
      return descendants_of(worker.keeper(), process_table());
    };
    end_processes(
        below, [this] { reap(); }, kEndBound);
  }
  if (!worker.end_status()) worker.await_status(kSettle);
  if (worker.keeper_reaped()) return;
  ::kill(worker.keeper(), SIGKILL);  // Ours and not reaped: no stranger can have the number.
  while (::waitpid(worker.keeper(), nullptr, 0) < 0 && errno == EINTR) {
  }
  worker.set_keeper_reaped();
}

void Supervisor::end_worker(Workers::iterator worker) {
  worker->read_events(kRest, [&](std::string_view line) { on_line(*worker, line); });
  worker->read_output(kRest);
  worker->read_status();
  if (worker->active) on_crash(*worker);
  end_tree(*worker);
  worker->read_output(kRest);
  nlohmann::json event{{"worker", worker->number()},
                       {"status", worker->end_status().value_or("lost(it would not end)")}};
  if (!worker->ended_well()) {
    if (const std::string tail = worker->tail().text(); !tail.empty()) event["stderr"] = tail;
  }
  log_.append("worker_ended", std::move(event));
  // What cannot be removed now is tried again, and complained about, with the run's directory.
  (void)remove_tree(worker->directory());
  --schedule_.lot(worker->lot()).workers;
  workers_.erase(worker);
  end_strays();
}

std::vector<std::string> Supervisor::end_leftovers(WorkerHandle& worker) {
  const auto left = [&]() -> std::vector<ProcessInfo> {
    if (worker.keeper_reaped()) return {};
    std::vector<ProcessInfo> below = descendants_of(worker.keeper(), process_table());
    std::erase_if(below, [&](const ProcessInfo& process) {
      return process.pid == worker.pid() || !process.alive();
    });
    return below;
  };
  const std::vector<ProcessInfo> found = left();
  if (found.empty()) return {};
  const std::vector<ProcessInfo> stayed = wait_until_gone(found, kSettle);
  if (stayed.empty()) return {};
  std::vector<std::string> items = described(stayed);
  for (const ProcessInfo& process : end_processes(
           left, [this] { reap(); }, kEndBound)) {
    items.push_back("process " + std::to_string(process.pid) + " could not be ended");
  }
  return items;
}

// Children that are no keepers: what was orphaned below a keeper that somebody has killed.
std::vector<ProcessInfo> Supervisor::strays() const {
  const std::vector<ProcessInfo> table = process_table();
  std::unordered_set<pid_t> keepers;
  for (const WorkerHandle& worker : workers_) keepers.insert(worker.keeper());
  std::vector<ProcessInfo> found;
  for (const ProcessInfo& process : table) {
    if (process.parent != ::getpid() || keepers.contains(process.pid)) continue;
    found.push_back(process);
    for (const ProcessInfo& below : descendants_of(process.pid, table)) found.push_back(below);
  }
  return found;
}

void Supervisor::end_strays() {
  end_processes([this] { return strays(); }, [this] { reap(); }, kEndBound);
}

void Supervisor::reap() {
  while (true) {
    const pid_t pid = ::waitpid(-1, nullptr, WNOHANG);
    if (pid <= 0) return;
    for (WorkerHandle& worker : workers_) {
      if (worker.keeper() == pid) worker.set_keeper_reaped();
    }
  }
}

void Supervisor::abandon_workers() {
  while (!workers_.empty()) {
    const auto worker = workers_.begin();
    worker->active.reset();
    end_tree(*worker);
    end_worker(worker);
  }
}

void Supervisor::end_everything() noexcept {
  try {
    const auto below = [] { return descendants_of(::getpid(), process_table()); };
    end_processes(
        below, [this] { reap(); }, kEndBound);
    reap();
    workers_.clear();
  } catch (const std::exception&) {
    // Without /proc or memory the guard, which looks again, is the one that is left.
  }
}

}  // namespace sandproof::conformance::runner
