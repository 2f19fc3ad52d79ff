// SPDX-License-Identifier: Apache-2.0
// The processes of this machine, as the tree kill sees them: an interface, so that a test can play
// a table in which pids are used again, and the one that reads /proc.
// Implementations need no lock of the caller; any thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flavors/local/descriptor.h"

namespace sandproof::local {

struct ProcessRow {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  pid_t session = 0;
  /// The letter of proc(5).
  char state = 'R';
  int threads = 1;
  /// A thread of the kernel; it has no environment.
  bool kernel = false;
  /// Clock ticks after the start of the system. Together with the pid it names a process for good.
  std::uint64_t start = 0;

  /// False for a zombie. A process whose first thread has ended while others run looks like one,
  /// but is alive.
  bool alive() const { return (state != 'Z' || threads > 1) && state != 'X' && state != 'x'; }
  /// By a signal, or by a debugger.
  bool stopped() const { return state == 'T' || state == 't'; }
};

/// The value of the mark in a process's environment.
struct MarkReading {
  std::string value;
  /// The process is just executing a program, and has no environment yet.
  bool unclear = false;
};

class ProcessTable {
 public:
  virtual ~ProcessTable() = default;

  /// One look at all of them. One that starts or ends meanwhile may be there or not.
  /// Throws std::system_error.
  virtual std::vector<ProcessRow> list() = 0;
  /// One of them; empty when there is none.
  virtual std::optional<ProcessRow> find(pid_t pid) = 0;
  virtual MarkReading mark(pid_t pid) = 0;
  /// The words joined by one space; the name in brackets for a process without any.
  virtual std::string command_line(pid_t pid) = 0;

  /// A handle to whichever process has this pid now; invalid, with errno, when there is none.
  virtual Descriptor open(pid_t pid) = 0;
  /// Sends to the process of the handle and to no other. False when it is gone (ESRCH) or may not
  /// be sent to (EPERM).
  virtual bool send(const Descriptor& process, int signal) = 0;
  /// Sends to all processes of a group in one step. The caller must hold the leader unreaped.
  virtual void send_to_group(pid_t leader, int signal) = 0;
  /// Returns when all have ended, or at the deadline.
  virtual void wait_ended(std::span<const Descriptor> processes,
                          std::chrono::steady_clock::time_point deadline) = 0;
};

/// The one that reads /proc.
std::shared_ptr<ProcessTable> system_process_table();

}  // namespace sandproof::local
