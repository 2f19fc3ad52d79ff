// SPDX-License-Identifier: Apache-2.0
// Whether a conformance.json is what the program wrote: by itself, and against its event log. One
// sentence for each thing that is wrong; none for a sound report. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sandproof::conformance {

/// Alone (an object): the checksum; outcomes against what the cases tell; counts, states of rules,
/// warnings, the list of known failures, verdicts and exit code against the cases; reasons against
/// what the flavor declares. A key that is missing or of a wrong type is a finding, too. What
/// nothing else depends on (texts, durations, notes, seeds) is held by the checksum alone.
std::vector<std::string> inconsistencies(const nlohmann::json& report);

/// Against the report that is made from the events now: every value that is another.
std::vector<std::string> differences(const nlohmann::json& report,
                                     const nlohmann::json& recomputed);

}  // namespace sandproof::conformance
