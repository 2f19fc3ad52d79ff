// SPDX-License-Identifier: Apache-2.0
// Starts one command: a new session, default signals, three descriptors, and either a running
// program or the reason why there is none. Functions without state of their own; any thread,
// several at once.
//
// The child shares the memory of its parent until it executes (CLONE_VM), so that starting costs
// the same in a large process as in a small one; the calling thread stands still meanwhile
// (CLONE_VFORK). Needs Linux 5.11 (pidfds, close_range with CLOSE_RANGE_CLOEXEC).
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "flavors/local/descriptor.h"
#include "sandproof/command.h"

namespace sandproof::local {

/// What to start. Descriptors are borrowed, and stay as they are in this process.
struct LaunchSpec {
  /// Not empty; argv[0] arrives as given, and names the program (find_program()).
  std::vector<std::string> argv;
  /// All of it: nothing is added and nothing inherited.
  Environment env;
  /// The working directory, open (open_cwd()); `cwd_name` is what messages call it.
  int cwd = -1;
  std::string cwd_name;
  /// -1: /dev/null.
  int in = -1;
  int out = -1;
  int err = -1;
};

/// A started command. Its pid is a child of this process that nobody has waited for; the pidfd has
/// been opened together with it.
struct Launched {
  pid_t pid = -1;
  Descriptor pidfd;
};

/// Returns once the program has been executed. The child leads a session of its own, has an empty
/// signal mask and default dispositions, and inherits no descriptor but 0, 1 and 2.
/// Throws ExecError; there is no process then, not even a dead one.
Launched launch(const LaunchSpec& spec);

}  // namespace sandproof::local
