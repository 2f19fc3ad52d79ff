// SPDX-License-Identifier: Apache-2.0
// From what was parsed back to text that parses to the same: what messages, `jobs` and tests show.
// Pure; any thread.
#pragma once

#include <string>

#include "fakes/machine/shell/ast.h"

namespace sandproof::machine::shell {

/// Shell text. Comments, spacing and the choice between `$x` and `${x}` are not kept.
std::string to_text(const List& list);
std::string to_text(const Command& command);
std::string to_text(const Word& word);

/// The same as a tree in parentheses, in which everything that the parser found is told apart.
std::string to_tree(const List& list);
std::string to_tree(const Word& word);

}  // namespace sandproof::machine::shell
