// SPDX-License-Identifier: Apache-2.0
// The last steps of a word, in their order: field splitting, pathname expansion, quote removal. Any
// thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fakes/machine/shell/expand/pathname.h"
#include "fakes/machine/shell/expand/piece.h"

namespace sandproof::machine::shell {

struct WordOptions {
  /// The value of IFS; nothing where it is not set.
  std::optional<std::string> ifs;
  /// `set -f`: no pathname expansion.
  bool noglob = false;
  /// What `[^` begins.
  Caret caret = Caret::kLiteral;
};

/// The words that a command gets of one word of the script, whose parameters, commands, arithmetic
/// and tildes have been expanded into pieces. A field without a match stays as it is.
std::vector<std::string> finish_word(std::span<const Piece> word, const WordOptions& options,
                                     const DirectoryReader& reader);

}  // namespace sandproof::machine::shell
