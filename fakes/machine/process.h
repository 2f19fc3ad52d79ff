// SPDX-License-Identifier: Apache-2.0
// An entry of the process table: what the kernel knows of a process. Programs see Process alone.
#pragma once

#include <coroutine>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "fakes/machine/program.h"
#include "fakes/machine/scheduler.h"
#include "fakes/machine/timers.h"
#include "fakes/machine/wait_queue.h"

namespace sandproof::machine {

class Kernel;
class Launch;

/// What exec() left to be done once the caller waits.
struct NextImage {
  ProcessBody main;
  std::string comm;
  NodePtr exe;
  std::shared_ptr<const Strings> argv;
  std::shared_ptr<const Strings> env;
};

enum class RunState : unsigned char {
  kReady,    // Wants time; in the scheduler, unless it is stopped.
  kRunning,  // Has it.
  kBlocked,  // Waits to be woken.
  kExiting,  // Its frames are being destroyed.
  kZombie,   // Waits to be reaped.
};

struct ProcessEntry {
  using Children = std::map<std::uint64_t, ProcessEntry*>;  // By serial: the oldest first.

  ProcessEntry(Kernel& kernel_of_it, Box& box_of_it, Pid its_pid, std::uint64_t its_serial)
      : kernel(kernel_of_it), box(box_of_it), pid(its_pid), serial(its_serial) {}

  bool alive() const { return state != RunState::kExiting && state != RunState::kZombie; }
  /// Whether it is on its way out of its frames: it is not to be resumed.
  bool leaving() const { return dying.has_value() || next_image != nullptr; }
  /// Its state as ps shows it: R ready or running, S waiting, T stopped, Z zombie.
  char letter() const {
    if (!alive()) return 'Z';
    if (stopped) return 'T';
    return state == RunState::kBlocked ? 'S' : 'R';
  }
  /// Handled, pending and not blocked.
  SignalSet takeable() const { return pending.both(handled).without(mask); }

  /// Of its box; null if that has none.
  FileSystem* files() const;

  Kernel& kernel;
  Box& box;
  Process face{*this};
  Pid pid;
  Pid group = 0;
  Pid session = 0;
  ProcessEntry* parent = nullptr;  // Null: outside of the box.
  std::uint64_t serial;            // In the order of birth, in the whole machine.
  std::uint64_t family = 0;        // The serial of the one that was started from outside.
  Nanoseconds born_at{0};
  bool has_execed = false;

  std::shared_ptr<const Credentials> credentials;
  std::shared_ptr<const Strings> argv;
  std::shared_ptr<const Strings> env;
  std::string comm;
  NodePtr exe;  // Null where a body runs, and in a box without a file system.
  unsigned umask = 022;
  NodePtr cwd;  // Null in a box without a file system.
  DescriptorTable descriptors;

  Children children;                 // All, also those that ended.
  Children waitable;                 // Those of which there is something to tell.
  WaitQueue changes;                 // The process itself, in wait_child.
  std::optional<WaitStatus> untold;  // To the parent: its last stop, continuation or end.

  SignalSet pending;
  SignalSet mask;
  SignalSet ignored;
  SignalSet handled;
  Timer alarm{*this, Timer::Kind::kAlarm};

  RunState state = RunState::kReady;
  bool stopped = false;
  int budget = 0;  // Calls that are left in its slice.
  std::uint64_t slices = 0;
  RoundPlace round_place;
  std::optional<WaitStatus> dying;  // Of itself, as soon as it waits.
  std::unique_ptr<NextImage> next_image;
  std::shared_ptr<Launch> launch;  // Only where it was started from outside.

  // The frames last: they refer to all of the above.
  ProcessBody body;
  Task<int> task;
  std::coroutine_handle<> resume_point;
};

}  // namespace sandproof::machine
