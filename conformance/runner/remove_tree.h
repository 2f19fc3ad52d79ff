// SPDX-License-Identifier: Apache-2.0
// Removes a directory that commands have worked in: they may have taken its permissions away,
// nested it deeper than a path can say, or filled it with links. Stateless; one caller per tree.
#pragma once

#include <filesystem>
#include <string>

namespace sandproof::conformance::runner {

/// Removes `path` and all below it; follows no link; crosses no mount point. Never throws. Returns
/// an empty string when it is gone (or never was), else one sentence about the first thing that
/// could not be removed.
std::string remove_tree(const std::filesystem::path& path) noexcept;

}  // namespace sandproof::conformance::runner
