// SPDX-License-Identifier: Apache-2.0
// A box: an environment with pids, limits and a PID 1 of its own. When its PID 1 ends, all in it
// are killed, as in a pid namespace; what is started next in it is PID 1 again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "fakes/machine/pipe.h"
#include "fakes/machine/process.h"
#include "fakes/machine/scheduler.h"

namespace sandproof::machine {

class PluggedPrograms;
class ProcVolume;

/// What PID 1 is.
enum class Init : unsigned char {
  kFirst,   // What is started first.
  kReaps,   // A small init, which reaps orphans for ever; it ends by SIGTERM or SIGINT.
  kSleeps,  // Like `sleep infinity`: it reaps nobody, so that orphans stay zombies.
};

struct BoxOptions {
  std::string hostname = "box";
  Init init = Init::kFirst;
  /// None: calls on paths give ENOSYS, and programs are found by their base names.
  std::shared_ptr<FileSystem> files = nullptr;
  /// Shows its processes where `files` has it mounted; of one box alone.
  std::shared_ptr<ProcVolume> proc = nullptr;
  /// Programs of this box.
  std::shared_ptr<const PluggedPrograms> plugged = nullptr;
  /// With zombies, as the pids controller of Linux counts.
  std::size_t process_limit = 4096;
  int file_limit = DescriptorTable::kDefaultLimit;
  std::size_t pipe_capacity = kPipeCapacity;
  /// Where pids begin anew. Linux's on 64 bits.
  Pid pid_max = 4194304;
};

class Box {
 public:
  static constexpr Pid kInitPid = 1;
  using Table = std::map<Pid, std::unique_ptr<ProcessEntry>>;

  Box(std::uint32_t id, BoxOptions options) : id_(id), options_(std::move(options)) {}
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;

  /// In the machine; never used twice in it.
  std::uint32_t id() const { return id_; }
  const BoxOptions& options() const { return options_; }
  const Table& table() const { return table_; }
  /// Null if there is none. A zombie is one.
  ProcessEntry* find(Pid pid) const;
  ProcessEntry* init() const { return find(kInitPid); }

  /// How many were made in it so far, and the pid of the last one.
  std::uint64_t born() const { return born_; }
  Pid last_pid() const { return last_pid_; }

  // For the kernel.

  bool full() const { return table_.size() >= options_.process_limit; }
  /// A free one, of which no group or session has the number; EAGAIN if there is none.
  Result<Pid> next_pid();
  ProcessEntry& insert(std::unique_ptr<ProcessEntry> entry);
  void erase(Pid pid);
  void set_group(ProcessEntry& entry, Pid group);
  void set_session(ProcessEntry& entry, Pid session);

  Rounds<ProcessEntry> ready;
  RoundPlace round_place;
  /// The pipes of its FIFOs, by volume and number of the file, as long as somebody has one open.
  std::map<std::pair<std::uint64_t, Ino>, std::weak_ptr<Pipe>> fifos;
  std::size_t stopped_count = 0;  // So that the ends of processes need no look for stopped groups.
  bool ending = false;            // Its PID 1 has ended, and all others are being killed.

 private:
  void hold(Pid number, int by);

  std::uint32_t id_;
  BoxOptions options_;
  Pid last_pid_ = 0;
  std::uint64_t born_ = 0;
  Table table_;
  std::map<Pid, int>
      holds_;  // How many processes are in the group, and in the session, of a number.
};

}  // namespace sandproof::machine
