// SPDX-License-Identifier: Apache-2.0
// Making up operations; see vfs_play.h.
#include "tests/machine/vfs_play.h"

#include <random>

namespace sandproof::machine::vfs_play {
namespace {

class Maker {
 public:
  Maker(std::uint32_t seed, bool links_guarded) : random_(seed), links_guarded_(links_guarded) {}

  Op make() {
    Op op;
    op.call = static_cast<Call>(below(static_cast<std::uint32_t>(Call::kCount)));
    // Early on and on the whole, more is made than removed, or nothing would ever be found.
    if (below(3) == 0) op.call = pick(kMakers_);
    op.user = below(2) == 0 ? 0 : static_cast<int>(below(kUsers.size()));
    if (op.call == Call::kLink && !links_guarded_) op.user = 0;
    op.slot = static_cast<int>(below(kSlots));
    op.a = path();
    op.b = path();
    op.mode = pick(kModes_);
    op.bits = below(128);
    op.offset = below(4) == 0 ? below(200'000) : below(9000);
    op.count = below(4) == 0 ? below(150'000) : below(5000);
    if (op.call == Call::kSymlink && below(40) == 0) op.a.clear();
    return op;
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  template <typename T>
  T pick(const std::vector<T>& values) {
    return values[below(static_cast<std::uint32_t>(values.size()))];
  }

  std::string component() {
    const std::uint32_t roll = below(100);
    if (roll < 6) return "..";
    if (roll < 9) return ".";
    if (roll == 99) return std::string(256, 'n');
    if (roll == 98) return std::string(255, 'm');
    return std::string(1, static_cast<char>('a' + below(5)));
  }

  std::string path() {
    if (below(300) == 0) return "";
    if (below(300) == 0) return std::string(4096, 'p');
    std::string made = below(2) == 0 ? "/" : "";
    const std::uint32_t depth = below(60) == 0 ? 0 : 1 + below(3);
    for (std::uint32_t i = 0; i < depth; ++i) {
      if (i > 0) made += below(20) == 0 ? "//" : "/";
      made += component();
    }
    if (below(12) == 0) made += "/";
    return made.empty() ? "/" : made;
  }

  // Sticky directories that anybody may write to are left out: fs.protected_* differ by host.
  const std::vector<std::uint32_t> kModes_ = {0755,  0777,  0700,  0644, 0666,  0000,  0711,
                                              0775,  0770,  0444,  0555, 01775, 02775, 02755,
                                              04755, 06777, 02644, 0600, 03775};
  const std::vector<Call> kMakers_ = {Call::kMkdir, Call::kOpen,   Call::kSymlink, Call::kLink,
                                      Call::kMkdir, Call::kMkfifo, Call::kRename,  Call::kWrite};
  std::mt19937 random_;
  const bool links_guarded_;
};

}  // namespace

std::vector<Op> random_ops(std::uint32_t seed, int count, bool links_guarded) {
  Maker maker(seed, links_guarded);
  std::vector<Op> ops;
  for (int i = 0; i < count; ++i) ops.push_back(maker.make());
  return ops;
}

std::string text_of_op(const Op& op) {
  static constexpr std::array kNames = {
      "open",     "write",    "read",   "ftruncate", "fstat",  "close",  "stat",   "lstat",
      "access",   "mkdir",    "mkfifo", "symlink",   "link",   "unlink", "rmdir",  "rename",
      "readlink", "truncate", "chmod",  "chown",     "lchown", "chdir",  "getcwd", "list"};
  static_assert(kNames.size() == static_cast<std::size_t>(Call::kCount));
  const auto shown = [](const std::string& path) {
    return path.size() < 600 ? "'" + path + "'" : std::to_string(path.size()) + " bytes";
  };
  return std::string(kNames[static_cast<std::size_t>(op.call)]) + " user " +
         std::to_string(kUsers[static_cast<std::size_t>(op.user)].uid) + " slot " +
         std::to_string(op.slot) + " " + shown(op.a) + " " + shown(op.b) + " mode " +
         std::to_string(op.mode) + " bits " + std::to_string(op.bits) + " at " +
         std::to_string(op.offset) + " count " + std::to_string(op.count);
}

std::string bytes_of(const Op& op) {
  std::string bytes(op.count, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>('A' + (i * 7 + op.offset + op.mode) % 26);
  }
  return bytes;
}

std::string digest(const std::string& bytes) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  }
  return std::to_string(bytes.size()) + ":" + std::to_string(hash);
}

}  // namespace sandproof::machine::vfs_play
