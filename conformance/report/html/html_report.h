// SPDX-License-Identifier: Apache-2.0
// The run as one page for a browser, with nothing beside it (docs/report.md). Pure; any thread.
#pragma once

#include <string>

#include "conformance/report/run_model.h"

namespace sandproof::conformance {

/// The whole page. Verdict, flavors and failures stand in it as text; the matrix is drawn by its
/// script from the data of conformance.json. What flavors said can neither run nor load anything:
/// it is escaped, and the page's policy allows its own style and script by their hashes alone.
std::string to_html_report(const RunModel& model);

}  // namespace sandproof::conformance
