// SPDX-License-Identifier: Apache-2.0
// What the bindings of flavors that run processes of this machine look at: the processes that carry
// the flavor's mark, and those that came from them. Reads /proc; any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "flavors/local/mark.h"
#include "sandproof/conformance/probe.h"

namespace sandproof::apps {

/// Every process whose mark satisfies `wanted`, with its descendants and whoever shares a session
/// (setsid(2)) with one: a command that clears its environment has no mark, and a zombie none that
/// can be read. Throws std::system_error.
std::vector<conformance::ProcessEntry> marked_processes(
    const std::function<bool(const local::Mark&)>& wanted);

/// "process 77: sleep 60", for a census.
std::vector<std::string> process_lines(const std::string& component_id);

}  // namespace sandproof::apps
