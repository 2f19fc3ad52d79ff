// SPDX-License-Identifier: Apache-2.0
// The directories of a tree: finding, adding, removing and moving names; see tree.h.
#include <utility>

#include "fakes/machine/vfs/tree.h"

namespace sandproof::machine {

const Directory* Tree::living_directory(Ino ino) const {
  const Inode* inode = inodes_.find(ino);
  return inode != nullptr && inode->links > 0 ? inode->directory() : nullptr;
}

Result<Ino> Tree::find(NameIn name, const Caller&) const {
  const Directory* directory = living_directory(name.directory);
  if (directory == nullptr) return Errno::kNoent;
  const auto found = directory->entries.find(name.name);
  if (found == directory->entries.end()) return Errno::kNoent;
  return found->second;
}

Result<Ino> Tree::parent(Ino directory) const {
  const Inode* inode = inodes_.find(directory);
  if (inode == nullptr) return Errno::kNoent;
  if (!inode->directory()) return Errno::kNotdir;
  return inode->directory()->parent;
}

Result<std::vector<DirEntry>> Tree::list(Ino directory, std::string_view after, std::size_t limit,
                                         const Caller&) const {
  const Directory* living = living_directory(directory);
  if (living == nullptr) return Errno::kNoent;
  std::vector<DirEntry> told;
  // No name is empty: after "" come all.
  for (auto it = living->entries.upper_bound(after); it != living->entries.end(); ++it) {
    if (told.size() == limit) break;
    told.push_back({it->first, it->second, inodes_.find(it->second)->type});
  }
  return told;
}

Result<Ino> Tree::create(NameIn name, const NewInode& wanted, TimeNs now) {
  const Directory* directory = living_directory(name.directory);
  if (directory == nullptr) return Errno::kNoent;
  if (directory->entries.contains(name.name)) return Errno::kExist;
  const bool is_directory = wanted.type == FileType::kDirectory;
  if (is_directory && inodes_.find(name.directory)->links >= kLinkMax) return Errno::kMlink;
  if (files_ >= limits_.inodes) return Errno::kNospc;

  Inode inode;
  inode.type = wanted.type;
  inode.device = wanted.device;
  inode.mode = wanted.mode & kModeBits;
  inode.links = is_directory ? 2 : 1;
  inode.uid = wanted.uid;
  inode.gid = wanted.gid;
  inode.accessed = inode.modified = inode.changed = now;
  if (wanted.type == FileType::kRegular) inode.payload = Contents{};
  if (is_directory) inode.payload = Directory{{}, name.directory};
  if (wanted.type == FileType::kSymlink) inode.payload = wanted.target;
  const Ino ino = next_++;
  inodes_.insert(ino, std::move(inode));
  ++files_;
  add_entry(name, ino, now);
  return ino;
}

Result<void> Tree::link(NameIn name, Ino ino, TimeNs now) {
  const Directory* directory = living_directory(name.directory);
  const Inode* inode = inodes_.find(ino);
  if (directory == nullptr || inode == nullptr || inode->links == 0) return Errno::kNoent;
  if (inode->directory()) return Errno::kPerm;
  if (directory->entries.contains(name.name)) return Errno::kExist;
  if (inode->links >= kLinkMax) return Errno::kMlink;
  Inode& linked = inodes_.change(ino);
  ++linked.links;
  linked.changed = now;
  add_entry(name, ino, now);
  return {};
}

Result<void> Tree::remove(NameIn name, TimeNs now) {
  const Result<Ino> ino = find(name, {});
  if (!ino) return ino.error();
  const Directory* victim = inodes_.find(*ino)->directory();
  if (victim != nullptr && !victim->entries.empty()) return Errno::kNotempty;
  remove_entry(name, now);
  drop_link(*ino, now);
  return {};
}

Result<void> Tree::rename(NameIn from, NameIn to, TimeNs now) {
  const Result<Ino> moved = find(from, {});
  if (!moved) return moved.error();
  if (living_directory(to.directory) == nullptr) return Errno::kNoent;
  const Result<Ino> victim = find(to, {});
  if (victim && *victim == *moved) return {};
  const bool is_directory = inodes_.find(*moved)->directory() != nullptr;
  if (victim) {
    const Directory* replaced = inodes_.find(*victim)->directory();
    if (is_directory && replaced == nullptr) return Errno::kNotdir;
    if (!is_directory && replaced != nullptr) return Errno::kIsdir;
    if (replaced != nullptr && !replaced->entries.empty()) return Errno::kNotempty;
  } else if (is_directory && from.directory != to.directory &&
             inodes_.find(to.directory)->links >= kLinkMax) {
    return Errno::kMlink;
  }
  remove_entry(from, now);
  if (victim) {
    remove_entry(to, now);
    drop_link(*victim, now);
  }
  Inode& inode = inodes_.change(*moved);
  inode.changed = now;
  if (inode.directory()) inode.directory()->parent = to.directory;
  add_entry(to, *moved, now);
  return {};
}

void Tree::add_entry(NameIn name, Ino ino, TimeNs now) {
  const bool is_directory = inodes_.find(ino)->directory() != nullptr;
  Inode& holder = inodes_.change(name.directory);
  holder.directory()->entries.emplace(std::string(name.name), ino);
  if (is_directory) ++holder.links;  // Its "..".
  holder.modified = holder.changed = now;
}

void Tree::remove_entry(NameIn name, TimeNs now) {
  Inode& holder = inodes_.change(name.directory);
  const auto found = holder.directory()->entries.find(name.name);
  if (inodes_.find(found->second)->directory() != nullptr) --holder.links;
  holder.directory()->entries.erase(found);
  holder.modified = holder.changed = now;
}

}  // namespace sandproof::machine
