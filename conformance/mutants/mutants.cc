// SPDX-License-Identifier: Apache-2.0
// The one list of mutants, area by area.
#include "conformance/mutants/areas.h"

namespace sandproof::conformance {

const std::vector<Mutant>& all_mutants() {
  static const std::vector<Mutant> kMutants = [] {
    std::vector<Mutant> mutants;
    for (const auto area :
         {cap_mutants, cap_unclaimed_mutants, session_mutants, close_mutants, destroy_mutants,
          attach_mutants, exec_mutants, env_mutants, stream_mutants, collect_mutants, wait_mutants,
          kill_mutants, file_mutants, snap_mutants, set_mutants, log_mutants, meta_mutants,
          leak_mutants, runner_mutants}) {
      for (Mutant& row : area()) mutants.push_back(std::move(row));
    }
    return mutants;
  }();
  return kMutants;
}

}  // namespace sandproof::conformance
