// SPDX-License-Identifier: Apache-2.0
// Programs of awk, read. Pure; any thread.
#pragma once

#include <string_view>

#include "fakes/machine/programs/awk/ast.h"

namespace sandproof::machine::programs::awk {

/// Throws Failure.
Program parse(std::string_view text);

}  // namespace sandproof::machine::programs::awk
