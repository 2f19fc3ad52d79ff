// SPDX-License-Identifier: Apache-2.0
// The kernel: makes processes, gives them time, delivers signals, and buries them. For the machine
// and the system calls; programs see Process alone. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "fakes/machine/box.h"
#include "fakes/machine/clock.h"
#include "fakes/machine/journal.h"
#include "fakes/machine/launch.h"
#include "fakes/machine/process.h"
#include "fakes/machine/scheduler.h"
#include "fakes/machine/timers.h"

namespace sandproof::machine {

/// Where a signal comes from, which matters to a PID 1 alone.
enum class Origin : unsigned char { kInside, kOutside };

class Kernel {
 public:
  /// Calls that a process may make before the next one gets its turn. Few enough that a spinning
  /// box costs another one microseconds, enough that switching costs little beside them.
  static constexpr int kSliceCalls = 64;

  /// Clock and programs are borrowed.
  Kernel(Clock& clock, std::uint64_t seed, std::size_t journal_limit,
         std::span<const ProgramRow> programs);
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  // Making (kernel.cc).

  /// As the box's PID 1 if it is empty. EAGAIN at its limit, what exec gives for the program,
  /// EMFILE for more files than the limit.
  Result<std::shared_ptr<const Launch>> start(Box& box, Start start);
  Result<Pid> fork(ProcessEntry& parent, ProcessBody body);
  /// By base name: a plugged one of the box, else one of the table.
  Result<ProcessBody> find_program(const Box& box, std::string_view path) const;
  /// The pipe of a FIFO, made where nobody has it open.
  std::shared_ptr<Pipe> fifo(Box& box, const Attributes& attributes);

  // Running (kernel.cc).

  /// One slice of one process, after the timers that are due; false if none was ready.
  bool step();
  bool idle() const { return scheduler_.empty(); }
  void wake(ProcessEntry& entry);
  /// It gave up its slice, or was stopped in it, and wants another one.
  void ready_again(ProcessEntry& entry);

  // Ending (kernel_exit.cc).

  /// At once, or, if it is the one that runs, as soon as it waits.
  void terminate(ProcessEntry& entry, WaitStatus status);
  /// Kills all in a box; its table is empty then. Not within a step.
  void end_box(Box& box);
  /// Takes a zombie out of the table.
  void release(ProcessEntry& entry);

  // Signals (kernel_signal.cc).

  void post_signal(ProcessEntry& entry, Signal signal, Origin origin);
  /// Does what pending signals that are no longer blocked ask for.
  void act_on_signals(ProcessEntry& entry);

  Clock& clock() { return clock_; }
  TimerQueue& timers() { return timers_; }
  const TimerQueue& timers() const { return timers_; }
  Journal& journal() { return journal_; }
  Random& numbers() { return numbers_; }
  std::uint64_t ticks() const { return tick_; }
  std::uint64_t next_id() { return ++last_id_; }
  std::uint64_t next_volume_id() { return ++last_volume_; }
  void note(const ProcessEntry& entry, JournalEntry::Event event, int value = 0);

 private:
  Result<ProcessEntry*> make_entry(Box& box, ProcessEntry* parent);
  Result<void> prepare(ProcessEntry& entry, Start& start);
  void begin(ProcessEntry& entry, ProcessBody body);
  void run_slice(ProcessEntry& entry);
  void after_slice(ProcessEntry& entry);
  void replace_image(ProcessEntry& entry);
  void fire_due_timers();

  void finish(ProcessEntry& entry, WaitStatus status);
  void kill_all_but_init(Box& box);
  void give_children_to_init(ProcessEntry& entry);
  void tell_parent(ProcessEntry& entry, WaitStatus change);
  void tell_of_end(ProcessEntry& entry);

  void do_default(ProcessEntry& entry, Signal signal);
  void stop(ProcessEntry& entry, Signal signal);
  void resume_stopped(ProcessEntry& entry);
  bool is_orphaned(const Box& box, Pid group) const;
  /// A group that lost its last parent in the session and has a stopped member is hung up.
  void hang_up_if_orphaned(Box& box, Pid group);

  Clock& clock_;
  std::span<const ProgramRow> programs_;
  Scheduler scheduler_;
  Random numbers_;
  TimerQueue timers_;
  Journal journal_;
  ProcessEntry* current_ = nullptr;
  std::uint64_t tick_ = 0;
  std::uint64_t last_serial_ = 0;
  std::uint64_t last_id_ = 0;
  std::uint64_t last_volume_ = 0;
};

}  // namespace sandproof::machine
