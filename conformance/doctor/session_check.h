// SPDX-License-Identifier: Apache-2.0
// The last precondition of every flavor: that it works at all. Values; any thread.
#pragma once

#include <span>
#include <string_view>

#include "sandproof/conformance/binding.h"

namespace sandproof::conformance {

/// Makes a sandbox and a session, and runs `sh` in it, which looks for the programs that the cases
/// run; then destroys it. `binding` must outlive it.
Precondition session_precondition(const Binding& binding, const std::string& component_id);

/// The programs that the commands of the cases are made of, besides what a shell has built in.
std::span<const std::string_view> programs_of_cases();

}  // namespace sandproof::conformance
