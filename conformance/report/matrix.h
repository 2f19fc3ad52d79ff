// SPDX-License-Identifier: Apache-2.0
// Rules by flavor at a glance: one row per area, one column per flavor, one symbol per rule. Pure.
#pragma once

#include <string>

#include "conformance/report/run_model.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {

/// The matrix and its legend. Flavors that do not fit beside each other follow below. Rules that a
/// filter left out are blank, and areas of such rules alone are not there.
std::string matrix_text(const RunModel& model, const Terminal& terminal);

}  // namespace sandproof::conformance
