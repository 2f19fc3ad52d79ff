// SPDX-License-Identifier: Apache-2.0
// Whether logs are parts of one whole; see merge.h. Pure; any thread.
#pragma once

#include <vector>

#include "conformance/report/log_part.h"

namespace sandproof::conformance {

/// Throws MergeError that names the first two that do not fit.
void check_parts_fit(const std::vector<LogPart>& parts);

}  // namespace sandproof::conformance
