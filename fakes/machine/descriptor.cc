// SPDX-License-Identifier: Apache-2.0
// What an open file refuses by default, and the tables of descriptors.
#include "fakes/machine/descriptor.h"

namespace sandproof::machine {

Result<std::size_t> OpenFile::try_read(std::span<std::byte> /*into*/) { return Errno::kBadf; }

Result<std::size_t> OpenFile::try_write(std::span<const std::byte> /*from*/) {
  return Errno::kBadf;
}

Result<std::uint64_t> OpenFile::seek(std::int64_t /*by*/, Whence /*whence*/) {
  return Errno::kSpipe;
}

Attributes OpenFile::attributes() const {
  Attributes attributes;
  attributes.type = FileType::kCharDevice;
  attributes.mode = 0666;
  attributes.links = 1;
  return attributes;
}

Result<FilePtr> OpenFile::reopen(Access /*access*/) { return Errno::kNxio; }

bool DescriptorTable::is_open(int fd) const {
  return fd >= 0 && static_cast<std::size_t>(fd) < slots_.size() &&
         slots_[static_cast<std::size_t>(fd)].file != nullptr;
}

Result<FilePtr> DescriptorTable::get(int fd) const {
  if (!is_open(fd)) return Errno::kBadf;
  return slots_[static_cast<std::size_t>(fd)].file;
}

Result<int> DescriptorTable::add(FilePtr file, bool close_on_exec, int at_least) {
  if (at_least < 0 || at_least >= limit_) return at_least == 0 ? Errno::kMfile : Errno::kInval;
  int fd = at_least;
  while (is_open(fd)) ++fd;
  if (fd >= limit_) return Errno::kMfile;
  return put(fd, std::move(file), close_on_exec);
}

Result<int> DescriptorTable::put(int fd, FilePtr file, bool close_on_exec) {
  if (fd < 0 || fd >= limit_) return Errno::kBadf;
  const auto at = static_cast<std::size_t>(fd);
  if (at >= slots_.size()) slots_.resize(at + 1);
  // The old one closes last: closing wakes others, who must find the table as it will be.
  std::swap(slots_[at].file, file);
  slots_[at].close_on_exec = close_on_exec;
  return fd;
}

Result<void> DescriptorTable::close(int fd) {
  if (!is_open(fd)) return Errno::kBadf;
  const FilePtr closed = std::exchange(slots_[static_cast<std::size_t>(fd)].file, nullptr);
  return {};
}

Result<bool> DescriptorTable::close_on_exec(int fd) const {
  if (!is_open(fd)) return Errno::kBadf;
  return slots_[static_cast<std::size_t>(fd)].close_on_exec;
}

Result<void> DescriptorTable::set_close_on_exec(int fd, bool close_on_exec) {
  if (!is_open(fd)) return Errno::kBadf;
  slots_[static_cast<std::size_t>(fd)].close_on_exec = close_on_exec;
  return {};
}

void DescriptorTable::close_for_exec() {
  for (Slot& slot : slots_) {
    if (slot.close_on_exec) slot.file = nullptr;
  }
}

std::vector<int> DescriptorTable::numbers() const {
  std::vector<int> open;
  for (int fd = 0; static_cast<std::size_t>(fd) < slots_.size(); ++fd) {
    if (is_open(fd)) open.push_back(fd);
  }
  return open;
}

}  // namespace sandproof::machine
