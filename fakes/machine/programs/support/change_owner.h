// SPDX-License-Identifier: Apache-2.0
// What chown and chgrp share: files, with what is below them, get another owner. One process uses
// it.
#pragma once

#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {

/// With the options -RhLHPcvf, whose operands behind the first are the files; the tool's status
/// tells of failures.
Task<void> change_owners(Tool& tool, const Options& options, NewOwner owner);

}  // namespace sandproof::machine::programs
