// SPDX-License-Identifier: Apache-2.0
// Random operations on files, and the two worlds that they are played in: the kernel's own file
// system below a temporary root, and the machine's. What each says is text, to be compared.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sandproof::machine::vfs_play {

struct User {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::vector<std::uint32_t> groups;
};

inline const std::array<User, 3> kUsers = {User{0, 0, {}}, User{1001, 2001, {3000}},
                                           User{1002, 2002, {3000, 2001}}};
inline constexpr int kSlots = 4;

enum class Call {
  kOpen,
  kWrite,
  kRead,
  kFtruncate,
  kFstat,
  kClose,
  kStat,
  kLstat,
  kAccess,
  kMkdir,
  kMkfifo,
  kSymlink,
  kLink,
  kUnlink,
  kRmdir,
  kRename,
  kReadlink,
  kTruncate,
  kChmod,
  kChown,
  kLchown,
  kChdir,
  kGetcwd,
  kList,
  kCount,
};

struct Op {
  Call call = Call::kStat;
  int user = 0;
  int slot = 0;
  std::string a = {};
  std::string b = {};
  std::uint32_t mode = 0;
  std::uint32_t bits = 0;  // Flags of open, of access; which of uid and gid chown changes.
  std::uint64_t offset = 0;
  std::uint32_t count = 0;
};

// Bits of Op::bits for kOpen.
inline constexpr std::uint32_t kReads = 1;
inline constexpr std::uint32_t kWrites = 2;
inline constexpr std::uint32_t kCreates = 4;
inline constexpr std::uint32_t kExclusive = 8;
inline constexpr std::uint32_t kTruncates = 16;
inline constexpr std::uint32_t kOnlyDirectory = 32;
inline constexpr std::uint32_t kNoFollow = 64;

/// The same for the same seed. Links of users other than 0 only if the kernel guards them as the
/// machine does.
std::vector<Op> random_ops(std::uint32_t seed, int count, bool links_guarded);
/// For messages.
std::string text_of_op(const Op& op);
/// What a write of an operation writes.
std::string bytes_of(const Op& op);
std::string digest(const std::string& bytes);

/// A line for each operation, then a line for each file of the tree. The first needs user 0, and
/// plays in a child process that has `root` as its root directory.
std::vector<std::string> play_in_kernel(const std::vector<Op>& ops, const std::string& root);
std::vector<std::string> play_in_machine(const std::vector<Op>& ops);

}  // namespace sandproof::machine::vfs_play
