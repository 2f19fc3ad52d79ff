// SPDX-License-Identifier: Apache-2.0
// What a person reads of the list of known failures: whether it holds, what is wrong with it, what
// will be soon. Pure; any thread.
#pragma once

#include <string>

#include "conformance/report/run_model.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {

/// What stands in an entry's reason until somebody has written one.
inline constexpr std::string_view kNoReasonYet = "TODO";

/// Empty where the run had no list.
std::string known_failures_text(const RunModel& model, const Terminal& terminal);

}  // namespace sandproof::conformance
