// SPDX-License-Identifier: Apache-2.0
// The flavor `local`: commands are ordinary processes of this machine, in a directory of their
// own. It gives no isolation: a command can do what the user of this program can do.
//
// What it is made of: launcher (starts a command), child (reaps it), tree (ends it with all that it
// started), workdir and transfer (files), environment; local_process and local_session put them
// together. Needs Linux 5.11 and /proc.
#pragma once

#include "sandproof/flavor.h"

namespace sandproof::local {

/// The row for a FlavorTable.
Flavor local_flavor();

}  // namespace sandproof::local
