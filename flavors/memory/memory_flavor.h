// SPDX-License-Identifier: Apache-2.0
// The flavor `memory`: commands are processes of a machine in the memory of this program. Nothing
// is installed, nothing of the host is touched; thousands of environments cost little. They outlive
// their handles, and end with the program.
//
// What it is made of: world (the machine, environments, snapshots), find_program and start_failure
// (starting), box_file, host_file and transfer (files); memory_process, memory_session and the row
// here put them together.
#pragma once

#include <memory>

#include "flavors/memory/world.h"
#include "sandproof/flavor.h"

namespace sandproof::memory {

/// The row for a FlavorTable. Components with the same id over one world are one component. The
/// machine begins to run with the first session.
Flavor memory_flavor(std::shared_ptr<World> world);

}  // namespace sandproof::memory
