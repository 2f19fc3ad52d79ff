// SPDX-License-Identifier: Apache-2.0
// From a path to a file: components, symbolic links, mounts, the permission to search. One thread
// per machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/vfs/file_system.h"
#include "fakes/machine/vfs/node.h"

namespace sandproof::machine {

/// What is mounted in a box. Few: they are looked through.
struct MountTable {
  MountPtr root;
  std::vector<MountPtr> mounted;  // Later ones cover earlier ones.

  Spot root_spot() const { return {root, root->root}; }
  /// What is seen there: the root of what is mounted on it, if anything is.
  Spot covered(Spot spot) const;
};

/// What becomes of a symbolic link in the last component.
enum class LastLink {
  kFollow,
  kCreate,  // Follows too; EISDIR where a slash follows the name, before it is looked up.
  kKeep,    // Unless a slash follows it, as in lstat(2).
  kEntry,   // Never: for calls that change the name itself.
};

/// Where a path leads.
struct Walked {
  enum class Kind { kName, kDot, kDotDot, kRoot };

  Spot parent;       // With kName: the directory of the last component.
  std::string name;  // With kName: it.
  Kind kind = Kind::kRoot;
  bool slash_follows = false;
  std::optional<Spot> spot;  // None where the last component does not exist.
  NodePtr held;              // The file itself, where a link led to one that somebody holds.

  /// Of the spot, which there is.
  NodePtr node() const;
  // With kEntry: why the last component cannot be looked up. Callers of that kind have checks of
  // their own before that.
  Errno last_error = Errno::kOk;
};

/// Fails with ENOENT (also for an empty path), ENOTDIR, EACCES, ELOOP, ENAMETOOLONG, EINVAL (a NUL
/// in it). That the last component does not exist is no failure.
Result<Walked> walk(const MountTable& mounts, PathAt path, LastLink last, const Caller& caller);

}  // namespace sandproof::machine
