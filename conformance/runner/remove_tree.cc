// SPDX-License-Identifier: Apache-2.0
// Removing hostile directories (remove_tree.h). Works on descriptors, so that no path gets too long
// and no link that is swapped in meanwhile is followed.
#include "conformance/runner/remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "conformance/runner/unique_fd.h"

namespace sandproof::conformance::runner {
namespace {

// Levels below the root at which a directory is moved up to the root instead of being descended
// into: bounds the recursion and the descriptors, whatever the depth of the tree.
constexpr int kDeepest = 32;

std::string failure(const std::string& name) {
  return "cannot remove " + name + ": " + std::strerror(errno);
}

std::vector<std::string> entries(int directory_fd) {
  std::vector<std::string> names;
  // A second open file description: readdir moves its position.
  UniqueFd copy(::openat(directory_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::fdopendir(copy.get()), ::closedir);
  if (!directory) return names;
  copy.release();
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

class Remover {
 public:
  Remover(int root, dev_t device) : root_(root), device_(device) {}

  void empty(int fd, int depth) {
    for (const std::string& name : entries(fd)) remove(fd, name, depth);
  }
  /// Whether directories were moved up to the root since the last call.
  bool take_moved() { return std::exchange(moved_, false); }
  const std::string& error() const { return error_; }

 private:
  void fail(const std::string& name) {
    if (error_.empty()) error_ = failure(name);
  }

  void remove(int parent, const std::string& name, int depth) {
    if (::unlinkat(parent, name.c_str(), 0) == 0 || errno == ENOENT) return;
    if (errno != EISDIR) return fail(name);
    if (::unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT) return;
    const UniqueFd handle(
        ::openat(parent, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat info {};
    if (!handle || ::fstat(handle.get(), &info) != 0) return fail(name);
    if (info.st_dev != device_) {
      errno = EBUSY;
      return fail(name + " (a mount point)");
    }
    ::chmod(("/proc/self/fd/" + std::to_string(handle.get())).c_str(), 0700);
    if (depth >= kDeepest) return move_up(parent, name);
    const UniqueFd fd(::openat(handle.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd) return fail(name);
    empty(fd.get(), depth + 1);
    if (::unlinkat(parent, name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) fail(name);
  }

  void move_up(int parent, const std::string& name) {
    const std::string fresh = ".deep-" + std::to_string(++moved_count_);
    if (::renameat(parent, name.c_str(), root_, fresh.c_str()) != 0) return fail(name);
    moved_ = true;
  }

  int root_;
  dev_t device_;
  int moved_count_ = 0;
  bool moved_ = false;
  std::string error_;
};

std::string remove_tree_at(const std::filesystem::path& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return errno == ENOENT ? "" : failure(path.string());
  if (!S_ISDIR(info.st_mode)) return ::unlink(path.c_str()) == 0 ? "" : failure(path.string());
  ::chmod(path.c_str(), 0700);
  const UniqueFd root(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!root) return failure(path.string());
  Remover remover(root.get(), info.st_dev);
  // Each turn takes kDeepest levels off the deepest path.
  do {
    remover.empty(root.get(), 0);
  } while (remover.take_moved() && remover.error().empty());
  if (::rmdir(path.c_str()) == 0 || errno == ENOENT) return "";
  return remover.error().empty() ? failure(path.string()) : remover.error();
}

}  // namespace

std::string remove_tree(const std::filesystem::path& path) noexcept {
  try {
    return remove_tree_at(path);
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace sandproof::conformance::runner
