// SPDX-License-Identifier: Apache-2.0
// What `tar c` does. One process uses it.
#pragma once

#include "fakes/machine/programs/support/archive.h"
#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {

struct TarPackOptions {
  Compression compression = Compression::kNone;
  bool follow = false;
  bool recursive = true;
  bool numeric_owner = false;
  bool verbose = false;
  std::string folder;  // Where the files are; the working directory where it is empty.
  int out = 1;
};

/// Failures are told by the tool, and are its status.
Task<void> pack_files(Tool& tool, TarPackOptions options, Strings paths);

}  // namespace sandproof::machine::programs
