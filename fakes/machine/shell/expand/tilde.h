// SPDX-License-Identifier: Apache-2.0
// Tilde expansion (XCU 2.6.1) of one unquoted literal part of a word. Pure; any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/shell/expand/piece.h"

namespace sandproof::machine::shell {

/// Where the literal stands.
struct TildeContext {
  /// The value of an assignment: a tilde after a colon counts, and a colon ends a name.
  bool assignment = false;
  /// The word (or the value) begins with it.
  bool begins = true;
  /// The word ends with it: a name that runs up to the end is whole. `~"root"` and `~$x` are not
  /// expanded.
  bool ends = true;
};

struct Homes {
  /// HOME; nothing where it is not set: then `~` stays as it is.
  std::optional<std::string> home;
  /// Of `~name`; nothing for a name that is none: it stays, too.
  std::function<std::optional<std::string>(std::string_view name)> of_user;
};

/// The literal as pieces: directories quoted (they are neither split nor matched), the rest not.
std::vector<Piece> expand_tildes(std::string_view literal, TildeContext context,
                                 const Homes& homes);

}  // namespace sandproof::machine::shell
