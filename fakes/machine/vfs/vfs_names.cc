// SPDX-License-Identifier: Apache-2.0
// The calls that add, remove and move names; see vfs.h.
#include <utility>

#include "fakes/machine/vfs/permissions.h"
#include "fakes/machine/vfs/vfs.h"

namespace sandproof::machine {

Errno Vfs::may_add_to(const Spot& directory, const Caller& caller) {
  if (directory.mount->read_only) return Errno::kRofs;
  const Result<Attributes> attributes = directory.stat();
  return attributes ? may_change_names(caller, *attributes) : attributes.error();
}

Result<Walked> Vfs::find_place(PathAt path, bool for_directory, const Caller& caller) const {
  Result<Walked> walked = walk(mounts_, path, LastLink::kEntry, caller);
  if (!walked) return walked.error();
  if (walked->kind != Walked::Kind::kName || walked->spot) return Errno::kExist;
  if (walked->last_error != Errno::kOk) return walked->last_error;
  if (walked->slash_follows && !for_directory) return Errno::kNoent;
  const Errno allowed = may_add_to(walked->parent, caller);
  if (allowed != Errno::kOk) return allowed;
  return walked;
}

Result<Ino> Vfs::create_at(const Walked& place, NewInode inode, const Caller& caller) {
  constexpr std::uint32_t kGroupMayRun = 0010;
  const Result<Attributes> directory = place.parent.stat();
  if (!directory) return directory.error();
  inode.uid = caller.uid;
  inode.gid = caller.gid;
  if ((directory->mode & kSetGid) != 0) {
    inode.gid = directory->gid;
    const bool runs_as_group = (inode.mode & (kSetGid | kGroupMayRun)) == (kSetGid | kGroupMayRun);
    if (inode.type == FileType::kDirectory) {
      inode.mode |= kSetGid;
    } else if (runs_as_group && !in_group(caller, directory->gid) && !is_root(caller)) {
      inode.mode &= ~kSetGid;
    }
  }
  return place.parent.volume().create({place.parent.ino, place.name}, inode, caller.now);
}

Result<void> Vfs::make_directory(PathAt path, std::uint32_t mode, const Caller& caller) {
  const Result<Walked> place = find_place(path, true, caller);
  if (!place) return place.error();
  NewInode inode;
  inode.type = FileType::kDirectory;
  inode.mode = mode & (0777 | kSticky);
  return create_at(*place, std::move(inode), caller).error();
}

Result<void> Vfs::make_special(PathAt path, NewSpecial what, const Caller& caller) {
  const bool is_device = what.type == FileType::kCharDevice;
  if (!is_device && what.type != FileType::kFifo) return Errno::kInval;
  const Result<Walked> place = find_place(path, false, caller);
  if (!place) return place.error();
  if (is_device && !is_root(caller)) return Errno::kPerm;
  NewInode inode;
  inode.type = what.type;
  inode.device = is_device ? what.device : DeviceKind::kNone;
  inode.mode = what.mode;
  return create_at(*place, std::move(inode), caller).error();
}

Result<void> Vfs::make_symlink(std::string_view target, PathAt path, const Caller& caller) {
  if (target.empty()) return Errno::kNoent;
  if (target.size() >= kPathMax) return Errno::kNametoolong;
  const Result<Walked> place = find_place(path, false, caller);
  if (!place) return place.error();
  NewInode inode;
  inode.type = FileType::kSymlink;
  inode.mode = 0777;
  inode.target = std::string(target);
  return create_at(*place, std::move(inode), caller).error();
}

Result<void> Vfs::link(PathAt from, PathAt to, Follow follow, const Caller& caller) {
  const LastLink last = follow == Follow::kYes ? LastLink::kFollow : LastLink::kKeep;
  const Result<Spot> file = find(from, last, caller);
  if (!file) return file.error();
  const Result<Walked> walked = walk(mounts_, to, LastLink::kEntry, caller);
  if (!walked) return walked.error();
  if (walked->kind != Walked::Kind::kName || walked->spot) return Errno::kExist;
  if (walked->last_error != Errno::kOk) return walked->last_error;
  if (walked->slash_follows) return Errno::kNoent;
  if (walked->parent.mount->read_only) return Errno::kRofs;
  if (walked->parent.mount != file->mount) return Errno::kXdev;
  const Result<Attributes> linked = file->stat();
  if (!linked) return linked.error();
  if (!may_link(caller, *linked)) return Errno::kPerm;
  const Result<Attributes> directory = walked->parent.stat();
  if (!directory) return directory.error();
  const Errno allowed = may_change_names(caller, *directory);
  if (allowed != Errno::kOk) return allowed;
  if (linked->type == FileType::kDirectory) return Errno::kPerm;
  return file->volume().link({walked->parent.ino, walked->name}, file->ino, caller.now);
}

Result<void> Vfs::unlink(PathAt path, const Caller& caller) {
  const Result<Walked> walked = walk(mounts_, path, LastLink::kEntry, caller);
  if (!walked) return walked.error();
  if (walked->kind != Walked::Kind::kName) return Errno::kIsdir;
  return remove_name(*walked, false, caller);
}

Result<void> Vfs::remove_directory(PathAt path, const Caller& caller) {
  const Result<Walked> walked = walk(mounts_, path, LastLink::kEntry, caller);
  if (!walked) return walked.error();
  if (walked->kind == Walked::Kind::kDot) return Errno::kInval;
  if (walked->kind == Walked::Kind::kDotDot) return Errno::kNotempty;
  if (walked->kind == Walked::Kind::kRoot) return Errno::kBusy;
  return remove_name(*walked, true, caller);
}

Result<void> Vfs::remove_name(const Walked& walked, bool as_directory, const Caller& caller) {
  if (walked.parent.mount->read_only) return Errno::kRofs;
  if (walked.last_error != Errno::kOk) return walked.last_error;
  if (!walked.spot) return Errno::kNoent;
  const Result<Attributes> victim = walked.spot->stat();
  const Result<Attributes> directory = walked.parent.stat();
  if (!victim) return victim.error();
  if (!directory) return directory.error();
  if (walked.slash_follows && !as_directory) {
    return victim->type == FileType::kDirectory ? Errno::kIsdir : Errno::kNotdir;
  }
  const Errno allowed = may_remove(caller, *directory, *victim, as_directory);
  if (allowed != Errno::kOk) return allowed;
  if (walked.spot->mount != walked.parent.mount) return Errno::kBusy;
  return walked.parent.volume().remove({walked.parent.ino, walked.name}, caller.now);
}

Result<void> Vfs::rename(PathAt from_path, PathAt to_path, const Caller& caller) {
  const Result<Walked> from = walk(mounts_, from_path, LastLink::kEntry, caller);
  if (!from) return from.error();
  const Result<Walked> to = walk(mounts_, to_path, LastLink::kEntry, caller);
  if (!to) return to.error();
  // Of "/", "." and "..", it matters first whether they are elsewhere.
  const auto holder = [](const Walked& walked) {
    return walked.kind == Walked::Kind::kName ? walked.parent.mount : walked.spot->mount;
  };
  if (holder(*from) != holder(*to)) return Errno::kXdev;
  if (from->kind != Walked::Kind::kName || to->kind != Walked::Kind::kName) return Errno::kBusy;
  if (from->parent.mount->read_only) return Errno::kRofs;
  const Result<void> allowed = check_rename(*from, *to, caller);
  if (!allowed) return allowed;
  if (to->spot && *from->spot == *to->spot) return {};
  return from->parent.volume().rename({from->parent.ino, from->name}, {to->parent.ino, to->name},
                                      caller.now);
}

Result<void> Vfs::check_rename(const Walked& from, const Walked& to, const Caller& caller) const {
  if (from.last_error != Errno::kOk) return from.last_error;
  if (!from.spot) return Errno::kNoent;
  if (to.last_error != Errno::kOk) return to.last_error;
  const Result<Attributes> moved = from.spot->stat();
  const Result<Attributes> old_directory = from.parent.stat();
  if (!moved) return moved.error();
  if (!old_directory) return old_directory.error();
  const bool is_directory = moved->type == FileType::kDirectory;
  if (!is_directory && (from.slash_follows || to.slash_follows)) return Errno::kNotdir;
  if (is_directory && contains(*from.spot, to.parent)) return Errno::kInval;
  if (to.spot && contains(*to.spot, from.parent)) return Errno::kNotempty;
  if (to.spot && *to.spot == *from.spot) return {};
  const Errno removable = may_remove(caller, *old_directory, *moved, is_directory);
  if (removable != Errno::kOk) return removable;
  const Result<void> replaceable = check_replace(to, *moved, caller);
  if (!replaceable) return replaceable;
  // Its ".." changes.
  if (is_directory && from.parent != to.parent && !may(caller, *moved, {.write = true})) {
    return Errno::kAcces;
  }
  const bool mounted_on =
      from.spot->mount != from.parent.mount || (to.spot && to.spot->mount != to.parent.mount);
  return mounted_on ? Result<void>(Errno::kBusy) : Result<void>();
}

Result<void> Vfs::check_replace(const Walked& to, const Attributes& moved,
                                const Caller& caller) const {
  const Result<Attributes> directory = to.parent.stat();
  if (!directory) return directory.error();
  if (!to.spot) return may_change_names(caller, *directory);
  const Result<Attributes> victim = to.spot->stat();
  if (!victim) return victim.error();
  return may_remove(caller, *directory, *victim, moved.type == FileType::kDirectory);
}

bool Vfs::contains(const Spot& above, Spot below) {
  if (above.mount != below.mount) return false;
  for (;;) {
    if (below == above) return true;
    if (below.is_mount_root()) return false;
    const Result<Ino> parent = below.volume().parent(below.ino);
    if (!parent || *parent == below.ino) return false;
    below.ino = *parent;
  }
}

}  // namespace sandproof::machine
