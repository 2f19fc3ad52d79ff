// SPDX-License-Identifier: Apache-2.0
// How od writes bytes: its types, from letters and from -t. Values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {

struct DumpType {
  char letter = 'o';  // a, c, d, f, o, u, x.
  std::size_t size = 2;
};

/// What is wrong; empty if nothing is. Octal words where no type is given.
std::string read_dump_types(const Options& options, std::vector<DumpType>& types);

/// One line of bytes, without its address.
std::string dump_line(DumpType type, std::string_view bytes);

}  // namespace sandproof::machine::programs
