// SPDX-License-Identifier: Apache-2.0
// Backslashes in the words of echo, printf, tr and others, as busybox reads them. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sandproof::machine::programs {

enum class OctalEscape {
  kThreeDigits,  // \101
  kAlsoZero,     // \0101 too: of echo and of printf's %b.
};

struct ReadEscape {
  char byte = '\\';
  std::size_t length = 1;  // Of the text that it took, with the backslash.
};

/// The escape that the text begins with; a backslash that begins none is itself.
ReadEscape read_escape(std::string_view text, OctalEscape octal);

struct Unescaped {
  std::string text;
  bool stopped = false;  // By \c: nothing after it is to be written.
};
Unescaped unescape(std::string_view text, OctalEscape octal, bool may_stop);

}  // namespace sandproof::machine::programs
