// SPDX-License-Identifier: Apache-2.0
// JUnit XML, as CI servers read it (docs/report.md). Pure; any thread.
#pragma once

#include <string>

#include "conformance/report/run_model.h"

namespace sandproof::conformance {

/// The whole document: one suite per flavor, one test case per case, in the order of the run. It
/// has a failure or an error exactly where the program does not exit with 0.
std::string to_junit_report(const RunModel& model);

}  // namespace sandproof::conformance
