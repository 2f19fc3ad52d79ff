// SPDX-License-Identifier: Apache-2.0
// The processes of this machine as /proc shows them, and how a tree of them is ended for good.
//
// A process is signalled through its pidfd after its start time was compared, so that a pid that
// was used again is never hit. Stateless; any thread, but see end_processes().
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace sandproof::conformance::runner {

struct ProcessInfo {
  pid_t pid = 0;
  pid_t parent = 0;
  /// 'R', 'S', 'T', 'Z' … as in /proc/<pid>/stat.
  char state = '?';
  /// Clock ticks after boot; with the pid, it names a process for good.
  unsigned long long start = 0;

  bool alive() const { return state != 'Z' && state != 'X'; }
};

/// Every process, in no order. Throws RunnerError when /proc cannot be read.
std::vector<ProcessInfo> process_table();

/// Those below `root`, without `root` itself, zombies included.
std::vector<ProcessInfo> descendants_of(pid_t root, const std::vector<ProcessInfo>& table);

/// The words of a command line joined by one space, cut at 200 bytes; "[name]" where it has none.
std::string command_line(pid_t pid);

/// Freezes, then kills, whatever `find` returns (zombies are ignored), in passes, until it finds
/// nothing alive or `bound` is over. `reap` is called in between: whose children they are has to
/// wait for them. Returns those still alive at the end: normally none (a process in the kernel's
/// uninterruptible sleep, or of a user who may not be signalled).
std::vector<ProcessInfo> end_processes(const std::function<std::vector<ProcessInfo>()>& find,
                                       const std::function<void()>& reap,
                                       std::chrono::milliseconds bound);

/// Waits until none of `processes` is alive, at most `bound`. Returns those that are.
std::vector<ProcessInfo> wait_until_gone(const std::vector<ProcessInfo>& processes,
                                         std::chrono::milliseconds bound);

}  // namespace sandproof::conformance::runner
