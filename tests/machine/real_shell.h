// SPDX-License-Identifier: Apache-2.0
// A real shell, asked for its opinion of a script.
#pragma once

#include <string>
#include <vector>

namespace sandproof::machine {

struct ShellOpinion {
  int status = -1;    // -1: it could not be started, or was killed.
  std::string error;  // What it wrote to stderr, less the last newline.
};

/// Runs `argv` (found through PATH) to its end with nothing on its stdin and its stdout thrown
/// away.
ShellOpinion ask_shell(std::vector<std::string> argv);

/// Reads `script` without running it. The shell calls itself `sh`.
ShellOpinion ask_dash(const std::string& script);
ShellOpinion ask_busybox(const std::string& script);

}  // namespace sandproof::machine
