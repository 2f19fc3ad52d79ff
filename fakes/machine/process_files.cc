// SPDX-License-Identifier: Apache-2.0
// System calls on paths. The umask, the working directory, FIFOs and devices are the kernel's; the
// rest is the file system's of the box. A box without one answers ENOSYS.
#include "fakes/machine/block.h"
#include "fakes/machine/devices.h"
#include "fakes/machine/kernel.h"
#include "fakes/machine/open_node.h"

namespace sandproof::machine {
namespace {

Caller asks(const ProcessEntry& entry) {
  return caller_of(*entry.credentials, entry.pid, entry.kernel.clock());
}

Result<std::shared_ptr<OpenNode>> node_at(const ProcessEntry& entry, int fd) {
  const Result<FilePtr> file = entry.descriptors.get(fd);
  if (!file) return file.error();
  auto node = std::dynamic_pointer_cast<OpenNode>(*file);
  if (node == nullptr) return Errno::kInval;
  return node;
}

Access access_of(const OpenFlags& flags) {
  if (flags.read && flags.write) return Access::kBoth;
  return flags.write ? Access::kWrite : Access::kRead;
}

Result<FilePtr> open_device(DeviceKind kind, Access access, Random& random) {
  switch (kind) {
    case DeviceKind::kNull:
      return open_null(access);
    case DeviceKind::kZero:
      return open_zero(access);
    case DeviceKind::kFull:
      return open_full(access);
    case DeviceKind::kRandom:
    case DeviceKind::kUrandom:
      return open_random(random, access);
    // No terminals: as for a process without a controlling one.
    case DeviceKind::kTty:
    case DeviceKind::kConsole:
    case DeviceKind::kNone:
      break;
  }
  return Errno::kNxio;
}

// What every call on a path begins with.
Result<PathAt> place(ProcessEntry& entry, std::string_view path) {
  --entry.budget;
  if (entry.files() == nullptr) return Errno::kNosys;
  return PathAt{.at = entry.cwd, .path = path};
}

}  // namespace

Task<Result<int>> Process::open(std::string_view path, OpenOptions options) {
  co_await yield_point();
  const Result<PathAt> where = place(entry_, path);
  if (!where) co_return where.error();
  FileSystem& files = *entry_.files();
  const Result<NodePtr> node =
      files.open(*where, options.flags, options.mode & ~entry_.umask, asks(entry_));
  if (!node) co_return node.error();
  const Result<Attributes> attributes = files.stat(**node);
  if (!attributes) co_return attributes.error();
  const Access access = access_of(options.flags);
  FilePtr file;
  if (const FilePtr other = files.open_file_of(**node)) {
    Result<FilePtr> again = other->reopen(access);
    if (!again) co_return again.error();
    file = *std::move(again);
  } else if (attributes->type == FileType::kFifo) {
    const std::shared_ptr<Pipe> pipe = entry_.kernel.fifo(entry_.box, *attributes);
    if (access == Access::kWrite && options.nonblocking && pipe->readers() == 0) {
      co_return Errno::kNxio;
    }
    file = pipe->open(access);
    const bool reads = access == Access::kRead;
    const std::uint64_t before = reads ? pipe->writer_opens() : pipe->reader_opens();
    // Until the other side opens, also if it has closed again since.
    while (access != Access::kBoth && !options.nonblocking &&
           (reads ? pipe->writers() : pipe->readers()) == 0 &&
           (reads ? pipe->writer_opens() : pipe->reader_opens()) == before) {
      if (!entry_.takeable().empty()) co_return Errno::kIntr;
      co_await Block(entry_, file->queue_for(access));
    }
  } else if (attributes->type == FileType::kCharDevice) {
    const Result<FilePtr> device = open_device(attributes->device, access, entry_.kernel.numbers());
    if (!device) co_return device.error();
    file = *device;
  } else {
    const NodeOwner owner{
        .files = files, .clock = entry_.kernel.clock(), .credentials = entry_.credentials};
    file = std::make_shared<OpenNode>(owner, *node, access, options.append);
  }
  file->set_nonblocking(options.nonblocking);
  co_return entry_.descriptors.add(std::move(file), options.close_on_exec);
}

Result<Attributes> Process::stat(std::string_view path, Follow follow) {
  const Result<PathAt> where = place(entry_, path);
  if (!where) return where.error();
  const Result<NodePtr> node = entry_.files()->lookup(*where, follow, asks(entry_));
  if (!node) return node.error();
  return entry_.files()->stat(**node);
}

Result<Attributes> Process::stat_fd(int fd) {
  --entry_.budget;
  const Result<FilePtr> file = entry_.descriptors.get(fd);
  if (!file) return file.error();
  if (const NodePtr node = (*file)->node()) return entry_.files()->stat(*node);
  return (*file)->attributes();
}

Result<void> Process::access(std::string_view path, AccessMask mask) {
  const Result<PathAt> where = place(entry_, path);
  if (!where) return where.error();
  return entry_.files()->access(*where, mask, asks(entry_));
}

Result<void> Process::mkdir(std::string_view path, unsigned mode) {
  const Result<PathAt> where = place(entry_, path);
  if (!where) return where.error();
  return entry_.files()->make_directory(*where, mode & ~entry_.umask, asks(entry_));
}

Result<void> Process::mkfifo(std::string_view path, unsigned mode) {
  const Result<PathAt> where = place(entry_, path);
  if (!where) return where.error();
  const NewSpecial fifo{.type = FileType::kFifo, .mode = mode & ~entry_.umask};
  return entry_.files()->make_special(*where, fifo, asks(entry_));
}

Result<void> Process::rmdir(std::string_view path) {
  const Result<PathAt> where = place(entry_, path);
  if (!where) return where.error();
  return entry_.files()->remove_directory(*where, asks(entry_));
}

Result<void> Process::unlink(std::string_view path) {
  const Result<PathAt> where = place(entry_, path);
  if (!where) return where.error();
  return entry_.files()->unlink(*where, asks(entry_));
}

Result<void> Process::rename(std::string_view from, std::string_view to) {
  const Result<PathAt> where = place(entry_, from);
  if (!where) return where.error();
  return entry_.files()->rename(*where, {.at = entry_.cwd, .path = to}, asks(entry_));
}

Result<void> Process::link(std::string_view from, std::string_view to, Follow follow) {
  const Result<PathAt> where = place(entry_, from);
  if (!where) return where.error();
  return entry_.files()->link(*where, {.at = entry_.cwd, .path = to}, follow, asks(entry_));
}

Result<void> Process::symlink(std::string_view target, std::string_view path) {
  const Result<PathAt> where = place(entry_, path);
  if (!where) return where.error();
  return entry_.files()->make_symlink(target, *where, asks(entry_));
}

Result<std::string> Process::readlink(std::string_view path) {
  const Result<PathAt> where = place(entry_, path);
  if (!where) return where.error();
  return entry_.files()->read_link(*where, asks(entry_));
}

Result<void> Process::chmod(std::string_view path, unsigned mode) {
  const Result<PathAt> where = place(entry_, path);
  if (!where) return where.error();
  const Result<NodePtr> node = entry_.files()->lookup(*where, Follow::kYes, asks(entry_));
  if (!node) return node.error();
  return entry_.files()->change_mode(**node, mode, asks(entry_));
}

Result<void> Process::chown(std::string_view path, NewOwner owner, Follow follow) {
  const Result<PathAt> where = place(entry_, path);
  if (!where) return where.error();
  const Result<NodePtr> node = entry_.files()->lookup(*where, follow, asks(entry_));
  if (!node) return node.error();
  return entry_.files()->change_owner(**node, owner, asks(entry_));
}

Result<void> Process::utimens(std::string_view path, NewTimes times, Follow follow) {
  const Result<PathAt> where = place(entry_, path);
  if (!where) return where.error();
  const Result<NodePtr> node = entry_.files()->lookup(*where, follow, asks(entry_));
  if (!node) return node.error();
  return entry_.files()->set_times(**node, times, asks(entry_));
}

Result<void> Process::truncate(std::string_view path, std::uint64_t size) {
  const Result<PathAt> where = place(entry_, path);
  if (!where) return where.error();
  return entry_.files()->truncate(*where, size, asks(entry_));
}

Result<void> Process::truncate_fd(int fd, std::uint64_t size) {
  --entry_.budget;
  const Result<std::shared_ptr<OpenNode>> node = node_at(entry_, fd);
  if (!node) return node.error();
  if (!(*node)->may_write()) return Errno::kInval;
  return entry_.files()->truncate(*(*node)->node(), size, asks(entry_));
}

Result<std::vector<DirEntry>> Process::readdir(int fd, std::size_t limit) {
  --entry_.budget;
  const Result<std::shared_ptr<OpenNode>> node = node_at(entry_, fd);
  if (!node) return node.error() == Errno::kInval ? Errno::kNotdir : node.error();
  return (*node)->list(limit);
}

Result<VolumeFigures> Process::statfs(std::string_view path) {
  const Result<PathAt> where = place(entry_, path);
  if (!where) return where.error();
  const Result<NodePtr> node = entry_.files()->lookup(*where, Follow::kYes, asks(entry_));
  if (!node) return node.error();
  return entry_.files()->figures(**node);
}

Result<void> Process::chdir(std::string_view path) {
  const Result<PathAt> where = place(entry_, path);
  if (!where) return where.error();
  Result<NodePtr> node = entry_.files()->change_directory(*where, asks(entry_));
  if (!node) return node.error();
  entry_.cwd = *std::move(node);
  return {};
}

Result<std::string> Process::getcwd() const {
  if (entry_.files() == nullptr) return Errno::kNosys;
  return entry_.files()->path_of(*entry_.cwd);
}

}  // namespace sandproof::machine
