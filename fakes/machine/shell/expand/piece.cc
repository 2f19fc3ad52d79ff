// SPDX-License-Identifier: Apache-2.0
// The two readings of a field.
#include "fakes/machine/shell/expand/piece.h"

#include "fakes/machine/shell/expand/pattern.h"

namespace sandproof::machine::shell {

std::string text_of(const Field& field) {
  std::string text;
  for (const Piece& piece : field) text += piece.text;
  return text;
}

std::string pattern_of(const Field& field) {
  std::string pattern;
  // Whether the unquoted text so far ends with a backslash that quotes what comes next.
  bool open = false;
  for (const Piece& piece : field) {
    if (!piece.quoted) {
      pattern += piece.text;
      for (const char c : piece.text) open = !open && c == '\\';
      continue;
    }
    std::string quoted = quote_pattern(piece.text);
    if (open && !quoted.empty()) {
      // One backslash is enough: two would be a backslash that means itself.
      if (quoted.front() == '\\') quoted.erase(0, 1);
      open = false;
    }
    pattern += quoted;
  }
  return pattern;
}

}  // namespace sandproof::machine::shell
