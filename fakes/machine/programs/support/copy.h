// SPDX-License-Identifier: Apache-2.0
// Copying files, with what is below them: of cp, and of mv between volumes. One process uses it.
#pragma once

#include <set>
#include <utility>

#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {

enum class CopyAs : unsigned char { kContents, kHardLink, kSymlink };

struct CopyOptions {
  bool recursive = false;
  bool follow = true;      // Links below what is copied.
  bool follow_top = true;  // Links that are named.
  bool keep_attributes = false;
  bool force = false;  // What cannot be overwritten is replaced.
  bool ask = false;
  bool keep_existing = false;
  bool only_newer = false;
  bool verbose = false;
  CopyAs as = CopyAs::kContents;
};

class Copier {
 public:
  Copier(Tool& tool, CopyOptions options) : tool_(tool), options_(options) {}

  /// Whether all was copied; failures are told by the tool, and are its status.
  Task<bool> copy(std::string from, std::string to) {
    return one(std::move(from), std::move(to), true);
  }

 private:
  using FileKey = std::pair<std::uint64_t, Ino>;

  Task<bool> one(std::string from, std::string to, bool top);
  Task<bool> directory(std::string from, std::string to, Attributes source);
  Task<bool> contents(std::string from, std::string to, Attributes source, bool exists);
  Task<bool> special(std::string from, std::string to, Attributes source, bool exists);
  /// Whether the way is free: not there, or may be and is taken away.
  Task<bool> clear_way(std::string to, bool exists);
  Task<bool> may_overwrite(std::string to, const Attributes& source);
  void keep(const std::string& to, const Attributes& source);
  Task<bool> fail(std::string what, Errno error);

  Tool& tool_;
  CopyOptions options_;
  std::set<FileKey> made_;  // Directories: a tree is not copied into itself without end.
};

}  // namespace sandproof::machine::programs
