// SPDX-License-Identifier: Apache-2.0
// Failures that say the same: one fault may fail hundreds of cases, and a person wants to read of
// it once. What programs read (JSON, JUnit) has each by itself. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/report/findings.h"

namespace sandproof::conformance {

/// Fewer are told one by one: each has its own sentence, notes and replay line.
inline constexpr std::size_t kLeastGroup = 4;

/// Of one flavor, ended alike and with the same reason; one case, or at least kLeastGroup.
using FailureGroup = std::vector<FailedCase>;

/// Each group stands where its first case stood. Reasons are the same where they differ only in
/// words that hold a digit: ids, numbers, temporary paths.
std::vector<FailureGroup> group_failures(const std::vector<FailedCase>& failures);

/// "279 cases on local: error, all for the same reason".
std::string group_title(const FailureGroup& group);
/// "One, Two, Three and 276 more": at most `most` names.
std::string group_names(const FailureGroup& group, std::size_t most);
/// The rules that the cases are charged to, each once: "KILL-001 to 004, WAIT-001".
std::string group_rules(const FailureGroup& group);

}  // namespace sandproof::conformance
