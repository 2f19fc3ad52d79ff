// SPDX-License-Identifier: Apache-2.0
// Programs that run other programs: finding them along PATH, running them, waiting. One process
// uses it.
#pragma once

#include <memory>

#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {

/// As execvp(3), with the PATH of `env`: comes back only to say why not. A file that is no
/// executable but may be executed is given to /bin/sh.
Task<Errno> exec_found(Process& self, Strings argv, Strings env);

/// The program becomes the command, with its own environment unless one is given; otherwise
/// "NAME: can't execute 'x': …", and the status 127 where it was not found, 126 for another reason.
Task<int> become(Tool& tool, Strings argv);
Task<int> become(Tool& tool, Strings argv, Strings env);

/// A child that runs the command. `failure` is set when the child has ended without having become
/// it.
struct Child {
  Pid pid = 0;
  std::shared_ptr<Errno> failure = std::make_shared<Errno>(Errno::kOk);
};
Result<Child> start_command(Process& self, Strings argv);

struct CommandEnd {
  Errno failure = Errno::kOk;  // It was not run.
  WaitStatus status = WaitStatus::exited(0);
};
/// Starts it and waits for its end.
Task<CommandEnd> run_command(Process& self, Strings argv);
Task<Result<ChildChange>> wait_for(Process& self, Pid pid);

}  // namespace sandproof::machine::programs
