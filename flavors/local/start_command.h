// SPDX-License-Identifier: Apache-2.0
// Starts a command of a session: its pipes, its mark, its child process, and the session's
// knowledge of it. A function over what the session shares; any thread.
#pragma once

#include <memory>
#include <string>

#include "flavors/local/children.h"
#include "flavors/local/mark.h"
#include "flavors/local/process_table.h"
#include "sandproof/hooks.h"

namespace sandproof::local {

/// Where a command runs.
struct Place {
  std::shared_ptr<ProcessTable> table;
  std::shared_ptr<Children> children;
  /// The session's working directory: open (borrowed), and what messages call it.
  int workdir = -1;
  std::string workdir_name;
};

/// `env` is the whole environment but for the mark. `ticket` comes from `place.children`. Throws
/// ExecError, and SessionClosedError when close() did not wait for the command any more; there is
/// no process then.
std::unique_ptr<ProcessHooks> start_command(const Place& place, const ExecRequest& request,
                                            const Environment& env, const Mark& mark,
                                            Children::Start ticket);

}  // namespace sandproof::local
