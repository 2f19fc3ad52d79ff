// SPDX-License-Identifier: Apache-2.0
// Copies a directory in which commands may be at work: what only exists in connection with a
// process is made anew or left out, and never opened. Any thread.
#pragma once

#include <filesystem>

namespace sandproof::detached {

/// Copies the directory `from` as the directory `to`, which is not there yet, and what is in it:
/// files and directories with their permissions, symbolic links as links, named pipes as empty
/// ones. Sockets are left out: without who listens they are nothing. Throws BackendError that names
/// it for anything else (a device), and std::filesystem::filesystem_error for what cannot be read
/// or made; some of the copy may be there then.
void copy_tree(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace sandproof::detached
