// SPDX-License-Identifier: Apache-2.0
// What a volume answers that does not keep files; see volume.h.
#include "fakes/machine/vfs/volume.h"

namespace sandproof::machine {

Result<std::string> Volume::name_of(Ino directory, const Caller& caller) const {
  constexpr std::size_t kAtOnce = 64;
  const Result<Ino> above = parent(directory);
  if (!above) return above.error();
  std::string after;
  for (;;) {
    const Result<std::vector<DirEntry>> entries = list(*above, after, kAtOnce, caller);
    if (!entries) return entries.error();
    for (const DirEntry& entry : *entries) {
      if (entry.ino == directory) return entry.name;
    }
    if (entries->size() < kAtOnce) return Errno::kNoent;
    after = entries->back().name;
  }
}

Result<std::optional<Jump>> Volume::jump(Ino, const Caller&) const { return std::optional<Jump>(); }

Result<std::optional<std::string>> Volume::text(Ino, const Caller&) const {
  return std::optional<std::string>();
}

std::shared_ptr<OpenFile> Volume::open_file(Ino) const { return nullptr; }

std::vector<DataRange> Volume::data_of(Ino ino) const {
  const Result<Attributes> file = stat(ino);
  if (!file || file->size == 0) return {};
  return {{0, file->size}};
}

Result<Ino> Volume::create(NameIn, const NewInode&, TimeNs) { return Errno::kPerm; }
Result<void> Volume::link(NameIn, Ino, TimeNs) { return Errno::kPerm; }
Result<void> Volume::remove(NameIn, TimeNs) { return Errno::kPerm; }
Result<void> Volume::rename(NameIn, NameIn, TimeNs) { return Errno::kPerm; }
Result<void> Volume::set_mode(Ino, std::uint32_t, TimeNs) { return Errno::kPerm; }
Result<void> Volume::set_owner(Ino, std::uint32_t, std::uint32_t, TimeNs) { return Errno::kPerm; }
Result<void> Volume::set_times(Ino, TimeNs, TimeNs, TimeNs) { return Errno::kPerm; }
Result<void> Volume::resize(Ino, std::uint64_t, TimeNs) { return Errno::kPerm; }
Result<std::size_t> Volume::write(Ino, std::uint64_t, std::span<const std::byte>, const Caller&) {
  return Errno::kPerm;
}

}  // namespace sandproof::machine
