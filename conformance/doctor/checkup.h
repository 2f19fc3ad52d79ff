// SPDX-License-Identifier: Apache-2.0
// Preconditions looked at, and what came of it told to people and programs.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "conformance/report/terminal.h"
#include "sandproof/conformance/precondition.h"

namespace sandproof::conformance {

/// Of one check: as long as a flavor may take to start.
inline constexpr std::chrono::seconds kCheckLimit{30};

struct CheckedPrecondition {
  std::string name;
  CheckResult result;
};

struct CheckedGroup {
  /// "local"; "this machine".
  std::string title;
  std::vector<CheckedPrecondition> rows;
};

/// Each in a child process of its own. To be called while the process has one thread. Does not
/// throw for what a check does: crashes, hangs and exceptions are failures of it.
CheckedGroup check_group(std::string title, const std::vector<Precondition>& preconditions,
                         const Settings& settings, std::chrono::milliseconds limit = kCheckLimit);

bool any_failed(const std::vector<CheckedGroup>& groups);

/// A line per precondition, "ok", "warn" or "FAIL" in front, the fix below it. Pure.
std::string checkup_text(const std::vector<CheckedGroup>& groups, const Terminal& terminal);

/// Pure.
nlohmann::ordered_json checkup_json(const std::vector<CheckedGroup>& groups);

}  // namespace sandproof::conformance
