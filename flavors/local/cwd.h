// SPDX-License-Identifier: Apache-2.0
// The directory that a command starts in (EXEC-005, EXEC-010). Stateless; any thread.
#pragma once

#include <string>

#include "flavors/local/descriptor.h"

namespace sandproof::local {

/// Opens the directory `path`: relative to the directory `base` unless absolute, and `base` itself
/// for an empty path. Throws ExecError that names it: kBadCwd, or kNoResources.
Descriptor open_cwd(int base, const std::string& path);

}  // namespace sandproof::local
