// SPDX-License-Identifier: Apache-2.0
// The caller's place, recorded by every public verb so that a report on a hang can say who waited.
#pragma once

#include <source_location>

namespace sandproof {
using Where = std::source_location;
}  // namespace sandproof
