// SPDX-License-Identifier: Apache-2.0
// The operations as system calls of the real kernel; see vfs_play.h.
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "tests/machine/vfs_play.h"

namespace sandproof::machine::vfs_play {
namespace {

class KernelWorld {
 public:
  std::string apply(const Op& op) {
    become(kUsers[static_cast<std::size_t>(op.user)]);
    std::string told = op.call <= Call::kClose ? on_slot(op) : on_path(op);
    become(kUsers[0]);
    return told;
  }

  void dump(const std::string& path, std::vector<std::string>& lines) {
    struct stat file = {};
    if (lstat(path.c_str(), &file) != 0) {
      lines.push_back(path + " " + verdict(-1));
      return;
    }
    const auto number = numbers_.emplace(file.st_ino, numbers_.size()).first->second;
    std::string line = path + " #" + std::to_string(number) + " " + text_of_stat(file);
    if (S_ISREG(file.st_mode)) line += " " + digest(whole(path));
    if (S_ISLNK(file.st_mode)) line += " " + link_text(path);
    lines.push_back(line);
    if (!S_ISDIR(file.st_mode)) return;
    for (const std::string& name : names(path)) {
      if (name == "." || name == "..") continue;
      dump(path == "/" ? "/" + name : path + "/" + name, lines);
    }
  }

 private:
  static void become(const User& user) {
    setfsuid(0);
    if (setgroups(user.groups.size(), user.groups.data()) != 0) _exit(9);
    setfsgid(user.gid);
    setfsuid(user.uid);
  }

  static std::string verdict(long result) {
    return result < 0 ? "error " + std::to_string(errno) : "ok";
  }

  static std::string text_of_stat(const struct stat& file) {
    const bool directory = S_ISDIR(file.st_mode);
    return (directory                ? "dir "
            : S_ISREG(file.st_mode)  ? "file "
            : S_ISLNK(file.st_mode)  ? "link "
            : S_ISFIFO(file.st_mode) ? "fifo "
                                     : "other ") +
           std::to_string(file.st_mode & 07777U) + " links " + std::to_string(file.st_nlink) +
           " of " + std::to_string(file.st_uid) + ":" + std::to_string(file.st_gid) + " size " +
           (directory ? "-" : std::to_string(file.st_size));
  }

  static std::string whole(const std::string& path) {
    std::string bytes;
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    std::array<char, 65536> part;
    for (ssize_t got = 0; (got = ::read(fd, part.data(), part.size())) > 0;) {
      bytes.append(part.data(), static_cast<std::size_t>(got));
    }
    ::close(fd);
    return bytes;
  }

  static std::string link_text(const std::string& path) {
    std::array<char, 5000> text;
    const ssize_t count = ::readlink(path.c_str(), text.data(), text.size());
    if (count < 0) return verdict(-1);
    return std::string(text.data(), static_cast<std::size_t>(count));
  }

  static std::vector<std::string> names(const std::string& path) {
    std::vector<std::string> found;
    DIR* directory = opendir(path.c_str());
    if (directory == nullptr) return {verdict(-1)};
    while (const dirent* entry = readdir(directory)) found.emplace_back(entry->d_name);
    closedir(directory);
    std::ranges::sort(found);
    return found;
  }

  std::string on_slot(const Op& op) {
    int& fd = fds_[static_cast<std::size_t>(op.slot)];
    if (op.call == Call::kOpen) {
      if (fd >= 0) ::close(fd);
      fd = open_for(op);
      return verdict(fd);
    }
    if (fd < 0) return "closed";
    struct stat file = {};
    if (fstat(fd, &file) != 0) return verdict(-1);
    if (S_ISFIFO(file.st_mode) && op.call != Call::kClose) return "fifo";
    std::string bytes = bytes_of(op);
    switch (op.call) {
      case Call::kWrite: {
        const ssize_t count = pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(op.offset));
        return count < 0 ? verdict(-1) : "wrote " + std::to_string(count);
      }
      case Call::kRead: {
        const ssize_t count = pread(fd, bytes.data(), bytes.size(), static_cast<off_t>(op.offset));
        if (count < 0) return verdict(-1);
        return "read " + digest(bytes.substr(0, static_cast<std::size_t>(count)));
      }
      case Call::kFtruncate:
        return verdict(ftruncate(fd, static_cast<off_t>(op.offset)));
      case Call::kFstat:
        return text_of_stat(file);
      default:
        ::close(fd);
        fd = -1;
        return "ok";
    }
  }

