// SPDX-License-Identifier: Apache-2.0
// Who may do what to a file: owner, group, others; user 0 may everything, but execute what nobody
// may. Pure functions; any thread.
#pragma once

#include <cstdint>

#include "fakes/machine/errno.h"
#include "fakes/machine/vfs/file_system.h"

namespace sandproof::machine {

bool is_root(const Caller& caller);
bool in_group(const Caller& caller, std::uint32_t gid);
bool owns(const Caller& caller, const Attributes& file);
bool may(const Caller& caller, const Attributes& file, AccessMask mask);
/// To add a name to a directory, or to take one away: kOk, ENOENT (it was removed), EACCES.
Errno may_change_names(const Caller& caller, const Attributes& directory);
/// The same for this name's file: also EPERM (sticky), ENOTDIR, EISDIR.
Errno may_remove(const Caller& caller, const Attributes& directory, const Attributes& victim,
                 bool as_directory);
/// To give a file of others one more name, as with fs.protected_hardlinks = 1.
bool may_link(const Caller& caller, const Attributes& file);
/// The set-id bits of a mode that survive that somebody else writes into the file.
std::uint32_t mode_after_write(const Caller& caller, const Attributes& file);
std::uint32_t mode_after_chown(const Caller& caller, const Attributes& file);

}  // namespace sandproof::machine
