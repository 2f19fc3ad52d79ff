// SPDX-License-Identifier: Apache-2.0
// Text as printf(3) makes it, for numbers and columns. A function; any thread.
#pragma once

#include <string>

namespace sandproof::machine {

/// Empty for what the C library refuses.
[[gnu::format(printf, 1, 2)]] std::string printed(const char* format, ...);

}  // namespace sandproof::machine
