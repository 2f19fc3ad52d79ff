// SPDX-License-Identifier: Apache-2.0
// The printf of awk. Pure; any thread.
#pragma once

#include <span>
#include <string>

#include "fakes/machine/programs/awk/value.h"

namespace sandproof::machine::programs::awk {

/// `convert` is CONVFMT. Values that are missing are nothing; widths are bounded. Throws Failure
/// for a width of "*", as busybox has none.
std::string format_values(const std::string& format, std::span<const Value> values,
                          const std::string& convert);
/// One number by a format such as "%.6g".
std::string format_number(const std::string& format, double number);

}  // namespace sandproof::machine::programs::awk
