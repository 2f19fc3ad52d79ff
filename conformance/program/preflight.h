// SPDX-License-Identifier: Apache-2.0
// Before a run: can each flavor be made at all? Found out in a child process, since what a flavor
// starts (threads, connections) must not be in the runner's process, and since it may crash.
#pragma once

#include <string>

#include "conformance/program/flavor_options.h"

namespace sandproof::conformance {

/// Makes a sandbox of the flavor and throws it away. Throws ProgramError: kUsage where its settings
/// are refused, kEnvironment where it cannot start for another reason, or not within half a minute.
/// To be called while the process has one thread. `program` is how its `doctor` is called.
void check_starts(const ConfiguredFlavor& configured, const std::string& program);

}  // namespace sandproof::conformance
