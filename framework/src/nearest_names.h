// SPDX-License-Identifier: Apache-2.0
// What a person probably meant who wrote a name that does not exist. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sandproof {

/// The known names that are at most a third of the name's length (and at least 2 edits) away from
/// it, nearest first, at most 3. An edit inserts, drops or replaces a byte, or swaps two
/// neighbours.
[[nodiscard]] std::vector<std::string> nearest_names(std::string_view name,
                                                     const std::vector<std::string>& known);

/// The end of a sentence about an unknown name: "did you mean `a` or `b`?" where something is near,
/// else "the <plural> are a, b and c".
[[nodiscard]] std::string suggestion(std::string_view name, const std::vector<std::string>& known,
                                     const std::string& plural);

/// "a", "a and b", "a, b and c".
[[nodiscard]] std::string joined(const std::vector<std::string>& names, const std::string& last);

/// Text that a person gave, fit to stand in a message: valid UTF-8 without control characters, cut
/// to 60 bytes.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace sandproof
