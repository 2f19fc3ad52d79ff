// SPDX-License-Identifier: Apache-2.0
// Ends trees of processes: a command with everything that it started, directly or not.
//
// A process belongs to a tree if it is in the group or session of a leader that has not been
// reaped, if a process of the tree is its parent, or if it carries the tree's mark. Not reached is
// what has done all of: left its session, lost its parent, and changed its environment.
//
// A tree is frozen before it is killed, since what runs can start more: SIGSTOP to all that is
// found, in passes, until a pass finds nothing new; then SIGKILL, in passes, until nothing is
// alive. Every signal goes through a pidfd that was opened before the identity of the process was
// checked again, so that no process with a reused pid gets one. Zombies count as dead.
//
// Functions, and a class for one thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "flavors/local/child.h"
#include "flavors/local/mark.h"
#include "flavors/local/process_table.h"
#include "sandproof/sanitized.h"

namespace sandproof::local {

/// How long the killing of a tree may take, after any grace: the kernel needs milliseconds; what
/// takes longer is stuck in it, or creates processes faster than they can be found. With a
/// sanitizer, reading the table of processes takes several times as long.
inline constexpr std::chrono::milliseconds kKillLimit{kSanitized ? 6000 : 1500};

/// What a tree is.
struct TreeScope {
  MarkPattern pattern;
  /// Leaders of sessions that were started by this program and are held unreaped by the caller.
  std::vector<pid_t> leaders;
  /// Processes that started before this (ProcessRow::start) carry no mark of the tree. 0: any may.
  std::uint64_t since = 0;
};

/// A process that was found.
struct MarkedProcess {
  pid_t pid = 0;
  pid_t parent = 0;
  /// False for a zombie.
  bool alive = true;
  std::string command;
};

class Tree {
 public:
  /// Borrows `table`.
  Tree(ProcessTable& table, TreeScope scope);

  /// SIGTERM (and SIGCONT, so that a stopped process can heed it) to each process of the tree once,
  /// those included that start meanwhile. Returns true as soon as none is alive, false at the
  /// deadline. Throws std::system_error without /proc.
  bool terminate(std::chrono::steady_clock::time_point deadline);

  /// Freezes and kills; the leaders last, so that whoever sees the end of a leader sees the end of
  /// its tree. Returns the pids that are alive at the deadline: none as a rule.
  /// Throws std::system_error without /proc.
  std::vector<pid_t> kill(std::chrono::steady_clock::time_point deadline);

  /// The processes that are of the tree now, leaders and zombies included.
  std::vector<ProcessRow> members();

 private:
  struct Known {
    std::uint64_t start = 0;
    bool terminated = false;
    int looks_in_kernel = 0;
  };

  void scan();
  bool is_unclear();
  void adopt_children(const std::vector<ProcessRow>& rows);
  bool adopt(const ProcessRow& row);
  bool is_leader(pid_t pid) const { return leaders_.contains(pid); }
  void freeze(std::chrono::steady_clock::time_point deadline);
  bool stands_still();
  void sweep(bool with_leaders, std::chrono::steady_clock::time_point deadline);
  std::vector<ProcessRow> living(bool with_leaders) const;
  Descriptor open_again(const ProcessRow& row);
  bool send(const ProcessRow& row, int signal);

  ProcessTable& table_;
  const MarkPattern pattern_;
  const std::unordered_set<pid_t> leaders_;
  const std::uint64_t since_;
  /// Everything ever found, by pid.
  std::unordered_map<pid_t, Known> known_;
  /// What the last scan found.
  std::vector<ProcessRow> found_;
  bool found_new_ = false;
  /// The last scan met a process that is executing a program; since when each scan has.
  bool unclear_ = false;
  std::optional<std::chrono::steady_clock::time_point> unclear_since_;
};

/// Kills the tree of one command: nothing where the command has ended. Throws BackendError when
/// something of it is alive after kKillLimit; the command itself has been sent SIGKILL in any case.
void kill_exec(ProcessTable& table, Child& child, const Mark& mark);

/// Ends everything of the pattern, all at once: TERM, one grace, KILL. `children` are those of its
/// commands that the caller still has; they are reaped. Throws BackendError as kill_exec().
void terminate_marked(ProcessTable& table, const MarkPattern& pattern,
                      const std::vector<std::shared_ptr<Child>>& children, std::uint64_t since,
                      std::chrono::milliseconds grace);

/// What a probe sees: the processes that carry a mark of the pattern, and their descendants.
std::vector<MarkedProcess> list_marked(ProcessTable& table, const MarkPattern& pattern);

}  // namespace sandproof::local
