// SPDX-License-Identifier: Apache-2.0
// The inodes of a tree: snapshots, attributes, contents, lifetimes. The names: tree_names.cc.
#include "fakes/machine/vfs/tree.h"

#include <algorithm>

namespace sandproof::machine {

Tree::Tree(std::uint64_t id, TreeLimits limits, std::uint32_t root_mode, TimeNs now)
    : Volume(id), limits_(limits) {
  Inode root;
  root.type = FileType::kDirectory;
  root.mode = root_mode & kModeBits;
  root.links = 2;
  root.accessed = root.modified = root.changed = now;
  root.payload = Directory{{}, kRoot};
  inodes_.insert(kRoot, std::move(root));
  next_ = kRoot + 1;
  files_ = 1;
}

Tree::Tree(std::uint64_t id, TreeLimits limits, const TreeSnapshot& from)
    : Volume(id),
      inodes_(from.inodes),
      limits_(limits),
      next_(from.next),
      blocks_(from.blocks),
      files_(from.files) {
  for (const Ino ino : from.nameless) discard(ino);
}

TreeSnapshot Tree::snapshot() const {
  TreeSnapshot taken{inodes_, next_, blocks_, files_, {}};
  for (const auto& [ino, count] : pins_) {
    if (inodes_.find(ino)->links == 0) taken.nameless.push_back(ino);
  }
  return taken;
}

std::vector<DataRange> Tree::data_of(Ino ino) const {
  const Inode* inode = inodes_.find(ino);
  if (inode == nullptr || !inode->contents()) return {};
  return inode->contents()->data();
}

Result<Attributes> Tree::stat(Ino ino) const {
  const Inode* inode = inodes_.find(ino);
  if (inode == nullptr) return Errno::kNoent;
  Attributes told;
  told.volume = id();
  told.ino = ino;
  told.type = inode->type;
  told.device = inode->device;
  told.mode = inode->mode;
  told.links = inode->links;
  told.uid = inode->uid;
  told.gid = inode->gid;
  told.accessed = inode->accessed;
  told.modified = inode->modified;
  told.changed = inode->changed;
  if (const Contents* contents = inode->contents()) {
    told.size = contents->size();
    told.blocks = contents->blocks() * (kBlockBytes / 512);
  } else if (inode->directory()) {
    told.size = kBlockBytes;
  } else if (const std::string* text = inode->target()) {
    told.size = text->size();
  }
  return told;
}

Result<std::string> Tree::target(Ino symlink, const Caller&) const {
  const Inode* inode = inodes_.find(symlink);
  if (inode == nullptr) return Errno::kNoent;
  if (!inode->target()) return Errno::kInval;
  return *inode->target();
}

Result<std::size_t> Tree::read(Ino ino, std::uint64_t offset, std::span<std::byte> into,
                               const Caller&) const {
  const Inode* inode = inodes_.find(ino);
  if (inode == nullptr) return Errno::kNoent;
  if (inode->directory()) return Errno::kIsdir;
  if (!inode->contents()) return Errno::kInval;
  return inode->contents()->read(offset, into);
}

Result<std::size_t> Tree::write(Ino ino, std::uint64_t offset, std::span<const std::byte> from,
                                const Caller& caller) {
  const Inode* found = inodes_.find(ino);
  if (found == nullptr) return Errno::kNoent;
  if (!found->contents()) return Errno::kInval;
  if (from.empty()) return std::size_t{0};
  if (offset >= kFileSizeMax) return Errno::kFbig;
  from = from.first(std::min<std::uint64_t>(from.size(), kFileSizeMax - offset));
  Inode& inode = inodes_.change(ino);
  const std::uint64_t before = inode.contents()->blocks();
  const std::size_t written = inode.contents()->write(offset, from, free_blocks());
  blocks_ += inode.contents()->blocks() - before;
  if (written == 0) return Errno::kNospc;
  inode.modified = inode.changed = caller.now;
  return written;
}

Result<void> Tree::resize(Ino ino, std::uint64_t size, TimeNs now) {
  const Inode* found = inodes_.find(ino);
  if (found == nullptr) return Errno::kNoent;
  if (!found->contents()) return Errno::kInval;
  if (size > kFileSizeMax) return Errno::kFbig;
  Inode& inode = inodes_.change(ino);
  const std::uint64_t before = inode.contents()->blocks();
  inode.contents()->resize(size);
  blocks_ -= before - inode.contents()->blocks();
  inode.modified = inode.changed = now;
  return {};
}

Result<void> Tree::set_mode(Ino ino, std::uint32_t mode, TimeNs now) {
  if (inodes_.find(ino) == nullptr) return Errno::kNoent;
  Inode& inode = inodes_.change(ino);
  inode.mode = mode & kModeBits;
  inode.changed = now;
  return {};
}

Result<void> Tree::set_owner(Ino ino, std::uint32_t uid, std::uint32_t gid, TimeNs now) {
  if (inodes_.find(ino) == nullptr) return Errno::kNoent;
  Inode& inode = inodes_.change(ino);
  inode.uid = uid;
  inode.gid = gid;
  inode.changed = now;
  return {};
}

Result<void> Tree::set_times(Ino ino, TimeNs accessed, TimeNs modified, TimeNs now) {
  if (inodes_.find(ino) == nullptr) return Errno::kNoent;
  Inode& inode = inodes_.change(ino);
  inode.accessed = accessed;
  inode.modified = modified;
  inode.changed = now;
  return {};
}

VolumeFigures Tree::figures() const {
  VolumeFigures told;
  told.blocks = limits_.bytes / kBlockBytes;
  told.blocks_free = free_blocks();
  told.inodes = limits_.inodes;
  told.inodes_free = limits_.inodes - std::min(limits_.inodes, files_);
  return told;
}

std::uint64_t Tree::free_blocks() const {
  const std::uint64_t all = limits_.bytes / kBlockBytes;
  return all - std::min(all, blocks_);
}

void Tree::pin(Ino ino) {
  if (inodes_.find(ino) != nullptr) ++pins_[ino];
}

void Tree::unpin(Ino ino) {
  const auto found = pins_.find(ino);
  if (found == pins_.end() || --found->second > 0) return;
  pins_.erase(found);
  const Inode* inode = inodes_.find(ino);
  if (inode != nullptr && inode->links == 0) discard(ino);
}

void Tree::drop_link(Ino ino, TimeNs now) {
  Inode& inode = inodes_.change(ino);
  inode.changed = now;
  // A directory has one name; its "." goes with it.
  inode.links = inode.directory() ? 0 : inode.links - 1;
  if (inode.links == 0 && !pins_.contains(ino)) discard(ino);
}

void Tree::discard(Ino ino) {
  const Inode* inode = inodes_.find(ino);
  if (inode == nullptr) return;
  if (inode->contents()) blocks_ -= inode->contents()->blocks();
  --files_;
  inodes_.erase(ino);
}

}  // namespace sandproof::machine
