// SPDX-License-Identifier: Apache-2.0
// The parts of the HTML report that are there without its script. Pure; any thread.
#pragma once

#include <string>

#include "conformance/report/run_model.h"

namespace sandproof::conformance {

/// The verdict of the run in the largest letters, and the facts of the run.
std::string verdict_html(const RunModel& model);

/// A card per flavor: verdict, counts, and what was not proven.
std::string cards_html(const RunModel& model);

/// Each failure folded, with its replay line; nothing where there is none.
std::string failures_html(const RunModel& model);

}  // namespace sandproof::conformance
