// SPDX-License-Identifier: Apache-2.0
// The end of a report: per flavor the verdict in one sentence, the counts, and what was not proven
// with its reasons. Pure.
#pragma once

#include <string>
#include <vector>

#include "conformance/report/run_model.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {

/// "local: not conformant: 2 MUST rules do not hold (KILL-002, WAIT-001)."
std::string verdict_sentence(const RunModel& model, const FlavorResult& flavor);

std::string summary_text(const RunModel& model, const Terminal& terminal);

/// "KILL-001 to 004, WAIT-002": neighbours of one area together. `ids` in the contract's order.
std::string join_ids(const std::vector<std::string>& ids);

}  // namespace sandproof::conformance
