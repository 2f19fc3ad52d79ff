// SPDX-License-Identifier: Apache-2.0
// What the kernel asks of the file system of a box. Paths are resolved in here, with the caller's
// permissions; who asks and when are arguments; the umask is applied by the caller of a call (a
// mode arrives as it is to become). Errors are Linux's, in its order of checks. Nothing here
// blocks: FIFOs and devices are inodes, their reading and writing is the kernel's. One thread per
// machine.
//
// What differs from Linux: access times move by set_times() alone, as on a volume mounted noatime
// (a read that writes would unshare what boxes share); only user 0 has privileges, all of them;
// there are neither access lists nor extended attributes nor leases nor block devices nor sockets.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/result.h"
#include "fakes/machine/vfs/attributes.h"

namespace sandproof::machine {

/// A file that somebody holds: open, or as a working directory. It lives on while it is held, also
/// after its last name is gone.
class Node;
using NodePtr = std::shared_ptr<const Node>;
/// See descriptor.h.
class OpenFile;
using FilePtr = std::shared_ptr<OpenFile>;

/// A path, and the directory from which it is looked up if it is relative (never null).
struct PathAt {
  const NodePtr& at;
  std::string_view path;
};

enum class Follow { kYes, kNo };  // A symbolic link in the last component.

struct OpenFlags {
  bool read = false;
  bool write = false;
  bool create = false;
  bool exclusive = false;
  bool truncate = false;
  bool directory = false;
  bool no_follow = false;
};

/// What access(2) asks for.
struct AccessMask {
  bool read = false;
  bool write = false;
  bool execute = false;
};

/// What mknod(2) makes: nothing but FIFOs and devices, the latter for user 0.
struct NewSpecial {
  FileType type = FileType::kFifo;
  DeviceKind device = DeviceKind::kNone;
  std::uint32_t mode = 0;
};

/// Each may be left as it is.
struct NewTimes {
  std::optional<TimeNs> accessed;
  std::optional<TimeNs> modified;
  bool to_now = false;  // Both are the call's time: who may write may do it, not the owner alone.
};

struct NewOwner {
  std::optional<std::uint32_t> uid;
  std::optional<std::uint32_t> gid;
};

/// A mount, as mountinfo of proc(5) tells of it.
struct MountInfo {
  int id = 0;
  int parent = 0;
  std::uint64_t volume = 0;
  std::string root;   // Of what is mounted, in its volume.
  std::string point;  // In the box.
  bool read_only = false;
  std::string type;
  std::string source;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// "/" of the box.
  virtual NodePtr root() const = 0;

  // By path.

  /// The file itself, without a check of its own permissions: stat, lstat, and the base of the
  /// calls on nodes below.
  virtual Result<NodePtr> lookup(PathAt path, Follow follow, const Caller& caller) = 0;
  /// As open(2): checks, creates (mode), truncates. An offset, append, and what a FIFO or a device
  /// does are its caller's matter.
  virtual Result<NodePtr> open(PathAt path, OpenFlags flags, std::uint32_t mode,
                               const Caller& caller) = 0;
  virtual Result<void> access(PathAt path, AccessMask mask, const Caller& caller) = 0;
  /// The directory for chdir(2): it is one, and the caller may search it.
  virtual Result<NodePtr> change_directory(PathAt path, const Caller& caller) = 0;
  virtual Result<void> make_directory(PathAt path, std::uint32_t mode, const Caller& caller) = 0;
  virtual Result<void> make_special(PathAt path, NewSpecial what, const Caller& caller) = 0;
  virtual Result<void> make_symlink(std::string_view target, PathAt path, const Caller& caller) = 0;
  virtual Result<void> link(PathAt from, PathAt to, Follow follow, const Caller& caller) = 0;
  virtual Result<void> unlink(PathAt path, const Caller& caller) = 0;
  virtual Result<void> remove_directory(PathAt path, const Caller& caller) = 0;
  virtual Result<void> rename(PathAt from, PathAt to, const Caller& caller) = 0;
  virtual Result<std::string> read_link(PathAt path, const Caller& caller) = 0;
  /// As truncate(2): with a check of the permission to write.
  virtual Result<void> truncate(PathAt path, std::uint64_t size, const Caller& caller) = 0;

  // On a node.

  virtual Result<Attributes> stat(const Node& node) const = 0;
  virtual Result<void> change_mode(const Node& node, std::uint32_t mode, const Caller& caller) = 0;
  virtual Result<void> change_owner(const Node& node, NewOwner owner, const Caller& caller) = 0;
  virtual Result<void> set_times(const Node& node, NewTimes times, const Caller& caller) = 0;
  /// Of a file that was opened for writing: without a check of permissions.
  virtual Result<void> truncate(const Node& node, std::uint64_t size, const Caller& caller) = 0;
  /// The count that was read: 0 at the end. Regular files alone; a directory is EISDIR.
  virtual Result<std::size_t> read(const Node& node, std::uint64_t offset,
                                   std::span<std::byte> into, const Caller& caller) = 0;
  /// The count that was written, which is less than asked for where space ran out on the way;
  /// ENOSPC where there was none for the first byte.
  virtual Result<std::size_t> write(const Node& node, std::uint64_t offset,
                                    std::span<const std::byte> from, const Caller& caller) = 0;
  /// At most `limit` entries after the cursor, which moves; none at the end. "." and ".." first,
  /// the others by the bytes of their names.
  virtual Result<std::vector<DirEntry>> list(const Node& node, DirCursor& cursor, std::size_t limit,
                                             const Caller& caller) = 0;
  /// As getcwd(2): the path from the root; ENOENT where the directory was removed.
  virtual Result<std::string> path_of(const Node& directory) const = 0;
  /// The path as links of /proc show it: of any file, and with " (deleted)" behind it where its
  /// name is gone, or is another's now.
  virtual std::string shown_path(const Node& node) const = 0;
  /// All of a file that is made up when it is asked for; nothing for one that is kept.
  virtual Result<std::optional<std::string>> text_of(const Node& node,
                                                     const Caller& caller) const = 0;
  /// What a process has open, where the file stands for that and is in no volume itself: a pipe
  /// behind /proc/PID/fd. Null for any other.
  virtual FilePtr open_file_of(const Node& node) const = 0;
  /// In the order in which they were made, the root first.
  virtual std::vector<MountInfo> mounts() const = 0;
  virtual Result<VolumeFigures> figures(const Node& node) const = 0;
  /// The name of the machine's program that this file stands for (see program_file.h), if it does.
  virtual std::optional<std::string> program_of(const Node& node) const = 0;
};

}  // namespace sandproof::machine
