// SPDX-License-Identifier: Apache-2.0
// Numbers, names and links of /proc; see proc_volume.h.
#include "fakes/machine/proc/proc_volume.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "fakes/machine/kernel.h"
#include "fakes/machine/proc/proc_rows.h"
#include "fakes/machine/vfs/node.h"

namespace sandproof::machine {
namespace {

// A number is, from its highest bit: the low bits of the serial of the process, its pid, the slot,
// the descriptor. One comes again after eight million births, with the pid of that time. What does
// not fit (no table of descriptors is that long) is not shown.
constexpr int kFdBits = 13;
constexpr int kSlotBits = 6;
constexpr int kPidBits = 22;
constexpr int kSerialBits = 64 - kFdBits - kSlotBits - kPidBits;

constexpr std::uint64_t low_bits(std::uint64_t value, int bits) {
  return value & ((std::uint64_t{1} << bits) - 1);
}

// Where Linux's numbers of namespaces begin; each box has its own.
constexpr std::uint64_t kFirstNamespace = 4026531840;

FileType type_of(ProcKind kind) {
  switch (kind) {
    case ProcKind::kDirectory:
    case ProcKind::kProcesses:
    case ProcKind::kFdDirectory:
      return FileType::kDirectory;
    case ProcKind::kText:
    case ProcKind::kNsFile:
      return FileType::kRegular;
    case ProcKind::kFdFile:
      return FileType::kCharDevice;
    default:
      return FileType::kSymlink;
  }
}

/// A number as /proc writes it, without zeroes in front; -1 for any other name.
int number_in(std::string_view name) {
  int number = -1;
  const char* const end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data(), end, number);
  const bool plain = parsed.ec == std::errc() && parsed.ptr == end && name.front() != '-';
  return plain && (name.size() == 1 || name.front() != '0') ? number : -1;
}

bool may_look_into(const ProcessEntry& entry, const Caller& caller) {
  return caller.uid == 0 || caller.uid == entry.credentials->uid;
}

const ProcRow& row_at(unsigned slot) { return proc_rows()[slot - 1]; }

/// The slot of a name in a directory; 0 if there is none.
unsigned slot_named(unsigned directory, std::string_view name) {
  for (unsigned slot = 1; slot <= proc_rows().size(); ++slot) {
    const ProcRow& row = row_at(slot);
    if (row.parent == directory && row.name == name && !name.empty()) return slot;
  }
  return 0;
}

std::string namespace_text(const Box& box, std::string_view name) {
  return fmt::format("{}:[{}]", name, kFirstNamespace + box.id());
}

}  // namespace

void ProcVolume::show(Box& box, Kernel& kernel) {
  box_ = &box;
  kernel_ = &kernel;
}

void ProcVolume::hide() {
  box_ = nullptr;
  kernel_ = nullptr;
}

Ino ProcVolume::ino_of(unsigned slot, const ProcessEntry* entry, int fd) {
  Ino ino = slot;
  if (entry != nullptr) {
    const auto pid = static_cast<std::uint64_t>(entry->pid);
    ino |= (low_bits(entry->serial, kSerialBits) << kPidBits | pid) << kSlotBits;
  }
  return ino << kFdBits | static_cast<std::uint64_t>(fd);
}

Result<ProcVolume::File> ProcVolume::file_of(Ino ino) const {
  File file;
  file.fd = static_cast<int>(low_bits(ino, kFdBits));
  file.slot = static_cast<unsigned>(low_bits(ino >> kFdBits, kSlotBits));
  file.row = &row_at(file.slot);
  const auto pid = static_cast<Pid>(low_bits(ino >> (kFdBits + kSlotBits), kPidBits));
  if (pid == 0) return file;
  file.entry = box_ == nullptr ? nullptr : box_->find(pid);
  if (file.entry == nullptr || ino_of(file.slot, file.entry, file.fd) != ino) return Errno::kNoent;
  const bool of_fd = file.row->kind == ProcKind::kFdLink || file.row->kind == ProcKind::kFdFile;
  if (of_fd && !file.entry->descriptors.get(file.fd)) return Errno::kNoent;
  return file;
}

