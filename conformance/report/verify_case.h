// SPDX-License-Identifier: Apache-2.0
// Whether what a case of a report tells fits its outcome; see verify.h. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sandproof::conformance {

/// `row` is one of the flavor's cases. Throws nlohmann::json::exception where keys are missing.
std::vector<std::string> case_findings(const nlohmann::json& row, const nlohmann::json& flavor);

}  // namespace sandproof::conformance
