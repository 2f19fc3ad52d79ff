// SPDX-License-Identifier: Apache-2.0
// The checks, as Linux makes them; see permissions.h.
#include "fakes/machine/vfs/permissions.h"

#include <algorithm>

namespace sandproof::machine {
namespace {

constexpr std::uint32_t kGroupExecutes = 0010;
constexpr std::uint32_t kAnyExecutes = 0111;

bool keeps_set_gid(const Caller& caller, const Attributes& file) {
  if ((file.mode & kGroupExecutes) != 0) return false;
  return in_group(caller, file.gid) || is_root(caller);
}

}  // namespace

bool is_root(const Caller& caller) { return caller.uid == 0; }

bool in_group(const Caller& caller, std::uint32_t gid) {
  return caller.gid == gid || std::ranges::find(caller.groups, gid) != caller.groups.end();
}

bool owns(const Caller& caller, const Attributes& file) {
  return is_root(caller) || caller.uid == file.uid;
}

bool may(const Caller& caller, const Attributes& file, AccessMask mask) {
  if (is_root(caller)) {
    return !mask.execute || file.type == FileType::kDirectory || (file.mode & kAnyExecutes) != 0;
  }
  std::uint32_t bits = file.mode;
  if (caller.uid == file.uid) {
    bits >>= 6;
  } else if (in_group(caller, file.gid)) {
    bits >>= 3;
  }
  return (!mask.read || (bits & 4) != 0) && (!mask.write || (bits & 2) != 0) &&
         (!mask.execute || (bits & 1) != 0);
}

Errno may_change_names(const Caller& caller, const Attributes& directory) {
  if (directory.links == 0) return Errno::kNoent;
  return may(caller, directory, {.write = true, .execute = true}) ? Errno::kOk : Errno::kAcces;
}

Errno may_remove(const Caller& caller, const Attributes& directory, const Attributes& victim,
                 bool as_directory) {
  const Errno names = may_change_names(caller, directory);
  if (names != Errno::kOk) return names;
  const bool sticky = (directory.mode & kSticky) != 0;
  if (sticky && !owns(caller, victim) && !owns(caller, directory)) return Errno::kPerm;
  const bool is_directory = victim.type == FileType::kDirectory;
  if (as_directory && !is_directory) return Errno::kNotdir;
  if (!as_directory && is_directory) return Errno::kIsdir;
  return Errno::kOk;
}

bool may_link(const Caller& caller, const Attributes& file) {
  if (owns(caller, file)) return true;
  const bool set_id = (file.mode & kSetUid) != 0 ||
                      (file.mode & (kSetGid | kGroupExecutes)) == (kSetGid | kGroupExecutes);
  return file.type == FileType::kRegular && !set_id &&
         may(caller, file, {.read = true, .write = true});
}

std::uint32_t mode_after_write(const Caller& caller, const Attributes& file) {
  if (is_root(caller) || file.type != FileType::kRegular) return file.mode;
  return mode_after_chown(caller, file);
}

std::uint32_t mode_after_chown(const Caller& caller, const Attributes& file) {
  if (file.type == FileType::kDirectory) return file.mode;
  std::uint32_t mode = file.mode & ~kSetUid;
  if (!keeps_set_gid(caller, file)) mode &= ~kSetGid;
  return mode;
}

}  // namespace sandproof::machine