  static int open_for(const Op& op) {
    int flags = O_NONBLOCK | O_CLOEXEC;
    const std::uint32_t access = op.bits & (kReads | kWrites);
    flags |= access == kWrites ? O_WRONLY : access == kReads || access == 0 ? O_RDONLY : O_RDWR;
    if ((op.bits & kCreates) != 0) flags |= O_CREAT;
    if ((op.bits & kExclusive) != 0) flags |= O_EXCL;
    if ((op.bits & kTruncates) != 0) flags |= O_TRUNC;
    if ((op.bits & kOnlyDirectory) != 0) flags |= O_DIRECTORY;
    if ((op.bits & kNoFollow) != 0) flags |= O_NOFOLLOW;
    return ::open(op.a.c_str(), flags | O_CLOEXEC, op.mode);
  }

  std::string on_path(const Op& op) {
    const char* a = op.a.c_str();
    const char* b = op.b.c_str();
    struct stat file = {};
    switch (op.call) {
      case Call::kStat:
        return ::stat(a, &file) == 0 ? text_of_stat(file) : verdict(-1);
      case Call::kLstat:
        return ::lstat(a, &file) == 0 ? text_of_stat(file) : verdict(-1);
      case Call::kAccess:
        return verdict(syscall(SYS_faccessat2, AT_FDCWD, a, op.bits & 7U, AT_EACCESS));
      case Call::kMkdir:
        return verdict(::mkdir(a, op.mode));
      case Call::kMkfifo:
        return verdict(::mkfifo(a, op.mode));
      case Call::kSymlink:
        return verdict(::symlink(a, b));
      case Call::kLink:
        return verdict(::linkat(AT_FDCWD, a, AT_FDCWD, b, op.bits % 2 ? AT_SYMLINK_FOLLOW : 0));
      case Call::kUnlink:
        return verdict(::unlink(a));
      case Call::kRmdir:
        return verdict(::rmdir(a));
      case Call::kRename:
        return verdict(::rename(a, b));
      case Call::kReadlink:
        return link_text(op.a);
      case Call::kTruncate:
        return verdict(::truncate(a, static_cast<off_t>(op.offset)));
      default:
        return on_attributes(op);
    }
  }

  static std::string on_attributes(const Op& op) {
    const User& owner = kUsers[op.count % kUsers.size()];
    const uid_t uid = (op.bits & 1) != 0 ? owner.uid : static_cast<uid_t>(-1);
    const gid_t gid = (op.bits & 2) != 0 ? owner.gid : static_cast<gid_t>(-1);
    switch (op.call) {
      case Call::kChmod:
        return verdict(::chmod(op.a.c_str(), op.mode));
      case Call::kChown:
        return verdict(::chown(op.a.c_str(), uid, gid));
      case Call::kLchown:
        return verdict(::lchown(op.a.c_str(), uid, gid));
      case Call::kChdir:
        return verdict(::chdir(op.a.c_str()));
      case Call::kGetcwd: {
        std::array<char, 5000> path;
        return ::getcwd(path.data(), path.size()) != nullptr ? path.data() : verdict(-1);
      }
      default: {
        std::string told;
        for (const std::string& name : names(op.a)) told += name + " ";
        return told;
      }
    }
  }

  std::array<int, kSlots> fds_ = {-1, -1, -1, -1};
  std::map<ino_t, std::size_t> numbers_;
};

[[noreturn]] void play_and_exit(const std::vector<Op>& ops, const std::string& root, int out) {
  if (chroot(root.c_str()) != 0 || chdir("/") != 0) _exit(8);
  umask(0);
  KernelWorld world;
  std::vector<std::string> lines;
  for (const Op& op : ops) lines.push_back(world.apply(op));
  world.dump("/", lines);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(out, text.data() + done, text.size() - done);
    if (count < 0) _exit(7);
    done += static_cast<std::size_t>(count);
  }
  _exit(0);
}

}  // namespace

std::vector<std::string> play_in_kernel(const std::vector<Op>& ops, const std::string& root) {
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {"pipe2 failed"};
  const pid_t child = fork();
  if (child == 0) play_and_exit(ops, root, ends[1]);
  close(ends[1]);
  std::string text;
  std::array<char, 65536> part;
  for (ssize_t got = 0; (got = ::read(ends[0], part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (status != 0) lines.push_back("the child ended with status " + std::to_string(status));
  return lines;
}

}  // namespace sandproof::machine::vfs_play
