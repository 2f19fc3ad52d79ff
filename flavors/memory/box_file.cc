// SPDX-License-Identifier: Apache-2.0
// See box_file.h.
#include "flavors/memory/box_file.h"

#include <algorithm>
#include <utility>

namespace sandproof::memory {
namespace {

using machine::Attributes;
using machine::Caller;
using machine::Errno;
using machine::FileType;
using machine::Follow;
using machine::Machine;
using machine::NodePtr;
using machine::Result;
using machine::Vfs;

constexpr std::uint32_t kDirectoryMode = 0755;
// It is readable for nobody else while its content is half there.
constexpr std::uint32_t kAsideMode = 0600;

// Zeroes of this length at a time are left out: a sparse file costs the host no memory.
constexpr std::size_t kHole = 65536;

bool is_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

std::string absolute(const Box& box, const std::string& path) {
  return path.starts_with('/') ? path : box.workdir + "/" + path;
}

/// Makes each directory of an absolute path that is missing; those belong to the caller.
Errno make_directories(Vfs& files, const std::string& path, const Caller& caller) {
  const NodePtr root = files.root();
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    const Result<void> made = files.make_directory({root, part}, kDirectoryMode, caller);
    if (!made && made.error() != Errno::kExist &&
        !files.lookup({root, part}, Follow::kYes, caller)) {
      return made.error();
    }
    if (end == path.npos) return Errno::kOk;
  }
}

/// Whether the working directory, which there is, is one of a root that cannot be written.
bool is_on_fixed_root(const Box& box, const Caller& caller) {
  if (!box.image.read_only_root) return false;
  Vfs& files = *box.parts.files;
  const NodePtr root = files.root();
  const Result<NodePtr> directory = files.change_directory({root, box.workdir}, caller);
  if (!directory) return false;
  const Result<Attributes> file = files.stat(**directory);
  return file && file->volume == box.parts.root->id();
}

Errno mount_workdir(Machine& machine, Box& box, const Caller& caller,
                    const machine::TreeSnapshot* saved, std::uint64_t bytes) {
  // Where it is mounted is a directory of the image, as it were.
  Vfs of_image(box.parts.root);
  const Errno made = make_directories(of_image, box.workdir, caller);
  if (made != Errno::kOk) return made;
  const machine::TreeLimits limits{
      .bytes = bytes + (saved == nullptr ? 0 : saved->blocks * machine::kBlockBytes)};
  const std::uint64_t id = machine.next_volume_id();
  box.workdir_volume = saved == nullptr
                           ? std::make_shared<machine::Tree>(id, limits, kDirectoryMode, caller.now)
                           : std::make_shared<machine::Tree>(id, limits, *saved);
  return box.parts.files->mount({.point = box.workdir, .volume = box.workdir_volume}).error();
}

BoxTrouble trouble_of(Errno error) { return {BoxTrouble::Kind::kErrno, error}; }

/// The directory and the name of a path without a slash at its end.
BoxTarget split_path(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

std::string in_directory(const std::string& directory, const std::string& name) {
  return directory == "/" ? "/" + name : directory + "/" + name;
}

}  // namespace

Errno make_workdir(Machine& machine, Box& box, const machine::TreeSnapshot* saved,
                   std::uint64_t bytes) {
  Caller caller;
  caller.now = machine.clock().wall().count();
  Vfs& files = *box.parts.files;
  const NodePtr root = files.root();
  const bool existed = files.change_directory({root, box.workdir}, caller).ok();
  const Errno made = existed ? Errno::kOk : make_directories(files, box.workdir, caller);
  if (made == Errno::kRofs || (existed && is_on_fixed_root(box, caller))) {
    const Errno mounted = mount_workdir(machine, box, caller, saved, bytes);
    if (mounted != Errno::kOk || saved != nullptr) return mounted;
  } else if (made != Errno::kOk || existed) {
    return made;
  }
  const Result<NodePtr> directory = files.change_directory({root, box.workdir}, caller);
  if (!directory) return directory.error();
  return files.change_owner(**directory, {box.image.user.uid, box.image.user.gid}, caller).error();
}

BoxTrouble find_target(Machine& machine, Box& box, const std::string& remote, BoxTarget& target) {
  Vfs& files = *box.parts.files;
  const Caller caller = box.caller(machine);
  const NodePtr root = files.root();
  std::string path = absolute(box, remote);
  for (int links = 0; links <= machine::kMaxFollowedLinks; ++links) {
    target = split_path(path);
    if (target.name.empty() || target.name == "." || target.name == "..") {
      return {BoxTrouble::Kind::kIsDirectory, Errno::kOk};
    }
    const Errno made = make_directories(files, target.directory, caller);
    if (made != Errno::kOk) return trouble_of(made);
    const Result<NodePtr> node = files.lookup({root, path}, Follow::kNo, caller);
    if (node.error() == Errno::kNoent) return {};
    if (!node) return trouble_of(node.error());
    const Result<Attributes> file = files.stat(**node);
    if (!file) return trouble_of(file.error());
    if (file->type == FileType::kDirectory) return {BoxTrouble::Kind::kIsDirectory, Errno::kOk};
    if (file->type == FileType::kRegular) return {};
    if (file->type != FileType::kSymlink) return {BoxTrouble::Kind::kNotRegular, Errno::kOk};
    const Result<std::string> text = files.read_link({root, path}, caller);
    if (!text) return trouble_of(text.error());
    path = text->starts_with('/') ? *text : in_directory(target.directory, *text);
  }
  return trouble_of(Errno::kLoop);
}

BoxTrouble open_source(Machine& machine, Box& box, const std::string& remote, BoxSource& source) {
  Vfs& files = *box.parts.files;
  const Caller caller = box.caller(machine);
  const NodePtr root = files.root();
  const std::string path = absolute(box, remote);
  const Result<NodePtr> node = files.lookup({root, path}, Follow::kYes, caller);
  if (!node) return trouble_of(node.error());
  const Result<Attributes> file = files.stat(**node);
  if (!file) return trouble_of(file.error());
  if (file->type == FileType::kDirectory) return {BoxTrouble::Kind::kIsDirectory, Errno::kOk};
  if (file->type != FileType::kRegular) return {BoxTrouble::Kind::kNotRegular, Errno::kOk};
  Result<NodePtr> open = files.open({root, path}, {.read = true}, 0, caller);
  if (!open) return trouble_of(open.error());
  source = {*std::move(open), file->mode & 0777U};
  return {};
}

Errno open_aside(Machine& machine, Box& box, const BoxTarget& target, const std::string& token,
                 AsideBoxFile& file) {
  Vfs& files = *box.parts.files;
  file.path = in_directory(target.directory, ".sandproof-" + token + ".part");
  const NodePtr root = files.root();
  const machine::OpenFlags flags{.write = true, .create = true, .exclusive = true};
  Result<NodePtr> node = files.open({root, file.path}, flags, kAsideMode, box.caller(machine));
  if (!node) return node.error();
  file.node = *std::move(node);
  return Errno::kOk;
}

Errno append_aside(Machine& machine, Box& box, AsideBoxFile& file,
                   std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::span<const std::byte> block = bytes.first(std::min(bytes.size(), kHole));
    bytes = bytes.subspan(block.size());
    if (is_zero(block)) {
      file.size += block.size();
      continue;
    }
    for (std::size_t done = 0; done < block.size();) {
      const Result<std::size_t> count =
          box.parts.files->write(*file.node, file.size, block.subspan(done), box.caller(machine));
      if (!count) return count.error();
      file.size += *count;
      done += *count;
    }
  }
  return Errno::kOk;
}

Errno commit_aside(Machine& machine, Box& box, const AsideBoxFile& file, const BoxTarget& target,
                   std::uint32_t mode) {
  Vfs& files = *box.parts.files;
  const Caller caller = box.caller(machine);
  // For a hole at the end.
  const Result<void> sized = files.truncate(*file.node, file.size, caller);
  if (!sized) return sized.error();
  const Result<void> changed = files.change_mode(*file.node, mode, caller);
  if (!changed) return changed.error();
  const NodePtr root = files.root();
  const std::string path = in_directory(target.directory, target.name);
  return files.rename({root, file.path}, {root, path}, caller).error();
}

void remove_aside(Machine& machine, Box& box, const AsideBoxFile& file) {
  const NodePtr root = box.parts.files->root();
  (void)box.parts.files->unlink({root, file.path}, box.caller(machine));
}

}  // namespace sandproof::memory
