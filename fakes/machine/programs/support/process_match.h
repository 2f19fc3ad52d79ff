// SPDX-License-Identifier: Apache-2.0
// What pgrep and pkill share: processes by a pattern. One process uses it.
#pragma once

#include "fakes/machine/programs/support/options.h"
#include "fakes/machine/programs/support/process_list.h"

namespace sandproof::machine::programs {

inline constexpr std::string_view kMatchLetters = "flavxnoicP:g:s:u:U:d:";

/// Those that the options and the pattern choose, without the asker; nothing after a complaint, and
/// the tool's status is the program's.
Task<std::optional<std::vector<ListedProcess>>> match_processes(Tool& tool, const Options& options);

}  // namespace sandproof::machine::programs
