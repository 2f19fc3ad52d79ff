// SPDX-License-Identifier: Apache-2.0
// Names of variables in operands: `name=value`. Pure; any thread.
#pragma once

#include <cctype>
#include <string_view>

namespace sandproof::machine::programs::awk {

inline bool is_variable_name(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0) return false;
  for (const char letter : text) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '_') return false;
  }
  return true;
}

}  // namespace sandproof::machine::programs::awk