Ino ProcVolume::root() const { return ino_of(kProcRoot, nullptr); }

Result<Attributes> ProcVolume::stat(Ino ino) const {
  const Result<File> file = file_of(ino);
  if (!file) return file.error();
  Attributes attributes;
  if (file->row->kind == ProcKind::kFdFile) {
    attributes = (*file->entry->descriptors.get(file->fd))->attributes();
  } else {
    attributes.type = type_of(file->row->kind);
    attributes.mode = file->row->mode;
    attributes.links = attributes.type == FileType::kDirectory ? 2 : 1;
  }
  attributes.volume = id();
  attributes.ino = ino;
  if (file->entry != nullptr) {
    attributes.uid = file->entry->credentials->uid;
    attributes.gid = file->entry->credentials->gid;
  }
  if (file->row->kind == ProcKind::kFdLink) {
    const FilePtr open = *file->entry->descriptors.get(file->fd);
    attributes.mode = (open->may_read() ? 0500U : 0U) | (open->may_write() ? 0300U : 0U);
    attributes.size = 64;  // As Linux says of every one.
  }
  if (kernel_ != nullptr) {
    attributes.accessed = attributes.modified = attributes.changed =
        (file->entry != nullptr
             ? kernel_->clock().wall() - kernel_->clock().now() + file->entry->born_at
             : kernel_->clock().wall())
            .count();
  }
  return attributes;
}

Result<Ino> ProcVolume::find(NameIn name, const Caller& /*caller*/) const {
  const Result<File> directory = file_of(name.directory);
  if (!directory) return directory.error();
  if (const unsigned slot = slot_named(directory->slot, name.name)) {
    return ino_of(slot, directory->entry);
  }
  const int number = number_in(name.name);
  if (number < 0 || box_ == nullptr) return Errno::kNoent;
  if (directory->slot == kProcRoot) {
    const ProcessEntry* const entry = box_->find(number);
    if (entry != nullptr && number >> kPidBits == 0) return ino_of(kProcPid, entry);
  }
  if (directory->slot == kProcFd && number >> kFdBits == 0 &&
      directory->entry->descriptors.get(number)) {
    return ino_of(kProcFdLink, directory->entry, number);
  }
  return Errno::kNoent;
}

Result<Ino> ProcVolume::parent(Ino directory) const {
  const Result<File> file = file_of(directory);
  if (!file) return file.error();
  if (file->slot == kProcRoot) return directory;
  return ino_of(file->row->parent, file->row->parent == kProcRoot ? nullptr : file->entry);
}

Result<ProcVolume::File> ProcVolume::link_of(Ino ino, const Caller& caller) const {
  const Result<File> file = file_of(ino);
  if (!file) return file;
  if (box_ == nullptr) return Errno::kNoent;
  const bool plain = file->row->kind == ProcKind::kPath || file->row->kind == ProcKind::kSelf;
  if (!plain && !may_look_into(*file->entry, caller)) return Errno::kAcces;
  return file;
}

Result<std::string> ProcVolume::target(Ino symlink, const Caller& caller) const {
  const Result<File> file = link_of(symlink, caller);
  if (!file) return file.error();
  const auto shown = [&file](const NodePtr& node) -> Result<std::string> {
    if (node == nullptr) return Errno::kNoent;
    return file->entry->files()->shown_path(*node);
  };
  switch (file->row->kind) {
    case ProcKind::kPath:
      return file->row->text({*box_, *kernel_, nullptr});
    case ProcKind::kSelf:
      if (caller.pid == 0) return Errno::kNoent;
      return std::to_string(caller.pid);
    case ProcKind::kCwd:
      return shown(file->entry->cwd);
    case ProcKind::kExe:
      return shown(file->entry->exe);
    case ProcKind::kRoot:
      return std::string("/");
    case ProcKind::kNsLink:
      return namespace_text(*box_, file->row->name);
    default:
      return (*file->entry->descriptors.get(file->fd))->describe();
  }
}

