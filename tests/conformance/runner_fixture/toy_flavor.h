// SPDX-License-Identifier: Apache-2.0
// A flavor of a few lines for the runner's tests: environments are entries of a set in memory,
// commands are made up. Real processes, where a test wants them, are started by the case bodies.
#pragma once

#include <string>
#include <vector>

#include "sandproof/flavor.h"

namespace sandproof::conformance::fixture {

/// `claims` may hold attach and outlives; nothing else is there. Commands: `echo WORD`, whose
/// output is that word; `hang PROMPT`, which prints it and then runs until it is killed; any other
/// exits with 1. Where the flavor itself does not come back, ever: `stuck-in-exec`, `stuck-in-read`
/// (reading the output of this command) and `stuck-in-close` (closing the session that ran it).
Flavor toy_flavor(const std::string& name, Capabilities claims);

/// From now on, creating a session does not come back.
void stick_in_create();

/// The environments of a component that were not destroyed; "leak:<name>" entries stay for ever.
std::vector<std::string> toy_census(const std::string& component);
void toy_leak(const std::string& component, const std::string& name);

}  // namespace sandproof::conformance::fixture
