// SPDX-License-Identifier: Apache-2.0
// Paths of a session: where a path that a caller gives leads, beneath the directory that none may
// leave. Functions over descriptors; any thread.
//
// The result of resolve() is a list of names without any link. Whoever opens it (open_beneath())
// lets the kernel refuse links, so that what is swapped after the resolution is noticed, and can
// resolve again.
#pragma once

#include <string>
#include <vector>

#include "flavors/local/descriptor.h"

namespace sandproof::local {

/// Links in one path: as many as the kernel follows (path_resolution(7)).
inline constexpr int kMostLinks = 40;

/// The directory that is not left. `directory` is borrowed; `where` is what messages call the
/// session ("session local-0123456789ab").
struct PathRoot {
  int directory = -1;
  std::string where;
};

/// Where a path leads: directories from the root down, and an entry of the last one. Nothing in it
/// is `.`, `..`, empty or a link; any of it, from some name on, may not exist.
struct ResolvedPath {
  std::vector<std::string> directories;
  /// Empty for the root itself.
  std::string name;
  /// The path, or the link that it ends in, says that it is one: it ends in `/`, `.` or `..`.
  bool is_directory = false;

  /// "a/b/name", or "." for the root.
  std::string joined() const;
};

/// Follows `path`: relative to the root, or absolute and inside of it, however the root is reached.
/// Links are followed as long as they stay inside, absolute ones too; the last one as well.
/// Throws InvalidArgumentError for a path that leaves the root (with `..`, absolutely or through a
/// link), is empty or has a NUL, and FileTransferError for one that cannot be followed for another
/// reason (too many links, no permission, a kernel before 5.6).
ResolvedPath resolve(const PathRoot& root, const std::string& path);

/// The directory of a resolved path, its missing ones made if `make` says so. Invalid, with errno:
/// ELOOP when a link has come into it since, ENOENT for a missing one, ENOTDIR.
Descriptor open_parent(const PathRoot& root, const ResolvedPath& path, bool make);

}  // namespace sandproof::local
