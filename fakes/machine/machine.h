// SPDX-License-Identifier: Apache-2.0
// A computer in memory, as its embedder sees it: boxes in which programs run, time that passes as
// the embedder says, and a journal. It does nothing by itself: step() gives one process one slice
// of time. The same seed and the same calls give the same journal. One thread uses it; no locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fakes/machine/box.h"
#include "fakes/machine/kernel.h"
#include "fakes/machine/launch.h"

namespace sandproof::machine {

struct MachineOptions {
  std::uint64_t seed = 1;
  /// How many entries of the journal are kept; its digest is over all.
  std::size_t journal_limit = 10000;
  /// The one table of programs. Borrowed.
  std::span<const ProgramRow> programs = {};
};

/// A process as /proc and ps show it.
struct ProcessInfo {
  Pid pid = 0;
  Pid parent = 0;
  Pid group = 0;
  Pid session = 0;
  Uid uid = 0;
  char state = 'S';  // See ProcessEntry::letter().
  Strings argv;      // Empty for a zombie.
  Nanoseconds born_at{0};
};

class Machine {
 public:
  /// The clock is borrowed.
  explicit Machine(Clock& clock, MachineOptions options = {});
  /// Ends all boxes.
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// Throws std::invalid_argument for limits below 1.
  Box& make_box(BoxOptions options = {});
  /// Kills all in it. Not within a step.
  void remove_box(Box& box);
  /// Null for one that was removed.
  Box* find_box(std::uint32_t id);
  std::size_t box_count() const { return boxes_.size(); }

  /// Makes a process in the box; it begins with the next steps. EAGAIN at the box's limit, what
  /// exec gives for the program, EMFILE for more files than the limit.
  Result<std::shared_ptr<const Launch>> start(Box& box, Start start);
  /// From outside, where PID 1 is not spared. ESRCH, EINVAL.
  Result<void> kill(Box& box, Pid pid, Signal signal);
  /// Kills all that came of what was started (Launch::family()), also what left its group, its
  /// session or its parent; they are dead on return. Not within a step.
  void kill_family(Box& box, std::uint64_t family);
  /// By pid.
  std::vector<ProcessInfo> processes(const Box& box) const;

  /// Gives a slice to one process, after what is due; false if there was nothing to do. Throws
  /// std::logic_error if a program awaits what nothing can resume.
  bool step() { return kernel_.step(); }
  /// Steps until there is nothing to do, or `most` are done; how many were. Waiting for time is
  /// nothing to do: see next_deadline().
  std::size_t run_until_idle(std::size_t most = std::size_t{10'000'000});
  /// When something will be to do without a call from outside; nothing if never.
  std::optional<Nanoseconds> next_deadline() const { return kernel_.timers().next_deadline(); }

  Clock& clock() { return kernel_.clock(); }
  /// For a volume of this machine: its st_dev.
  std::uint64_t next_volume_id() { return kernel_.next_volume_id(); }
  /// For a pipe that the embedder makes: what /proc shows, pipe:[id].
  std::uint64_t next_pipe_id() { return kernel_.next_id(); }
  const Journal& journal() { return kernel_.journal(); }
  /// Slices so far.
  std::uint64_t ticks() const { return kernel_.ticks(); }
  /// For devices and ids: numbers from the seed.
  Random& random() { return kernel_.numbers(); }

 private:
  Kernel kernel_;
  std::map<std::uint32_t, std::unique_ptr<Box>> boxes_;
  std::uint32_t last_box_ = 0;
};

}  // namespace sandproof::machine
