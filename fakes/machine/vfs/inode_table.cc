// SPDX-License-Identifier: Apache-2.0
// Walking, unsharing and pruning the radix tree; see inode_table.h.
#include "fakes/machine/vfs/inode_table.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sandproof::machine {
namespace {

template <typename T>
T& unshared(std::shared_ptr<void>& slot) {
  if (!slot) {
    slot = std::make_shared<T>();
  } else if (slot.use_count() > 1) {
    slot = std::make_shared<T>(*static_cast<const T*>(slot.get()));
  }
  return *static_cast<T*>(slot.get());
}

}  // namespace

bool InodeTable::covers(Ino ino) const {
  const int bits = kBits * levels_;
  return bits >= 64 || (ino >> bits) == 0;
}

const Inode* InodeTable::find(Ino ino) const {
  if (!covers(ino)) return nullptr;
  const void* at = root_.get();
  for (int level = levels_ - 1; level >= 0 && at != nullptr; --level) {
    at = static_cast<const Branch*>(at)->slots[slot_of(ino, level)].get();
  }
  return static_cast<const Inode*>(at);
}

std::shared_ptr<void>& InodeTable::slot_for_change(Ino ino) {
  while (!covers(ino)) {
    if (root_) {
      auto above = std::make_shared<Branch>();
      above->slots[0] = std::exchange(root_, nullptr);
      root_ = std::move(above);
    }
    ++levels_;
  }
  std::shared_ptr<void>* slot = &root_;
  for (int level = levels_ - 1; level >= 0; --level) {
    slot = &unshared<Branch>(*slot).slots[slot_of(ino, level)];
  }
  return *slot;
}

Inode& InodeTable::change(Ino ino) {
  assert(find(ino) != nullptr);
  return unshared<Inode>(slot_for_change(ino));
}

void InodeTable::insert(Ino ino, Inode inode) {
  assert(find(ino) == nullptr);
  slot_for_change(ino) = std::make_shared<Inode>(std::move(inode));
}

void InodeTable::erase(Ino ino) {
  if (find(ino) == nullptr) return;
  if (erase_below(root_, ino, levels_ - 1)) root_ = nullptr;
}

std::size_t InodeTable::count_branches(const std::shared_ptr<void>& branch, int level) {
  if (!branch) return 0;
  std::size_t count = 1;
  if (level == 0) return count;
  for (const auto& slot : static_cast<const Branch*>(branch.get())->slots) {
    count += count_branches(slot, level - 1);
  }
  return count;
}

bool InodeTable::erase_below(std::shared_ptr<void>& branch, Ino ino, int level) {
  auto& slots = unshared<Branch>(branch).slots;
  std::shared_ptr<void>& slot = slots[slot_of(ino, level)];
  if (level == 0 || erase_below(slot, ino, level - 1)) slot = nullptr;
  return std::all_of(slots.begin(), slots.end(), [](const auto& other) { return !other; });
}

}  // namespace sandproof::machine
