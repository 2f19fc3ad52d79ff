// SPDX-License-Identifier: Apache-2.0
// Whether bindings say all that they have to say, before anything runs with them. Pure; any thread.
#pragma once

#include "conformance/runner/suite.h"

namespace sandproof::conformance {

/// Throws ProgramError (kUsage) for the first thing that is wrong: one sentence that names the
/// binding and says what to write.
void check_bindings(const Suite& suite);

}  // namespace sandproof::conformance
