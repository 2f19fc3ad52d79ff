// SPDX-License-Identifier: Apache-2.0
// Paths as texts. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace sandproof::machine::programs {

/// The last component, without slashes after it: "c" of "/a/b/c/"; "/" of slashes alone.
std::string_view base_name(std::string_view path);
/// "dir/name", with one slash between.
std::string join_path(std::string_view directory, std::string_view name);
/// Without the slashes at its end, but for "/".
std::string_view without_slashes(std::string_view path);
/// Whether the last component is "." or "..".
bool ends_in_dots(std::string_view path);
inline bool is_dots(std::string_view name) { return name == "." || name == ".."; }

}  // namespace sandproof::machine::programs
