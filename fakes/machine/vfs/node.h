// SPDX-License-Identifier: Apache-2.0
// Where a file is: in which mount, under which number; and what holds it there. See file_system.h.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "fakes/machine/vfs/volume.h"

namespace sandproof::machine {

/// A volume, or a directory of one, at its place. Mounts know what they are mounted on, not what is
/// mounted on them: there is no cycle.
struct Mount {
  std::shared_ptr<Volume> volume;
  Ino root = 0;  // In the volume: another than its root where it is a bind mount.
  bool read_only = false;
  std::shared_ptr<const Mount> above = nullptr;  // nullptr for the root of the box.
  Ino point = 0;                                 // In the volume of `above`.
  // As mountinfo tells of it.
  std::string type = "tmpfs";
  std::string source = "tmpfs";
  std::string point_path = "/";
  std::string root_path = "/";
};
using MountPtr = std::shared_ptr<const Mount>;

/// A file as a value that holds nothing.
struct Spot {
  MountPtr mount;
  Ino ino = 0;

  Volume& volume() const { return *mount->volume; }
  Result<Attributes> stat() const { return mount->volume->stat(ino); }
  bool is_mount_root() const { return ino == mount->root; }
  bool operator==(const Spot& other) const = default;
};

/// The name by which a file was found; nothing where it has none of its own ("/", "..").
struct Found {
  Spot directory;
  std::string name;
};

class Node {
 public:
  explicit Node(Spot spot, Found found = {}) : spot_(std::move(spot)), found_(std::move(found)) {
    spot_.volume().pin(spot_.ino);
  }
  ~Node() { spot_.volume().unpin(spot_.ino); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const Spot& spot() const { return spot_; }
  /// Where it was; it may have been renamed or removed since.
  const Found& found() const { return found_; }

 private:
  const Spot spot_;
  const Found found_;
};

}  // namespace sandproof::machine
