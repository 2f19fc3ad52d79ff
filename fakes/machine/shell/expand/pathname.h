// SPDX-License-Identifier: Apache-2.0
// Pathname expansion (XCU 2.6.6) over a file system that the caller shows through two functions.
// Pure: nothing is cached, nothing is kept. Any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/shell/expand/pattern.h"

namespace sandproof::machine::shell {

/// What pathname expansion wants to know of the file system.
struct DirectoryReader {
  /// The names in a directory, in any order, with or without "." and ".."; nothing where it is none
  /// or cannot be read. The path is "" for the working directory, else it ends with a slash.
  std::function<std::optional<std::vector<std::string>>(const std::string& directory)> names_of;
  /// Whether lstat would find the path. With a slash at its end: whether it is a directory, links
  /// followed.
  std::function<bool(const std::string& path)> exists;
};

/// Paths that one word may become; what is beyond is not found. A box has a bounded memory, and a
/// list of this size is longer than any argument list that exec takes.
inline constexpr std::size_t kMaxPathnames = 1'000'000;

/// The paths that the pattern matches, sorted by their bytes as dash sorts; none where nothing
/// matches (the caller then takes unquote_pattern(pattern)). A pattern without magic matches
/// nothing, whatever exists. The name of a hidden file is matched by a pattern that begins with a
/// dot only; "." and ".." are then names like any other, as in dash.
std::vector<std::string> expand_pathname(std::string_view pattern, const DirectoryReader& reader,
                                         Caret caret = Caret::kLiteral);

}  // namespace sandproof::machine::shell
