// SPDX-License-Identifier: Apache-2.0
// The volume that keeps files, in memory. A snapshot of it costs a few pointers, and so does a tree
// that begins as one: images, boxes and snapshots share what none of them has changed. A directory
// is copied as a whole at its first change after that. One thread per machine.
#pragma once

#include <unordered_map>

#include "fakes/machine/vfs/inode_table.h"
#include "fakes/machine/vfs/volume.h"

namespace sandproof::machine {

/// A frozen tree: an image, a layer, a snapshot. Values; copies share everything.
struct TreeSnapshot {
  InodeTable inodes;
  Ino next = 0;
  std::uint64_t blocks = 0;
  std::uint64_t files = 0;
  std::vector<Ino> nameless;  // Open somewhere when it was taken: not in a tree made of it.
};

/// What the tree may hold altogether, what it shares with its image included. Defaults: more than a
/// test needs by intent, less than what the host would feel.
struct TreeLimits {
  std::uint64_t bytes = std::uint64_t{4} << 30;
  std::uint64_t inodes = 1'000'000;
};

class Tree : public Volume {
 public:
  /// An empty one: a root directory of 0:0 with `mode`.
  Tree(std::uint64_t id, TreeLimits limits, std::uint32_t root_mode, TimeNs now);
  Tree(std::uint64_t id, TreeLimits limits, const TreeSnapshot& from);

  TreeSnapshot snapshot() const;
  /// Lower limits than what is in use refuse growth, and remove nothing.
  void set_limits(TreeLimits limits) { limits_ = limits; }

  Ino root() const override { return kRoot; }
  Result<Attributes> stat(Ino ino) const override;
  Result<Ino> find(NameIn name, const Caller& caller) const override;
  Result<Ino> parent(Ino directory) const override;
  Result<std::string> target(Ino symlink, const Caller& caller) const override;
  Result<std::vector<DirEntry>> list(Ino directory, std::string_view after, std::size_t limit,
                                     const Caller& caller) const override;
  Result<std::size_t> read(Ino ino, std::uint64_t offset, std::span<std::byte> into,
                           const Caller& caller) const override;
  VolumeFigures figures() const override;
  std::vector<DataRange> data_of(Ino ino) const override;
  void pin(Ino ino) override;
  void unpin(Ino ino) override;

  Result<Ino> create(NameIn name, const NewInode& inode, TimeNs now) override;
  Result<void> link(NameIn name, Ino ino, TimeNs now) override;
  Result<void> remove(NameIn name, TimeNs now) override;
  Result<void> rename(NameIn from, NameIn to, TimeNs now) override;
  Result<void> set_mode(Ino ino, std::uint32_t mode, TimeNs now) override;
  Result<void> set_owner(Ino ino, std::uint32_t uid, std::uint32_t gid, TimeNs now) override;
  Result<void> set_times(Ino ino, TimeNs accessed, TimeNs modified, TimeNs now) override;
  Result<void> resize(Ino ino, std::uint64_t size, TimeNs now) override;
  Result<std::size_t> write(Ino ino, std::uint64_t offset, std::span<const std::byte> from,
                            const Caller& caller) override;

 private:
  static constexpr Ino kRoot = 2;                   // As ext4's.
  static constexpr std::uint32_t kLinkMax = 65000;  // As ext4's.

  /// A directory that has not been removed.
  const Directory* living_directory(Ino ino) const;
  std::uint64_t free_blocks() const;
  void add_entry(NameIn name, Ino ino, TimeNs now);
  void remove_entry(NameIn name, TimeNs now);
  /// One name less; the inode goes with the last one, unless it is held.
  void drop_link(Ino ino, TimeNs now);
  void discard(Ino ino);

  InodeTable inodes_;
  TreeLimits limits_;
  Ino next_ = kRoot;
  std::uint64_t blocks_ = 0;
  std::uint64_t files_ = 0;
  std::unordered_map<Ino, std::uint64_t> pins_;
};

}  // namespace sandproof::machine
