// SPDX-License-Identifier: Apache-2.0
// The words of the file system: what a file is, who asks, and when. Values; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sandproof::machine {

/// Number of a file within its volume; never used twice there.
using Ino = std::uint64_t;

enum class FileType : std::uint8_t { kRegular, kDirectory, kSymlink, kFifo, kCharDevice };

/// Which device a character device is; what reading and writing it does is the kernel's matter.
enum class DeviceKind : std::uint8_t {
  kNone,
  kNull,
  kZero,
  kFull,
  kRandom,
  kUrandom,
  kTty,
  kConsole,
};

// Bits of a mode, besides the nine of rwxrwxrwx.
inline constexpr std::uint32_t kSetUid = 04000;
inline constexpr std::uint32_t kSetGid = 02000;
inline constexpr std::uint32_t kSticky = 01000;
inline constexpr std::uint32_t kModeBits = 07777;

/// As the machine's limits: Linux's NAME_MAX, PATH_MAX (with its NUL) and count of followed links.
inline constexpr std::size_t kNameMax = 255;
inline constexpr std::size_t kPathMax = 4096;
inline constexpr int kMaxFollowedLinks = 40;
/// The unit in which space is given out and counted, bytes.
inline constexpr std::uint64_t kBlockBytes = 4096;

/// Time in nanoseconds since 1970-01-01 UTC, of the machine's clock.
using TimeNs = std::int64_t;

struct Attributes {
  std::uint64_t volume = 0;  // st_dev: with ino, the identity of a file in the whole machine.
  Ino ino = 0;
  FileType type = FileType::kRegular;
  DeviceKind device = DeviceKind::kNone;
  std::uint32_t mode = 0;  // kModeBits alone, without the type.
  std::uint32_t links = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint64_t size = 0;    // Bytes; of a symbolic link, of its text; of a directory 4096.
  std::uint64_t blocks = 0;  // Of 512 bytes, as st_blocks: holes cost none.
  TimeNs accessed = 0;
  TimeNs modified = 0;
  TimeNs changed = 0;
};

/// Who asks, and when. Borrowed for the length of a call.
struct Caller {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::span<const std::uint32_t> groups = {};  // Supplementary ones.
  int pid = 0;                                 // For what depends on it: /proc/self.
  TimeNs now = 0;
};

struct DirEntry {
  std::string name;
  Ino ino = 0;
  FileType type = FileType::kRegular;
};

/// A position in a directory: the next call goes on after what the last one gave. Names that are
/// added or removed meanwhile neither repeat nor hide others. Begins at the first entry.
struct DirCursor {
  int dots_given = 0;  // "." and ".." come first.
  std::string last;
};

/// A part of a file, bytes.
struct DataRange {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// As statfs(2), in units of kBlockBytes.
struct VolumeFigures {
  std::uint64_t blocks = 0;
  std::uint64_t blocks_free = 0;
  std::uint64_t inodes = 0;
  std::uint64_t inodes_free = 0;
  bool read_only = false;
};

}  // namespace sandproof::machine
