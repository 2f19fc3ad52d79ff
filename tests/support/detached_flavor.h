// SPDX-License-Identifier: Apache-2.0
// The test-only flavor `detached`: an environment is a directory, commands are real processes that
// outlive the handle, sessions are attached to by id, snapshots are copies. It claims every
// capability, so that every case of the suite runs on real processes. It is no isolation and no
// example of speed.
#pragma once

#include <memory>

#include "sandproof/flavor.h"

namespace sandproof::detached {

/// The row for a FlavorTable. Its setting `base_dir` is where environments and snapshots live.
Flavor detached_flavor();

/// Stops an environment without destroying it: its processes are killed, attach refuses it. For
/// fault injection. Throws NotFoundError.
void stop_environment(const std::string& base_dir, const std::string& component_id,
                      const std::string& session_id);

}  // namespace sandproof::detached
