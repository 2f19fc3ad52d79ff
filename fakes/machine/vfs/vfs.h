// SPDX-License-Identifier: Apache-2.0
// The file system of a box: volumes at their places, and the checks of file_system.h over them. One
// thread per machine.
#pragma once

#include "fakes/machine/vfs/file_system.h"
#include "fakes/machine/vfs/path_walk.h"

namespace sandproof::machine {

/// What is mounted where. The point is an absolute path of a directory, or of a file where a file
/// is bound to it.
struct MountRequest {
  std::string point;
  std::shared_ptr<Volume> volume;
  bool read_only = false;
  /// As mountinfo tells of it; the source is called like the type.
  std::string type = "tmpfs";
};

struct BindRequest {
  std::string from;
  std::string point;
  bool read_only = false;
};

class Vfs : public FileSystem {
 public:
  explicit Vfs(std::shared_ptr<Volume> root, bool read_only_root = false);

  // For the embedder, as user 0.

  /// ENOTDIR and what a path can give.
  Result<void> mount(const MountRequest& request);
  /// What is at `from`, without what is mounted below it, also at `point`; EINVAL where one is a
  /// directory and the other is not.
  Result<void> bind(const BindRequest& request);

  /// The parts of a file that are no holes.
  std::vector<DataRange> data_of(const Node& node) const;

  NodePtr root() const override;
  Result<NodePtr> lookup(PathAt path, Follow follow, const Caller& caller) override;
  Result<NodePtr> open(PathAt path, OpenFlags flags, std::uint32_t mode,
                       const Caller& caller) override;
  Result<void> access(PathAt path, AccessMask mask, const Caller& caller) override;
  Result<NodePtr> change_directory(PathAt path, const Caller& caller) override;
  Result<void> make_directory(PathAt path, std::uint32_t mode, const Caller& caller) override;
  Result<void> make_special(PathAt path, NewSpecial what, const Caller& caller) override;
  Result<void> make_symlink(std::string_view target, PathAt path, const Caller& caller) override;
  Result<void> link(PathAt from, PathAt to, Follow follow, const Caller& caller) override;
  Result<void> unlink(PathAt path, const Caller& caller) override;
  Result<void> remove_directory(PathAt path, const Caller& caller) override;
  Result<void> rename(PathAt from, PathAt to, const Caller& caller) override;
  Result<std::string> read_link(PathAt path, const Caller& caller) override;
  Result<void> truncate(PathAt path, std::uint64_t size, const Caller& caller) override;

  Result<Attributes> stat(const Node& node) const override;
  Result<void> change_mode(const Node& node, std::uint32_t mode, const Caller& caller) override;
  Result<void> change_owner(const Node& node, NewOwner owner, const Caller& caller) override;
  Result<void> set_times(const Node& node, NewTimes times, const Caller& caller) override;
  Result<void> truncate(const Node& node, std::uint64_t size, const Caller& caller) override;
  Result<std::size_t> read(const Node& node, std::uint64_t offset, std::span<std::byte> into,
                           const Caller& caller) override;
  Result<std::size_t> write(const Node& node, std::uint64_t offset, std::span<const std::byte> from,
                            const Caller& caller) override;
  Result<std::vector<DirEntry>> list(const Node& node, DirCursor& cursor, std::size_t limit,
                                     const Caller& caller) override;
  Result<std::string> path_of(const Node& directory) const override;
  std::string shown_path(const Node& node) const override;
  Result<std::optional<std::string>> text_of(const Node& node, const Caller& caller) const override;
  FilePtr open_file_of(const Node& node) const override;
  std::vector<MountInfo> mounts() const override;
  Result<VolumeFigures> figures(const Node& node) const override;
  std::optional<std::string> program_of(const Node& node) const override;

 private:
  /// Where the path leads to, which exists, and is a directory if a slash follows it.
  Result<Spot> find(PathAt path, LastLink last, const Caller& caller) const;
  /// The same, with how it was found.
  Result<Walked> find_walked(PathAt path, LastLink last, const Caller& caller) const;
  /// Where a new name may be: it does not exist, the directory may be changed.
  Result<Walked> find_place(PathAt path, bool for_directory, const Caller& caller) const;
  /// Whether the directory may get another name, and if not, why.
  static Errno may_add_to(const Spot& directory, const Caller& caller);
  /// Takes the last component, of kind kName, out of its directory.
  Result<void> remove_name(const Walked& walked, bool as_directory, const Caller& caller);
  Result<Ino> create_at(const Walked& place, NewInode inode, const Caller& caller);
  Result<Walked> create_or_find(PathAt path, OpenFlags flags, std::uint32_t mode,
                                const Caller& caller, bool& created);
  Result<void> check_open(const Spot& spot, OpenFlags flags, const Caller& caller) const;
  Result<void> check_rename(const Walked& from, const Walked& to, const Caller& caller) const;
  Result<void> check_replace(const Walked& to, const Attributes& moved, const Caller& caller) const;
  /// Whether `below` lies in the tree under `above`, or is it.
  static bool contains(const Spot& above, Spot below);
  Result<void> resize(const Spot& spot, std::uint64_t size, const Caller& caller);
  Result<void> place_mount(const std::string& point, Mount mount, bool of_directory);

  MountTable mounts_;
};

}  // namespace sandproof::machine
