// SPDX-License-Identifier: Apache-2.0
// Mounts, looking up and opening; see vfs.h. The calls that change names are in vfs_names.cc, those
// on nodes in vfs_nodes.cc.
#include "fakes/machine/vfs/vfs.h"

#include <algorithm>
#include <utility>

#include "fakes/machine/vfs/permissions.h"

namespace sandproof::machine {
namespace {

bool is_special(FileType type) { return type == FileType::kFifo || type == FileType::kCharDevice; }

}  // namespace

Vfs::Vfs(std::shared_ptr<Volume> root, bool read_only_root) {
  const Ino ino = root->root();
  Mount mount{.volume = std::move(root), .root = ino, .read_only = read_only_root};
  mount.type = mount.source = "overlay";
  mounts_.root = std::make_shared<const Mount>(std::move(mount));
}

NodePtr Vfs::root() const {
  return std::make_shared<const Node>(mounts_.covered(mounts_.root_spot()));
}

Result<void> Vfs::mount(const MountRequest& request) {
  const Ino top = request.volume->root();
  Mount mount{.volume = request.volume, .root = top, .read_only = request.read_only};
  mount.type = mount.source = request.type;
  return place_mount(request.point, std::move(mount), true);
}

Result<void> Vfs::bind(const BindRequest& request) {
  const NodePtr at = root();
  const Result<Spot> from = find({at, request.from}, LastLink::kFollow, {});
  if (!from) return from.error();
  const Result<Attributes> file = from->stat();
  if (!file) return file.error();
  const bool read_only = request.read_only || from->mount->read_only;
  Mount mount{.volume = from->mount->volume, .root = from->ino, .read_only = read_only};
  mount.type = from->mount->type;
  mount.source = from->mount->source;
  mount.root_path = request.from;
  return place_mount(request.point, std::move(mount), file->type == FileType::kDirectory);
}

Result<void> Vfs::place_mount(const std::string& point, Mount mount, bool of_directory) {
  const NodePtr at = root();
  const Result<Spot> spot = find({at, point}, LastLink::kFollow, {});
  if (!spot) return spot.error();
  const Result<Attributes> file = spot->stat();
  if (!file) return file.error();
  if ((file->type == FileType::kDirectory) != of_directory) {
    return of_directory ? Errno::kNotdir : Errno::kInval;
  }
  mount.above = spot->mount;
  mount.point_path = point;
  mount.point = spot->ino;
  mounts_.mounted.push_back(std::make_shared<const Mount>(std::move(mount)));
  return {};
}

Result<Walked> Vfs::find_walked(PathAt path, LastLink last, const Caller& caller) const {
  Result<Walked> walked = walk(mounts_, path, last, caller);
  if (!walked) return walked;
  if (!walked->spot) return Errno::kNoent;
  if (walked->slash_follows) {
    const Result<Attributes> file = walked->spot->stat();
    if (!file) return file.error();
    if (file->type != FileType::kDirectory) return Errno::kNotdir;
  }
  return walked;
}

std::vector<MountInfo> Vfs::mounts() const {
  constexpr int kRootId = 1;
  std::vector<MountPtr> all = {mounts_.root};
  all.insert(all.end(), mounts_.mounted.begin(), mounts_.mounted.end());
  std::vector<MountInfo> told;
  for (const MountPtr& mount : all) {
    const auto above = std::find(all.begin(), all.end(), mount->above);
    told.push_back(
        {.id = kRootId + static_cast<int>(told.size()),
         .parent = above == all.end() ? 0 : kRootId + static_cast<int>(above - all.begin()),
         .volume = mount->volume->id(),
         .root = mount->root_path,
         .point = mount->point_path,
         .read_only = mount->read_only,
         .type = mount->type,
         .source = mount->source});
  }
  return told;
}

Result<Spot> Vfs::find(PathAt path, LastLink last, const Caller& caller) const {
  const Result<Walked> walked = find_walked(path, last, caller);
  if (!walked) return walked.error();
  return *walked->spot;
}

Result<NodePtr> Vfs::lookup(PathAt path, Follow follow, const Caller& caller) {
  const LastLink last = follow == Follow::kYes ? LastLink::kFollow : LastLink::kKeep;
  const Result<Walked> walked = find_walked(path, last, caller);
  if (!walked) return walked.error();
  return walked->node();
}

Result<NodePtr> Vfs::change_directory(PathAt path, const Caller& caller) {
  const Result<Walked> walked = find_walked(path, LastLink::kFollow, caller);
  if (!walked) return walked.error();
  const Result<Attributes> file = walked->spot->stat();
  if (!file) return file.error();
  if (file->type != FileType::kDirectory) return Errno::kNotdir;
  if (!may(caller, *file, {.execute = true})) return Errno::kAcces;
  return walked->node();
}

Result<void> Vfs::access(PathAt path, AccessMask mask, const Caller& caller) {
  const Result<Spot> spot = find(path, LastLink::kFollow, caller);
  if (!spot) return spot.error();
  const Result<Attributes> file = spot->stat();
  if (!file) return file.error();
  if (!may(caller, *file, mask)) return Errno::kAcces;
  if (mask.write && spot->mount->read_only && !is_special(file->type)) return Errno::kRofs;
  return {};
}

Result<std::string> Vfs::read_link(PathAt path, const Caller& caller) {
  const Result<Spot> spot = find(path, LastLink::kKeep, caller);
  if (!spot) return spot.error();
  const Result<Attributes> file = spot->stat();
  if (!file) return file.error();
  if (file->type != FileType::kSymlink) return Errno::kInval;
  return spot->volume().target(spot->ino, caller);
}

Result<void> Vfs::truncate(PathAt path, std::uint64_t size, const Caller& caller) {
  const Result<Spot> spot = find(path, LastLink::kFollow, caller);
  if (!spot) return spot.error();
  const Result<Attributes> file = spot->stat();
  if (!file) return file.error();
  if (file->type == FileType::kDirectory) return Errno::kIsdir;
  if (file->type != FileType::kRegular) return Errno::kInval;
  if (spot->mount->read_only) return Errno::kRofs;
  if (!may(caller, *file, {.write = true})) return Errno::kAcces;
  return resize(*spot, size, caller);
}

Result<NodePtr> Vfs::open(PathAt path, OpenFlags flags, std::uint32_t mode, const Caller& caller) {
  if (flags.create && flags.directory) return Errno::kInval;
  bool created = false;
  const Result<Walked> walked = create_or_find(path, flags, mode, caller, created);
  if (!walked) return walked.error();
  const Spot& spot = *walked->spot;
  if (!created) {
    const Result<void> allowed = check_open(spot, flags, caller);
    if (!allowed) return allowed.error();
  }
  NodePtr node = walked->node();
  if (flags.truncate && !created && spot.stat().value().type == FileType::kRegular) {
    const Result<void> cut = resize(spot, 0, caller);
    if (!cut) return cut.error();
  }
  return node;
}

Result<Walked> Vfs::create_or_find(PathAt path, OpenFlags flags, std::uint32_t mode,
                                   const Caller& caller, bool& created) {
  const bool stop_at_link = flags.no_follow || (flags.create && flags.exclusive);
  if (!flags.create) {
    return find_walked(path, stop_at_link ? LastLink::kKeep : LastLink::kFollow, caller);
  }
  const LastLink last = stop_at_link ? LastLink::kEntry : LastLink::kCreate;
  Result<Walked> walked = walk(mounts_, path, last, caller);
  if (!walked) return walked;
  if (walked->kind == Walked::Kind::kName && walked->slash_follows) return Errno::kIsdir;
  if (walked->last_error != Errno::kOk) return walked->last_error;
  if (walked->spot) {
    if (flags.exclusive) return Errno::kExist;
    return walked;
  }
  const Errno allowed = may_add_to(walked->parent, caller);
  if (allowed != Errno::kOk) return allowed;
  NewInode inode;
  inode.mode = mode;
  const Result<Ino> made = create_at(*walked, std::move(inode), caller);
  if (!made) return made.error();
  created = true;
  walked->spot = Spot{walked->parent.mount, *made};
  return walked;
}

Result<void> Vfs::check_open(const Spot& spot, OpenFlags flags, const Caller& caller) const {
  const Result<Attributes> file = spot.stat();
  if (!file) return file.error();
  const bool writes = flags.write || flags.truncate;
  const bool is_directory = file->type == FileType::kDirectory;
  if (flags.create && is_directory) return Errno::kIsdir;
  if (flags.directory && !is_directory) return Errno::kNotdir;
  if (file->type == FileType::kSymlink) return Errno::kLoop;
  const bool read_only = spot.mount->read_only && !is_special(file->type);
  if (flags.truncate && file->type == FileType::kRegular && read_only) return Errno::kRofs;
  if (is_directory && writes) return Errno::kIsdir;
  if (!may(caller, *file, {.read = flags.read, .write = writes})) return Errno::kAcces;
  if (writes && read_only) return Errno::kRofs;
  return {};
}

}  // namespace sandproof::machine
