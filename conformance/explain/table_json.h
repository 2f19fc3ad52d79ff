// SPDX-License-Identifier: Apache-2.0
// The rows of the suite's tables as JSON: the same keys in `list --json` and `explain --format
// json`. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "conformance/runner/suite.h"

namespace sandproof::conformance {

/// "cases/kill.cc": the last two parts of the path are enough to find it.
std::string file_of(const Case& test_case);

nlohmann::ordered_json rule_row_json(const Rule& rule);
nlohmann::ordered_json case_row_json(const Case& test_case);
nlohmann::ordered_json mutant_row_json(const Mutant& mutant);
nlohmann::ordered_json binding_row_json(const Binding& binding);

}  // namespace sandproof::conformance
