// SPDX-License-Identifier: Apache-2.0
// "did you mean": the names that are nearest to a mistyped one. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sandproof::conformance {

/// At most three, the nearest first; none where nothing is near.
std::vector<std::string> nearest_names(std::string_view name,
                                       const std::vector<std::string>& known);

/// "; did you mean 'KILL-002' or 'KILL-003'?", or, where nothing is near and there are few, ";
/// known are 'local' and 'detached'"; or else where they are listed, "; `sandproof list cases`
/// lists them" for the command `sandproof list cases`; or nothing.
std::string suggestion(std::string_view name, const std::vector<std::string>& known,
                       std::string_view list_command = {});

/// "; known are 'local' and 'detached'", however many; nothing where there are none.
std::string known_text(const std::vector<std::string>& known);

}  // namespace sandproof::conformance
