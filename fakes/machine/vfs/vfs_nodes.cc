// SPDX-License-Identifier: Apache-2.0
// The calls on files that are held: attributes, contents, listing; see vfs.h.
#include <algorithm>
#include <array>
#include <utility>

#include "fakes/machine/vfs/permissions.h"
#include "fakes/machine/vfs/program_file.h"
#include "fakes/machine/vfs/vfs.h"

namespace sandproof::machine {

Result<Attributes> Vfs::stat(const Node& node) const { return node.spot().stat(); }

Result<void> Vfs::change_mode(const Node& node, std::uint32_t mode, const Caller& caller) {
  const Spot& spot = node.spot();
  const Result<Attributes> file = spot.stat();
  if (!file) return file.error();
  if (spot.mount->read_only) return Errno::kRofs;
  if (file->type == FileType::kSymlink) return Errno::kNotsup;
  if (!owns(caller, *file)) return Errno::kPerm;
  mode &= kModeBits;
  if (!in_group(caller, file->gid) && !is_root(caller)) mode &= ~kSetGid;
  return spot.volume().set_mode(spot.ino, mode, caller.now);
}

Result<void> Vfs::change_owner(const Node& node, NewOwner owner, const Caller& caller) {
  const Spot& spot = node.spot();
  const Result<Attributes> file = spot.stat();
  if (!file) return file.error();
  if (spot.mount->read_only) return Errno::kRofs;
  const std::uint32_t uid = owner.uid.value_or(file->uid);
  const std::uint32_t gid = owner.gid.value_or(file->gid);
  if (!is_root(caller)) {
    const bool is_owner = caller.uid == file->uid;
    if (owner.uid && (!is_owner || uid != file->uid)) return Errno::kPerm;
    if (owner.gid && (!is_owner || (gid != file->gid && !in_group(caller, gid)))) {
      return Errno::kPerm;
    }
  }
  const std::uint32_t mode = mode_after_chown(caller, *file);
  // Also where neither changes: the set-id bits go, and that is the owner's.
  if (mode != file->mode && !owns(caller, *file)) return Errno::kPerm;
  const Result<void> owned = spot.volume().set_owner(spot.ino, uid, gid, caller.now);
  if (!owned || mode == file->mode) return owned;
  return spot.volume().set_mode(spot.ino, mode, caller.now);
}

Result<void> Vfs::set_times(const Node& node, NewTimes times, const Caller& caller) {
  const Spot& spot = node.spot();
  const Result<Attributes> file = spot.stat();
  if (!file) return file.error();
  if (spot.mount->read_only) return Errno::kRofs;
  if (times.to_now) {
    if (!owns(caller, *file) && !may(caller, *file, {.write = true})) return Errno::kAcces;
    return spot.volume().set_times(spot.ino, caller.now, caller.now, caller.now);
  }
  if (!times.accessed && !times.modified) return {};
  if (!owns(caller, *file)) return Errno::kPerm;
  return spot.volume().set_times(spot.ino, times.accessed.value_or(file->accessed),
                                 times.modified.value_or(file->modified), caller.now);
}

Result<void> Vfs::truncate(const Node& node, std::uint64_t size, const Caller& caller) {
  return resize(node.spot(), size, caller);
}

Result<void> Vfs::resize(const Spot& spot, std::uint64_t size, const Caller& caller) {
  const Result<Attributes> file = spot.stat();
  if (!file) return file.error();
  const Result<void> resized = spot.volume().resize(spot.ino, size, caller.now);
  const std::uint32_t mode = mode_after_write(caller, *file);
  if (!resized || mode == file->mode) return resized;
  return spot.volume().set_mode(spot.ino, mode, caller.now);
}

Result<std::size_t> Vfs::read(const Node& node, std::uint64_t offset, std::span<std::byte> into,
                              const Caller& caller) {
  return node.spot().volume().read(node.spot().ino, offset, into, caller);
}

Result<std::size_t> Vfs::write(const Node& node, std::uint64_t offset,
                               std::span<const std::byte> from, const Caller& caller) {
  const Spot& spot = node.spot();
  const Result<std::size_t> written = spot.volume().write(spot.ino, offset, from, caller);
  // A set-id bit is rare, a write is not: only user 0 need not look.
  if (!written || *written == 0 || is_root(caller)) return written;
  const Result<Attributes> file = spot.stat();
  if (!file) return file.error();
  const std::uint32_t mode = mode_after_write(caller, *file);
  if (mode == file->mode) return written;
  const Result<void> changed = spot.volume().set_mode(spot.ino, mode, caller.now);
  if (!changed) return changed.error();
  return written;
}

Result<std::vector<DirEntry>> Vfs::list(const Node& node, DirCursor& cursor, std::size_t limit,
                                        const Caller& caller) {
  const Spot& spot = node.spot();
  const Result<Attributes> directory = spot.stat();
  if (!directory) return directory.error();
  if (directory->type != FileType::kDirectory) return Errno::kNotdir;
  if (directory->links == 0) return Errno::kNoent;
  std::vector<DirEntry> entries;
  if (cursor.dots_given == 0 && entries.size() < limit) {
    entries.push_back({".", spot.ino, FileType::kDirectory});
    ++cursor.dots_given;
  }
  if (cursor.dots_given == 1 && entries.size() < limit) {
    const Result<Spot> above =
        find({std::make_shared<const Node>(spot), ".."}, LastLink::kFollow, {});
    entries.push_back({"..", above ? above->ino : spot.ino, FileType::kDirectory});
    ++cursor.dots_given;
  }
  if (entries.size() < limit) {
    Result<std::vector<DirEntry>> named =
        spot.volume().list(spot.ino, cursor.last, limit - entries.size(), caller);
    if (!named) return named.error();
    if (!named->empty()) cursor.last = named->back().name;
    std::move(named->begin(), named->end(), std::back_inserter(entries));
  }
  return entries;
}

Result<std::string> Vfs::path_of(const Node& directory) const {
  Spot at = directory.spot();
  const Spot top = mounts_.covered(mounts_.root_spot());
  std::string path;
  while (at != top) {
    if (at.is_mount_root()) {
      if (!at.mount->above) break;
      at = {at.mount->above, at.mount->point};
      continue;
    }
    const Result<std::string> name = at.volume().name_of(at.ino, {});
    const Result<Ino> parent = at.volume().parent(at.ino);
    if (!name) return name.error();
    if (!parent) return parent.error();
    path.insert(0, "/" + *name);
    at.ino = *parent;
  }
  return path.empty() ? "/" : path;
}

std::string Vfs::shown_path(const Node& node) const {
  const Result<Attributes> file = node.spot().stat();
  if (file && file->type == FileType::kDirectory) {
    const Result<std::string> path = path_of(node);
    if (path) return *path;
  }
  const auto& [directory, name] = node.found();
  if (name.empty()) return "/ (deleted)";
  const Result<std::string> above = path_of(Node(directory));
  const std::string path = (above && *above != "/" ? *above : "") + "/" + name;
  const Result<Ino> now = directory.volume().find({directory.ino, name}, {});
  const bool still = now && mounts_.covered({directory.mount, *now}) == node.spot();
  return still ? path : path + " (deleted)";
}

Result<std::optional<std::string>> Vfs::text_of(const Node& node, const Caller& caller) const {
  return node.spot().volume().text(node.spot().ino, caller);
}

FilePtr Vfs::open_file_of(const Node& node) const {
  return node.spot().volume().open_file(node.spot().ino);
}

std::vector<DataRange> Vfs::data_of(const Node& node) const {
  return node.spot().volume().data_of(node.spot().ino);
}

Result<VolumeFigures> Vfs::figures(const Node& node) const {
  VolumeFigures told = node.spot().volume().figures();
  told.read_only = node.spot().mount->read_only;
  return told;
}

std::optional<std::string> Vfs::program_of(const Node& node) const {
  std::array<std::byte, kProgramImageMax> head;
  const Spot& spot = node.spot();
  const Result<std::size_t> count = spot.volume().read(spot.ino, 0, head, {});
  if (!count) return std::nullopt;
  return program_in({reinterpret_cast<const char*>(head.data()), *count});
}

}  // namespace sandproof::machine