Result<std::optional<Jump>> ProcVolume::jump(Ino symlink, const Caller& caller) const {
  const Result<File> file = link_of(symlink, caller);
  if (!file) return file.error();
  const auto to = [](const NodePtr& node) -> Result<std::optional<Jump>> {
    if (node == nullptr) return Errno::kNoent;
    return std::optional(Jump{.held = node, .ino = 0});
  };
  switch (file->row->kind) {
    case ProcKind::kCwd:
      return to(file->entry->cwd);
    case ProcKind::kExe:
      return to(file->entry->exe);
    case ProcKind::kNsLink:
      return std::optional(Jump{.held = nullptr, .ino = ino_of(kProcNsFile, file->entry)});
    case ProcKind::kFdLink: {
      const FilePtr open = *file->entry->descriptors.get(file->fd);
      if (NodePtr node = open->node()) return to(node);
      return std::optional(
          Jump{.held = nullptr, .ino = ino_of(kProcFdFile, file->entry, file->fd)});
    }
    default:
      return std::optional<Jump>();
  }
}

FilePtr ProcVolume::open_file(Ino ino) const {
  const Result<File> file = file_of(ino);
  if (!file || file->row->kind != ProcKind::kFdFile) return nullptr;
  return *file->entry->descriptors.get(file->fd);
}

std::vector<DirEntry> ProcVolume::entries_of(const File& directory, std::string_view after,
                                             std::size_t limit) const {
  // Named ones first, then numbers as such, so that ps shows processes in their order.
  std::vector<DirEntry> entries;
  const int last_number = after.empty() ? -1 : number_in(after);
  for (unsigned slot = 1; slot <= proc_rows().size() && last_number < 0; ++slot) {
    const ProcRow& row = row_at(slot);
    if (row.parent != directory.slot || row.name.empty() || row.name <= after) continue;
    entries.push_back({std::string(row.name), ino_of(slot, directory.entry), type_of(row.kind)});
  }
  std::ranges::sort(entries, {}, &DirEntry::name);
  if (directory.slot == kProcRoot && box_ != nullptr) {
    const auto& table = box_->table();
    for (auto next = table.upper_bound(std::max(last_number, 0));
         next != table.end() && entries.size() < limit && next->first >> kPidBits == 0; ++next) {
      entries.push_back({std::to_string(next->first), ino_of(kProcPid, next->second.get()),
                         FileType::kDirectory});
    }
  }
  if (directory.slot == kProcFd) {
    for (const int fd : directory.entry->descriptors.numbers()) {
      if (fd <= last_number || fd >> kFdBits != 0) continue;
      entries.push_back(
          {std::to_string(fd), ino_of(kProcFdLink, directory.entry, fd), FileType::kSymlink});
    }
  }
  if (entries.size() > limit) entries.resize(limit);
  return entries;
}

Result<std::vector<DirEntry>> ProcVolume::list(Ino directory, std::string_view after,
                                               std::size_t limit, const Caller& caller) const {
  const Result<File> file = file_of(directory);
  if (!file) return file.error();
  const bool inner = file->row->kind == ProcKind::kFdDirectory || file->slot == kProcNs;
  if (inner && !may_look_into(*file->entry, caller)) return Errno::kAcces;
  return entries_of(*file, after, limit);
}

Result<std::optional<std::string>> ProcVolume::text(Ino ino, const Caller& /*caller*/) const {
  const Result<File> file = file_of(ino);
  // Linux's answer of a file that outlived its process.
  if (!file || box_ == nullptr) return Errno::kSrch;
  if (file->row->kind == ProcKind::kNsFile) return Errno::kInval;
  if (file->row->kind != ProcKind::kText) return std::optional<std::string>();
  return std::optional(file->row->text({*box_, *kernel_, file->entry}));
}

Result<std::size_t> ProcVolume::read(Ino ino, std::uint64_t offset, std::span<std::byte> into,
                                     const Caller& caller) const {
  const Result<std::optional<std::string>> all = text(ino, caller);
  if (!all) return all.error();
  if (!*all) return Errno::kIsdir;
  if (offset >= (*all)->size()) return std::size_t{0};
  const std::size_t count = std::min<std::size_t>(into.size(), (*all)->size() - offset);
  std::memcpy(into.data(), (*all)->data() + offset, count);
  return count;
}

}  // namespace sandproof::machine
