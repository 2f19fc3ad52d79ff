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
  for (const Piece& piece : field) {
    pattern += piece.quoted ? quote_pattern(piece.text) : piece.text;
  }
  return pattern;
}

}  // namespace sandproof::machine::shell
