// SPDX-License-Identifier: Apache-2.0
// Tar archives in memory, by way of libarchive: the program tar reads and writes the bytes itself,
// as a process. One thread at a time per object.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fakes/machine/vfs/attributes.h"

namespace sandproof::machine::programs {

enum class Compression : unsigned char { kNone, kGzip, kBzip2, kXz };

struct ArchiveMember {
  std::string name;
  FileType type = FileType::kRegular;
  DeviceKind device = DeviceKind::kNone;
  unsigned mode = 0;
  unsigned uid = 0;
  unsigned gid = 0;
  std::string user;
  std::string group;
  TimeNs modified = 0;
  std::uint64_t size = 0;
  std::string symlink;
  std::string hard_link;  // The name of the member that it is another name of.
};

class ArchiveWriter {
 public:
  explicit ArchiveWriter(Compression compression);
  ~ArchiveWriter();
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  /// `contents` is as long as the member says. False where it cannot be written.
  bool add(const ArchiveMember& member, std::string_view contents);
  /// What has been made since the last call; all of it after finish().
  std::string take();
  bool finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class ArchiveReader {
 public:
  /// Borrows the bytes; compressed ones are known by their beginning.
  explicit ArchiveReader(std::string_view bytes);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  /// Nothing at the end, or where the bytes are no archive: failed().
  std::optional<ArchiveMember> next();
  /// Of the member that next() gave; nothing where they are damaged, or more than `most`.
  std::optional<std::string> contents(std::size_t most);
  bool failed() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sandproof::machine::programs
