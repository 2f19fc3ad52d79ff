// SPDX-License-Identifier: Apache-2.0
// Finds the tildes that a shell expands. Pure; any thread.
#pragma once

#include <cstdint>

#include "fakes/machine/shell/ast.h"

namespace sandproof::machine::shell {

enum class TildeRule : std::uint8_t {
  kWord,        // At the begin alone.
  kAssignment,  // At the begin, and after each unquoted colon.
};

/// Turns `~` and `~user` of unquoted text into Tilde, where a slash, the end of the word or, with
/// kAssignment, a colon ends it: a name that something quoted or expanded continues is none.
void mark_tildes(Word& word, TildeRule rule);

}  // namespace sandproof::machine::shell
