// SPDX-License-Identifier: Apache-2.0
// Words that look like assignments: what `export`, `readonly` and `local` take. Pure; any thread.
#pragma once

#include "fakes/machine/shell/ast.h"

namespace sandproof::machine::shell {

/// Whether the word begins with an unquoted NAME=.
bool is_assignment_word(const Word& word);

/// Marks the tildes of its value, as those of an assignment.
void mark_assignment_tildes(Word& word);

}  // namespace sandproof::machine::shell
