// SPDX-License-Identifier: Apache-2.0
// The removal of a tree of files. See remove_tree.h.
#include "flavors/local/remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string_view>
#include <system_error>

#include "flavors/local/beneath.h"
#include "flavors/local/descriptor.h"

namespace sandproof::local {
namespace {

// Each level holds two descriptors open. Deeper directories are moved up to the top and removed
// from there, so that no depth exhausts descriptors or stack.
constexpr int kDepth = 24;
// Rounds over what appears again, or was moved up, while it is being removed. Whoever writes faster
// than that is no dying process.
constexpr int kRounds = 10'000;
constexpr int kFutileRounds = 16;

class Removal {
 public:
  Removal(int parent, std::string name) : parent_(parent), name_(std::move(name)) {}

  void run() {
    int futile = 0;
    for (int round = 0; round < kRounds && futile < kFutileRounds; ++round) {
      const std::size_t before = removed_;
      if (::unlinkat(parent_, name_.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT) return;
      if (errno == ENOTDIR) {
        if (::unlinkat(parent_, name_.c_str(), 0) == 0 || errno == ENOENT) return;
      }
      note(name_);
      top_ = open_directory(parent_, name_);
      if (top_.valid()) empty(top_.get(), name_, 0);
      futile = removed_ == before ? futile + 1 : 0;
    }
    throw std::system_error(
        error_, std::generic_category(),
        "cannot remove '" + failed_ + "'" + (error_ == ENOSYS ? " without Linux 5.6" : ""));
  }

 private:
  void note(const std::string& path) {
    error_ = errno;
    failed_ = path;
  }

  // The directory for reading, whatever its permissions. A link or a mount point is refused.
  static Descriptor open_directory(int parent, const std::string& name) {
    const Descriptor handle = open_beneath(parent, name, O_PATH | O_DIRECTORY, 0, RESOLVE_NO_XDEV);
    if (!handle.valid()) return {};
    struct stat status {};
    if (::fstat(handle.get(), &status) != 0) return {};
    if ((status.st_mode & S_IRWXU) != S_IRWXU) {
      // fchmod() refuses such a handle; this path names the same inode, whatever the name does.
      const std::string self = "/proc/self/fd/" + std::to_string(handle.get());
      ::chmod(self.c_str(), S_IRWXU);
    }
    return open_beneath(handle.get(), ".", O_RDONLY | O_DIRECTORY, 0, RESOLVE_NO_XDEV);
  }

  // Removes what is in the directory as far as that is possible.
  void empty(int directory, const std::string& path, int depth) {
    const int copy = ::fcntl(directory, F_DUPFD_CLOEXEC, 0);
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(copy < 0 ? nullptr : ::fdopendir(copy),
                                                      &::closedir);
    if (entries == nullptr) {
      note(path);
      if (copy >= 0) ::close(copy);
      return;
    }
    ::rewinddir(entries.get());
    while (const dirent* entry = ::readdir(entries.get())) {
      const std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      std::string inner = path;
      inner.append("/").append(name);
      remove_entry(directory, name, inner, depth);
    }
  }

  void remove_entry(int directory, const std::string& name, const std::string& path, int depth) {
    if (::unlinkat(directory, name.c_str(), 0) == 0) {
      ++removed_;
      return;
    }
    if (errno == ENOENT) return;
    const int error = errno;
    if (error != EISDIR && error != EPERM) return note(path);
    if (::unlinkat(directory, name.c_str(), AT_REMOVEDIR) == 0) {
      ++removed_;
      return;
    }
    const Descriptor inner = open_directory(directory, name);
    if (!inner.valid()) {
      if (errno == ENOTDIR || errno == ELOOP) errno = error;  // It is no directory after all.
      return note(path);
    }
    if (depth >= kDepth) {
      const std::string higher = ".sandproof-removal-" + std::to_string(moved_++);
      if (::renameat(directory, name.c_str(), top_.get(), higher.c_str()) == 0) {
        ++removed_;
      } else {
        note(path);
      }
      return;
    }
    empty(inner.get(), path, depth + 1);
    if (::unlinkat(directory, name.c_str(), AT_REMOVEDIR) == 0) {
      ++removed_;
    } else if (errno != ENOENT) {
      note(path);
    }
  }

  const int parent_;
  const std::string name_;
  Descriptor top_;
  std::size_t removed_ = 0;
  std::size_t moved_ = 0;
  int error_ = 0;
  std::string failed_;
};

}  // namespace

void remove_tree(int parent, const std::string& name) { Removal(parent, name).run(); }

}  // namespace sandproof::local
