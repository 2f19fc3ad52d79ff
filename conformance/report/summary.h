// SPDX-License-Identifier: Apache-2.0
// The end of a report: per flavor the verdict in one sentence, the counts, and what was not proven
// with its reasons. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "conformance/report/run_model.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {

/// "local: not conformant: 2 MUST rules do not hold (KILL-002, WAIT-001)."
std::string verdict_sentence(const RunModel& model, const FlavorResult& flavor);

/// "the run was interrupted by SIGINT": of a model that is not complete.
std::string why_incomplete(const RunModel& model);

/// "130 passed, 2 failed": the good ones first; what did not occur is left out.
std::string counts_sentence(const Counts& counts);

/// Rules by the reason for which they are in `state`, both in the contract's order.
using ReasonGroups = std::vector<std::pair<std::string, std::vector<std::string>>>;
ReasonGroups group_by_reason(const FlavorResult& flavor, Outcome state);

std::size_t cases_that_ran(const RunModel& model);

/// "835 cases in 36.7 s, 2 jobs, seed 462130."
std::string run_line(const RunModel& model);

std::string summary_text(const RunModel& model, const Terminal& terminal);

/// "KILL-001 to 004, WAIT-002": neighbours of one area together. `ids` in the contract's order.
std::string join_ids(const std::vector<std::string>& ids);

}  // namespace sandproof::conformance
