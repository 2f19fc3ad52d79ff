// SPDX-License-Identifier: Apache-2.0
// What can be mounted: files by number, directories that name them. No paths, no permissions: both
// are looked after above it (vfs.h), once for all volumes. tree.h keeps files; a volume that makes
// its files up (/proc) overrides what reads, and refuses what writes as this class does (EPERM).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/result.h"
#include "fakes/machine/vfs/attributes.h"

namespace sandproof::machine {

class Node;
class OpenFile;

struct NewInode {
  FileType type = FileType::kRegular;
  DeviceKind device = DeviceKind::kNone;
  std::uint32_t mode = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::string target;  // Of a symbolic link.
};

struct NameIn {
  Ino directory = 0;
  std::string_view name;
};

/// Where a link leads that is no path: to a file that somebody holds, or to one of the same volume.
struct Jump {
  std::shared_ptr<const Node> held;
  Ino ino = 0;
};

class Volume {
 public:
  /// `id` is its st_dev: unique within a machine.
  explicit Volume(std::uint64_t id) : id_(id) {}
  virtual ~Volume() = default;
  Volume(const Volume&) = delete;
  Volume& operator=(const Volume&) = delete;

  std::uint64_t id() const { return id_; }

  virtual Ino root() const = 0;
  /// ENOENT for a file that is no more.
  virtual Result<Attributes> stat(Ino ino) const = 0;
  virtual Result<Ino> find(NameIn name, const Caller& caller) const = 0;
  /// Of a directory; the root is its own.
  virtual Result<Ino> parent(Ino directory) const = 0;
  /// The name of a directory in its parent; ENOENT for one that was removed.
  virtual Result<std::string> name_of(Ino directory, const Caller& caller) const;
  virtual Result<std::string> target(Ino symlink, const Caller& caller) const = 0;
  /// Of a link that is no path, as those below /proc/PID; nothing for any other.
  virtual Result<std::optional<Jump>> jump(Ino symlink, const Caller& caller) const;
  /// All of a file that is made up when it is asked for; nothing for one that is kept.
  virtual Result<std::optional<std::string>> text(Ino ino, const Caller& caller) const;
  /// See FileSystem::open_file_of.
  virtual std::shared_ptr<OpenFile> open_file(Ino ino) const;
  /// At most `limit` entries with names after `after`, in the volume's order, which for one that
  /// keeps files is that of their bytes; without "." and "..".
  virtual Result<std::vector<DirEntry>> list(Ino directory, std::string_view after,
                                             std::size_t limit, const Caller& caller) const = 0;
  virtual Result<std::size_t> read(Ino ino, std::uint64_t offset, std::span<std::byte> into,
                                   const Caller& caller) const = 0;
  virtual VolumeFigures figures() const = 0;
  /// The parts of a file that are no holes, in order: as a whole, where nothing is known of holes.
  virtual std::vector<DataRange> data_of(Ino ino) const;

  /// Between them a file lives on without a name.
  virtual void pin(Ino) {}
  virtual void unpin(Ino) {}

  virtual Result<Ino> create(NameIn name, const NewInode& inode, TimeNs now);
  virtual Result<void> link(NameIn name, Ino ino, TimeNs now);
  /// A file or an empty directory; ENOTEMPTY.
  virtual Result<void> remove(NameIn name, TimeNs now);
  /// The new name may be taken, by a file for a file or by an empty directory for a directory.
  virtual Result<void> rename(NameIn from, NameIn to, TimeNs now);
  virtual Result<void> set_mode(Ino ino, std::uint32_t mode, TimeNs now);
  virtual Result<void> set_owner(Ino ino, std::uint32_t uid, std::uint32_t gid, TimeNs now);
  virtual Result<void> set_times(Ino ino, TimeNs accessed, TimeNs modified, TimeNs now);
  virtual Result<void> resize(Ino ino, std::uint64_t size, TimeNs now);
  virtual Result<std::size_t> write(Ino ino, std::uint64_t offset, std::span<const std::byte> from,
                                    const Caller& caller);

 private:
  const std::uint64_t id_;
};

}  // namespace sandproof::machine
