// SPDX-License-Identifier: Apache-2.0
// A box's file system for tests: short words for what most of them do first.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "fakes/machine/vfs/tree.h"
#include "fakes/machine/vfs/vfs.h"

namespace sandproof::machine {

struct VfsBox {
  explicit VfsBox(TreeLimits limits = {})
      : tree(std::make_shared<Tree>(1, limits, 0755, 0)), files(tree) {}
  explicit VfsBox(const TreeSnapshot& from, TreeLimits limits = {})
      : tree(std::make_shared<Tree>(1, limits, from)), files(tree) {}

  /// The error of each is kOk where it succeeded.
  Errno mkdir(std::string_view path, std::uint32_t mode = 0755);
  Errno put(std::string_view path, std::string_view bytes, std::uint32_t mode = 0644);
  Errno unlink(std::string_view path);
  Errno rename(std::string_view from, std::string_view to);
  Errno link(std::string_view from, std::string_view to);
  Errno symlink(std::string_view target, std::string_view path);
  Result<NodePtr> open(std::string_view path, OpenFlags flags);
  /// "<error N>" if it cannot be read.
  std::string get(std::string_view path);
  std::string read(const Node& node);
  /// lstat; all zeroes if there is none.
  Attributes stat(std::string_view path);

  std::shared_ptr<Tree> tree;
  Vfs files;
  Caller caller;
};

}  // namespace sandproof::machine
