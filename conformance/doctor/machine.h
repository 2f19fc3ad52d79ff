// SPDX-License-Identifier: Apache-2.0
// What the runner and the cases need of the machine, whatever the flavor. Values; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "sandproof/conformance/precondition.h"

namespace sandproof::conformance {

/// What the checks are measured by. The defaults are those of `doctor`.
struct MachineNeeds {
  std::filesystem::path temporary;
  std::filesystem::path proc = "/proc";
  /// The largest file that a case moves is 256 MiB, and it lies there twice.
  std::uint64_t least_space = std::uint64_t{512} << 20;
  /// Several such cases at once, and 1 GiB of output that nobody reads.
  std::uint64_t wanted_space = std::uint64_t{4} << 30;
  /// Below this not even one case has its pipes; a case opens 1100 files, and asks for twice as
  /// many.
  std::uint64_t least_descriptors = 128;
  std::uint64_t wanted_descriptors = 2200;
  /// A runner, a worker and a command; 64 sessions with a command each, and a case beside it.
  int least_processes = 16;
  int wanted_processes = 200;
};

/// Those of machine_preconditions() without which no case can run at all; quick to look at, since
/// what is merely wanted is not asked for.
std::vector<Precondition> runner_preconditions(MachineNeeds needs);

std::vector<Precondition> machine_preconditions(const MachineNeeds& needs);

}  // namespace sandproof::conformance
