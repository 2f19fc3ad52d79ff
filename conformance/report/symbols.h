// SPDX-License-Identifier: Apache-2.0
// One character and one colour per outcome. Pure; any thread.
#pragma once

#include <string_view>

#include "conformance/report/run_model.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {

/// One column wide; ASCII where the reader's locale is not UTF-8.
std::string_view symbol_of(Outcome outcome, const Terminal& terminal);

/// What breaks a SHOULD is a warning, not a failure.
Style style_of(Outcome outcome, bool must);

}  // namespace sandproof::conformance
