// SPDX-License-Identifier: Apache-2.0
// JSON text as people write it: parsed strictly, refused with the place of the fault.
// Pure functions; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace sandproof {

/// Deeper nesting is refused: nothing that is read here is deeper than 4, and some of what is done
/// to a JSON value recurses.
inline constexpr int kMaxJsonDepth = 32;

/// The value in `text`, which must be nothing but that value. Throws InvalidArgumentError for text
/// that is no JSON, for a key that an object has twice, and for nesting over kMaxJsonDepth:
/// "<what>: line 3, column 7: …". `what` begins the sentence: "cannot read the stack file x.json".
[[nodiscard]] nlohmann::json parse_json(std::string_view text, const std::string& what);

/// "an object", "a string", "a number" …: the type of a value, for a message.
[[nodiscard]] std::string json_kind(const nlohmann::json& value);

/// Compact JSON. Throws InvalidArgumentError, beginning with `what`, where a string is no UTF-8:
/// replacing its bytes would give text that does not read back to an equal value.
[[nodiscard]] std::string json_text(const nlohmann::json& value, const std::string& what);

}  // namespace sandproof
