// SPDX-License-Identifier: Apache-2.0
// One case that did not end as it should, told to a person: the rule and its sentence, what was
// done, expected and actual, what was waited for, what was last seen, and how to replay it. Pure.
#pragma once

#include <string>

#include "conformance/report/failure_groups.h"
#include "conformance/report/run_model.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {

/// "sandproof replay --flavor local --case KillIsIdempotent --seed 123 --set drain_grace=2": with
/// what configured the flavor, quoted for a shell (shell_line.h). Empty for a case that no replay
/// would run.
std::string replay_line(const RunModel& model, const FlavorResult& flavor,
                        const CaseResult& result);

/// Several lines, the first with the rule's id.
std::string failure_text(const RunModel& model, const FlavorResult& flavor,
                         const CaseResult& result, const Terminal& terminal);

/// Cases that say the same, once: which, of which rules, and what the first one says.
std::string group_text(const RunModel& model, const FailureGroup& group, const Terminal& terminal);

/// The part of it between the rule's sentence and the replay line; may be empty.
std::string failure_details(const RunModel& model, const FlavorResult& flavor,
                            const CaseResult& result, const Terminal& terminal);

/// What to do about a pass that nobody expected.
std::string unexpected_text(const RunModel& model, const CaseResult& result);

/// "failed after 0.31 s", "hung: ended at its limit after 20.0 s" …
std::string ending_text(const CaseResult& result);

}  // namespace sandproof::conformance
