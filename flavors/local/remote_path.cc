// SPDX-License-Identifier: Apache-2.0
// The resolution of a path beneath a root. See remote_path.h.
#include "flavors/local/remote_path.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <deque>
#include <optional>
#include <string_view>
#include <system_error>

#include "flavors/local/beneath.h"
#include "flavors/local/reason.h"
#include "sandproof/errors.h"
#include "sandproof/words.h"

namespace sandproof::local {
namespace {

// Times that a name may turn into a link, or vanish, between two looks at it.
constexpr int kMostSurprises = 64;
// What mkdir(1) asks for; the mask of the process takes from it.
constexpr mode_t kDirectoryMode = 0777;

std::vector<std::string> components(std::string_view path) {
  std::vector<std::string> names;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0 && path.substr(0, end) != ".") names.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return names;
}

bool says_directory(std::string_view path) {
  const std::string_view last = path.substr(path.rfind('/') + 1);
  return last.empty() || last == "." || last == "..";
}

std::string join(const std::vector<std::string>& names) {
  std::string path;
  for (const std::string& name : names) {
    if (!path.empty()) path += '/';
    path += name;
  }
  return path.empty() ? "." : path;
}

// One resolution. `at_` is the directory that names_ lead to, as long as it exists.
class Resolution {
 public:
  Resolution(const PathRoot& root, const std::string& path) : root_(root), path_(path) {}

  ResolvedPath run() {
    go_to_root();
    push_front(path_);
    is_directory_ = says_directory(path_);
    while (!pending_.empty()) {
      const std::string name = std::move(pending_.front());
      pending_.pop_front();
      step(name);
    }
    ResolvedPath result;
    result.is_directory = is_directory_ || names_.empty();
    if (!names_.empty()) {
      result.name = std::move(names_.back());
      names_.pop_back();
    }
    result.directories = std::move(names_);
    return result;
  }

 private:
  [[noreturn]] void leave() const {
    throw InvalidArgumentError("the path " + quote_word(path_) +
                               " leaves the working directory of " + root_.where +
                               "; only files inside of it can be transferred");
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw FileTransferError("cannot follow the path " + quote_word(path_) + " in " + root_.where +
                            ": " + why);
  }

  [[noreturn]] void fail_with(int error) const {
    std::string why = reason_of(error);
    if (error == ENOSYS) why += "; openat2 needs Linux 5.6";
    fail(why);
  }

  void go_to_root() {
    names_.clear();
    enter(".");
  }

  // Opens the directory that names_ lead to again, after `..`.
  void enter(const std::string& path) {
    at_ = open_beneath(root_.directory, path, O_PATH | O_DIRECTORY);
    if (at_.valid() || is_missing(errno)) return;
    if (errno == ELOOP) return surprise();
    fail_with(errno);
  }

  static bool is_missing(int error) { return error == ENOENT || error == ENOTDIR; }

  // Something has changed under our feet. Starts again, a bounded number of times.
  void surprise() {
    if (++surprises_ > kMostSurprises) {
      throw InvalidArgumentError("the path " + quote_word(path_) + " in " + root_.where +
                                 " keeps changing while it is followed; it may leave the working "
                                 "directory");
    }
    links_ = 0;
    pending_.clear();
    is_directory_ = says_directory(path_);
    go_to_root();
    push_front(path_);
  }

  // Puts a path in front of what is still to be followed.
  void push_front(const std::string& path) {
    std::vector<std::string> names;
    if (path.starts_with('/')) {
      names = components(inside(path));
    } else {
      names = components(path);
    }
    pending_.insert(pending_.begin(), names.begin(), names.end());
  }

  // The rest of an absolute path after the shortest beginning that is the root: whole components
  // are compared, by what they lead to, so that it does not matter how the root is reached.
  std::string inside(const std::string& path) const {
    struct stat wanted {};
    if (::fstat(root_.directory, &wanted) != 0) fail_with(errno);
    for (std::size_t end = path.find_first_not_of('/'); end != std::string::npos;
         end = path.find_first_not_of('/', end)) {
      end = std::min(path.find('/', end), path.size());
      struct stat status {};
      if (::stat(path.substr(0, end).c_str(), &status) != 0) break;
      if (status.st_dev == wanted.st_dev && status.st_ino == wanted.st_ino) {
        return path.substr(end);
      }
    }
    leave();
  }

  void step(const std::string& name) {
    if (name == "..") {
      if (names_.empty()) leave();
      names_.pop_back();
      return enter(join(names_));
    }
    if (at_.valid()) {
      if (const std::optional<std::string> target = read_link(name)) {
        return follow(*target);
      }
    }
    names_.push_back(name);
    if (pending_.empty() || !at_.valid()) return;
    Descriptor next = open_beneath(at_.get(), name, O_PATH | O_DIRECTORY);
    if (!next.valid() && errno == ELOOP) return surprise();
    if (!next.valid() && !is_missing(errno)) fail_with(errno);
    at_ = std::move(next);
  }

  std::optional<std::string> read_link(const std::string& name) const {
    std::string target(PATH_MAX, '\0');
    const ssize_t size = ::readlinkat(at_.get(), name.c_str(), target.data(), target.size());
    if (size < 0) {
      if (errno == EINVAL || is_missing(errno)) return std::nullopt;
      fail_with(errno);
    }
    target.resize(static_cast<std::size_t>(size));
    return target;
  }

  void follow(const std::string& target) {
    if (++links_ > kMostLinks) fail("there are more than 40 links in it");
    if (pending_.empty()) is_directory_ = is_directory_ || says_directory(target);
    if (target.starts_with('/')) {
      push_front(target);  // Throws for one that leaves, before anything is changed.
      return go_to_root();
    }
    push_front(target);
  }

  const PathRoot& root_;
  const std::string& path_;
  std::vector<std::string> names_;
  std::deque<std::string> pending_;
  Descriptor at_;
  bool is_directory_ = false;
  int links_ = 0;
  int surprises_ = 0;
};

}  // namespace

std::string ResolvedPath::joined() const {
  std::vector<std::string> names = directories;
  if (!name.empty()) names.push_back(name);
  return join(names);
}

ResolvedPath resolve(const PathRoot& root, const std::string& path) {
  if (path.empty()) throw InvalidArgumentError("the remote path is empty; name a file");
  if (path.find('\0') != std::string::npos) {
    throw InvalidArgumentError("the remote path " + quote_word(path.substr(0, path.find('\0'))) +
                               "… has a NUL in it, which no file name can have");
  }
  return Resolution(root, path).run();
}

Descriptor open_parent(const PathRoot& root, const ResolvedPath& path, bool make) {
  Descriptor directory = open_beneath(root.directory, ".", O_PATH | O_DIRECTORY);
  for (const std::string& name : path.directories) {
    if (!directory.valid()) break;
    Descriptor next;
    for (int i = 0; i < kMostSurprises; ++i) {
      next = open_beneath(directory.get(), name, O_PATH | O_DIRECTORY);
      if (next.valid() || !make || errno != ENOENT) break;
      if (::mkdirat(directory.get(), name.c_str(), kDirectoryMode) != 0 && errno != EEXIST) {
        return {};
      }
    }
    directory = std::move(next);
  }
  return directory;
}

}  // namespace sandproof::local
