// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets assert with: a property that does not hold ends the program, as libFuzzer
// wants it, so that the input is kept. One thread.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>

namespace sandproof::fuzz {

/// Ends the program, with `property` and the caller's line on stderr, unless it `holds`.
inline void require(bool holds, const char* property,
                    std::source_location where = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%u: does not hold: %s\n", where.file_name(),
               static_cast<unsigned>(where.line()), property);
  std::abort();
}

}  // namespace sandproof::fuzz
