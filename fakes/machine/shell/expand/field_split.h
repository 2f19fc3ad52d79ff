// SPDX-License-Identifier: Apache-2.0
// Field splitting (XCU 2.6.5), and the two parameters that are many: `$@` and `$*`. Any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/shell/expand/piece.h"

namespace sandproof::machine::shell {

/// The fields of the expanded word; none where nothing is left of it. `ifs` is the value of IFS,
/// nothing where it is not set: then space, tab and newline; an empty one splits nothing (but
/// `$@`).
std::vector<Field> split_fields(std::span<const Piece> word, const std::optional<std::string>& ifs);

/// The pieces of `$@`, `"$@"` and unquoted `$*`, where fields are made: one field for each
/// parameter, to the first and the last of which the rest of the word joins. No parameter, no
/// piece: `"$@"` is then nothing.
std::vector<Piece> all_parameters(std::span<const std::string> parameters, bool quoted);

/// What `"$*"` is, and each of them where no fields are made (`x=$@`, `case $* in`): joined by the
/// first byte of IFS, by nothing where it is empty, by a space where it is not set.
std::string joined_parameters(std::span<const std::string> parameters,
                              const std::optional<std::string>& ifs);

}  // namespace sandproof::machine::shell
