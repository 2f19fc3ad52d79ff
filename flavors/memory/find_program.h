// SPDX-License-Identifier: Apache-2.0
// The directory and the program of a command, as execvp(3) would find them. In the machine's
// thread.
#pragma once

#include <string>

#include "flavors/memory/world.h"

namespace sandproof::memory {

/// At which step a start failed, and on what.
struct StartTrouble {
  enum class Step : unsigned char { kNone, kCwd, kProgram, kStart };
  Step step = Step::kNone;
  machine::Errno error = machine::Errno::kOk;
  std::string what = {};
};

struct ProgramPlace {
  std::string cwd;   // Absolute.
  std::string path;  // Of a regular file that the environment's user may execute.
};

/// `cwd` as in ExecRequest; `env` is the command's own, whose PATH counts for a name without a
/// slash.
StartTrouble find_program(machine::Machine& machine, const Box& box, const ExecRequest& request,
                          const Environment& env, ProgramPlace& place);

}  // namespace sandproof::memory
