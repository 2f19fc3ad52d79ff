// SPDX-License-Identifier: Apache-2.0
// Removes a directory with everything in it. Stateless; any thread.
#pragma once

#include <string>

namespace sandproof::local {

/// Removes `name`, an entry of the directory `parent`. No link is followed, and no mount point
/// entered; directories without permissions are given some first. What is written into it
/// meanwhile is removed too, for a bounded number of rounds. Success when it does not exist.
/// Needs Linux 5.6 (openat2). Throws std::system_error whose text names what could not be removed.
void remove_tree(int parent, const std::string& name);

}  // namespace sandproof::local
