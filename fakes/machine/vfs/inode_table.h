// SPDX-License-Identifier: Apache-2.0
// Inodes by number, as a persistent radix tree: copying a table costs one pointer, whatever it
// holds, and a change copies the path to what changes, once, as far as it is shared. That is what
// layers, images and snapshots are made of. One thread per machine.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "fakes/machine/vfs/inode.h"

namespace sandproof::machine {

class InodeTable {
 public:
  /// nullptr if there is none. Valid until the table changes.
  const Inode* find(Ino ino) const;
  /// The inode for a change: no longer shared with a copy of the table. There is one; valid until
  /// the table is copied or changes.
  Inode& change(Ino ino);
  /// There is none of that number yet.
  void insert(Ino ino, Inode inode);
  void erase(Ino ino);
  /// Of the tree: what the table itself costs, whoever shares it.
  std::size_t branches() const { return count_branches(root_, levels_ - 1); }

 private:
  // 16: a path of a few small nodes is copied, not of large ones.
  static constexpr int kBits = 4;
  static constexpr std::size_t kFanout = std::size_t{1} << kBits;

  struct Branch {
    // Branches, or in the lowest level inodes.
    std::array<std::shared_ptr<void>, kFanout> slots;
  };

  static std::size_t slot_of(Ino ino, int level) { return (ino >> (kBits * level)) % kFanout; }
  bool covers(Ino ino) const;
  /// Unshares the way to the slot, and makes what is missing on it.
  std::shared_ptr<void>& slot_for_change(Ino ino);
  /// Whether the branch is empty afterwards.
  static bool erase_below(std::shared_ptr<void>& branch, Ino ino, int level);

  static std::size_t count_branches(const std::shared_ptr<void>& branch, int level);

  std::shared_ptr<void> root_;
  int levels_ = 1;
};

}  // namespace sandproof::machine
