// SPDX-License-Identifier: Apache-2.0
// The JSON from which a badge is drawn: the "endpoint" of shields.io (docs/report.md). Pure; any
// thread.
#pragma once

#include <string>

#include "conformance/report/run_model.h"

namespace sandproof::conformance {

/// "local 132/132 rules", green or red. A rule counts where it applies: claimed and observable.
std::string to_badge_report(const RunModel& model);

}  // namespace sandproof::conformance
