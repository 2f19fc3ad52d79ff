// SPDX-License-Identifier: Apache-2.0
// One case that did not end as it should, told to a person: the rule and its sentence, what was
// done, expected and actual, what was waited for, what was last seen, and how to replay it. Pure.
#pragma once

#include <string>

#include "conformance/report/run_model.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {

/// How a replay line begins and ends: "sandproof" … "--stack stack.json".
struct ReplayContext {
  std::string program = "sandproof";
  /// The options of the run that change what a case does, quoted; empty where there are none.
  std::string more_options;
};

/// "sandproof replay --flavor local --case KillIsIdempotent --seed 123".
std::string replay_line(const RunModel& model, const FlavorResult& flavor, const CaseResult& result,
                        const ReplayContext& context);

/// Several lines, the first with the rule's id.
std::string failure_text(const RunModel& model, const FlavorResult& flavor,
                         const CaseResult& result, const Terminal& terminal,
                         const ReplayContext& context);

/// "failed after 0.31 s", "hung: ended at its limit after 20.0 s" …
std::string ending_text(const CaseResult& result);

}  // namespace sandproof::conformance
