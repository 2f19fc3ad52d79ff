// SPDX-License-Identifier: Apache-2.0
// Whether what a report tells of its list of known failures follows from its cases; see verify.h.
// Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sandproof::conformance {

/// The states of the entries, what they list, what is not listed, and whether the list holds. A
/// report without a list must not have an excuse by one. Throws nlohmann::json::exception where
/// keys are missing.
std::vector<std::string> known_failure_findings(const nlohmann::json& report);

}  // namespace sandproof::conformance
