// SPDX-License-Identifier: Apache-2.0
// Modes of files as texts: what chmod reads, what ls shows. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fakes/machine/vfs/attributes.h"

namespace sandproof::machine::programs {

struct ModeBase {
  unsigned mode = 0;  // The bits that it has now.
  bool is_directory = false;
  unsigned umask = 0;
};

/// Octal digits or clauses of chmod(1): the new bits, nothing where the text is no mode.
std::optional<unsigned> changed_mode(std::string_view text, ModeBase base);
/// "drwxr-xr-x".
std::string mode_text(FileType type, unsigned mode);
/// The bits of the type, as st_mode has them.
unsigned type_bits(FileType type);

}  // namespace sandproof::machine::programs
