// SPDX-License-Identifier: Apache-2.0
// A file of a tree, without its names. A value: copies share the chunks of its contents.
#pragma once

#include <map>
#include <string>
#include <variant>

#include "fakes/machine/vfs/attributes.h"
#include "fakes/machine/vfs/contents.h"

namespace sandproof::machine {

struct Directory {
  std::map<std::string, Ino, std::less<>> entries;
  Ino parent = 0;  // Its own number in the root.
};

struct Inode {
  FileType type = FileType::kRegular;
  DeviceKind device = DeviceKind::kNone;
  std::uint32_t mode = 0;
  std::uint32_t links = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  TimeNs accessed = 0;
  TimeNs modified = 0;
  TimeNs changed = 0;
  /// By type: contents, entries, the text of a symbolic link, nothing.
  std::variant<std::monostate, Contents, Directory, std::string> payload;

  Contents* contents() { return std::get_if<Contents>(&payload); }
  const Contents* contents() const { return std::get_if<Contents>(&payload); }
  Directory* directory() { return std::get_if<Directory>(&payload); }
  const Directory* directory() const { return std::get_if<Directory>(&payload); }
  const std::string* target() const { return std::get_if<std::string>(&payload); }
};

}  // namespace sandproof::machine
