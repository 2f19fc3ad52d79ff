// SPDX-License-Identifier: Apache-2.0
// The report of a finished run for a person: failures first, then the matrix, then the summary.
// Pure.
#pragma once

#include <string>

#include "conformance/report/run_model.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {

/// Replay lines begin with the program as it was called, where argv of the log has its path.
std::string console_report(const RunModel& model, const Terminal& terminal);

}  // namespace sandproof::conformance
