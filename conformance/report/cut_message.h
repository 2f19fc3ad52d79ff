// SPDX-License-Identifier: Apache-2.0
// The message of a failed assertion, made short without what differs. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof::conformance {

/// The lines of `message`: about `most` of at most `columns` columns each, both at least 12. What
/// is left out is told ("(17 more)", " ... ") and is never what differs: the head and the tail
/// stay, the element of a list that GoogleTest names and what was expected of it, and the place
/// where two printed values part.
std::vector<std::string> cut_message(std::string_view message, std::size_t most,
                                     std::size_t columns);

}  // namespace sandproof::conformance
