// SPDX-License-Identifier: Apache-2.0
// The processes of the box, as /proc shows them: for ps, top, pgrep, pkill and killall. One process
// uses it.
#pragma once

#include <string>
#include <vector>

#include "fakes/machine/program.h"

namespace sandproof::machine::programs {

struct ListedProcess {
  Pid pid = 0;
  Pid parent = 0;
  Pid group = 0;
  Pid session = 0;
  char state = 'S';
  Uid uid = 0;
  Gid gid = 0;
  int nice = 0;
  std::uint64_t memory_kilobytes = 0;
  std::uint64_t resident_kilobytes = 0;
  std::uint64_t started_ticks = 0;
  std::string name;       // As the kernel keeps it: at most 15 bytes.
  std::string arguments;  // With blanks between; "[name]" where there are none.
};

/// By pid; without those that end meanwhile. The error that /proc gives.
Task<Result<std::vector<ListedProcess>>> list_processes(Process& self);

}  // namespace sandproof::machine::programs
