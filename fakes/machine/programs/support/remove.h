// SPDX-License-Identifier: Apache-2.0
// Taking files away, with what is below them: of rm, and of mv between volumes.
#pragma once

#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {

struct RemoveOptions {
  bool recursive = false;
  bool force = false;  // What is not there is no failure; nothing is asked.
  bool ask = false;
  bool verbose = false;
};

/// Failures are told by the tool, and are its status.
Task<void> remove_path(Tool& tool, std::string path, RemoveOptions options);

}  // namespace sandproof::machine::programs
