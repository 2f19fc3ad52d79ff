// SPDX-License-Identifier: Apache-2.0
// What `tar x` and `tar t` do. One process uses it.
#pragma once

#include "fakes/machine/programs/support/archive.h"
#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {

struct TarUnpackOptions {
  bool list = false;
  bool verbose = false;
  bool to_stdout = false;
  bool keep_existing = false;
  bool keep_times = true;
  bool keep_owners = true;
  bool keep_modes = true;
  bool numeric_owner = false;
  std::uint64_t strip = 0;  // Components of each name.
  std::string folder;       // Where to; the working directory where it is empty.
};

/// The members that `names` name, or all. Failures are told by the tool, and are its status.
Task<void> unpack_files(Tool& tool, TarUnpackOptions options, std::string_view archive,
                        Strings names);

}  // namespace sandproof::machine::programs
