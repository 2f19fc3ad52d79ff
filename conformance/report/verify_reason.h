// SPDX-License-Identifier: Apache-2.0
// Whether the reasons in a report follow from what its flavor declares and from its cases; see
// verify.h. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sandproof::conformance {

/// Of the flavor `flavor` of `report`: why cases and rules are not observable, not claimed or not
/// tested, and what a rule says of its worst case. Throws nlohmann::json::exception where keys are
/// missing.
std::vector<std::string> reason_findings(const nlohmann::json& report,
                                         const nlohmann::json& flavor);

}  // namespace sandproof::conformance
