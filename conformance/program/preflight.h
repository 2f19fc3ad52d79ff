// SPDX-License-Identifier: Apache-2.0
// Before a run: is this machine ready, can each flavor be made, and does it give a session at all?
// What a flavor starts (threads, connections) must not be in the runner's process, and it may
// crash: so all of it is tried in child processes. To be called while the process has one thread.
//
// The line between an environment that is not ready and a flavor that is wrong: a session that
// cannot be made for a reason that the flavor itself gives (an error of the contract, or another
// std::runtime_error), twice in a row, is the environment's fault; a std::logic_error, a crash, a
// hang and whatever only happens now and then are the flavor's, and its cases tell of them.
#pragma once

#include <string>
#include <vector>

#include "conformance/program/flavor_options.h"

namespace sandproof::conformance {

/// Throws ProgramError (kEnvironment) that names the first thing that the runner itself needs with
/// so many jobs and does not have here. `program` is how its `doctor` is called.
void check_machine_ready(const std::vector<ConfiguredFlavor>& flavors, int jobs,
                         const std::string& program);

/// Makes a sandbox of the flavor and throws it away. Throws ProgramError: kUsage where its settings
/// are refused, kEnvironment where it cannot start for another reason, or not within half a minute.
void check_starts(const ConfiguredFlavor& configured, const std::string& program);

/// Makes a session, too, and destroys it; at most two attempts. Throws ProgramError (kEnvironment,
/// kUsage) by the line that is drawn above. Bounded by three quarters of a minute, scaled.
void check_gives_session(const ConfiguredFlavor& configured, const std::string& program,
                         double time_scale);

}  // namespace sandproof::conformance
