// SPDX-License-Identifier: Apache-2.0
// Starts this very program again, whatever has become of its file since. Stateless; any thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace sandproof::conformance::runner {

struct SelfSpawn {
  /// Without argv[0].
  std::vector<std::string> arguments;
  /// What become descriptors 0, 1 and 2.
  int input = -1;
  int output = -1;
  int error = -1;
  /// What become descriptors 3, 4, 5 …; all others of this process have to be close-on-exec.
  std::vector<int> handed = {};
  /// The child leads a session, and so a process group, of its own.
  bool own_session = false;
};

/// The child starts with default signal dispositions and an empty mask. Returns its pid; throws
/// RunnerError.
pid_t spawn_self(const SelfSpawn& spawn);

}  // namespace sandproof::conformance::runner
