// SPDX-License-Identifier: Apache-2.0
// printf of awk, as busybox has it. Pure; any thread.
#pragma once

#include <span>
#include <string>

#include "fakes/machine/programs/awk/value.h"

namespace sandproof::machine::programs::awk {

/// Conversions %c %s %d %i %o %u %x %X %e %E %f %F %g %G %a %A with flags, width and precision;
/// values that are not there are 0 and "". Integers have 32 bits, as in busybox. A conversion that
/// is none but has a letter, a '*', and a width above the limit throw RunFailure; one that stops
/// before its letter stands for itself. `conversion` is CONVFMT.
std::string formatted(const std::string& format, std::span<const Value> values,
                      const std::string& conversion);

}  // namespace sandproof::machine::programs::awk
