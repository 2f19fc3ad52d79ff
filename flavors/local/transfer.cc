// SPDX-License-Identifier: Apache-2.0
// Upload and download. See transfer.h.
#include "flavors/local/transfer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <system_error>

#include "flavors/local/aside_file.h"
#include "flavors/local/beneath.h"
#include "flavors/local/reason.h"
#include "flavors/local/remote_path.h"
#include "sandproof/errors.h"
#include "sandproof/words.h"

namespace sandproof::local {
namespace {

// Where the kernel does not copy by itself: large enough that calls do not matter.
constexpr std::size_t kBuffer = std::size_t{64} << 10;
// What the kernel is asked to copy in one call; it can be interrupted in between.
constexpr std::size_t kKernelCopy = std::size_t{16} << 20;
// A file that says that it is empty, as those of /proc do, is read to its end; this is for one
// that never ends.
constexpr off_t kLargestUnsized = off_t{1} << 30;
// Times that a path may be resolved again because something was swapped for a link meanwhile.
constexpr int kResolutions = 32;
constexpr mode_t kPermissionBits = 0777;

// One transfer: what its messages say. The names are those that the caller gave.
struct Names {
  std::string verb;  // "upload" or "download"
  std::string source;
  std::string target;

  [[noreturn]] void fail(const std::string& why) const {
    throw FileTransferError("cannot " + verb + " " + source + " to " + target + ": " + why);
  }
  [[noreturn]] void fail_with(int error) const { fail(reason_of(error)); }
};

struct Source {
  Descriptor file;
  off_t size = 0;
  mode_t mode = 0;
};

// Anything but a regular file is refused. It was opened without blocking, for a fifo's sake.
Source checked_source(const Names& names, Descriptor file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) names.fail_with(errno);
  if (S_ISDIR(status.st_mode)) names.fail("the source is a directory");
  if (!S_ISREG(status.st_mode)) names.fail("the source is not a regular file");
  return {std::move(file), status.st_size, status.st_mode & kPermissionBits};
}

constexpr int kReadSource = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

Source open_local_source(const Names& names, const std::filesystem::path& local) {
  if (local.empty()) throw InvalidArgumentError("the local path is empty; name a file");
  Descriptor file(retry_eintr([&] { return ::open(local.c_str(), kReadSource); }));
  if (file.valid()) return checked_source(names, std::move(file));
  const bool says_directory = local.filename().empty();
  if (errno == ENOENT || (errno == ENOTDIR && !says_directory)) {
    throw NotFoundError("cannot " + names.verb + " " + names.source +
                        ": there is no such local file (" + reason_of(errno) + ")");
  }
  if (errno == ENXIO) names.fail("the source is not a regular file");
  names.fail_with(errno);
}

// Throws std::system_error for the write side, so that both ends of a copy are told apart.
void write_all(int to, const std::byte* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t count = retry_eintr([&] { return ::write(to, bytes, size); });
    if (count < 0) throw std::system_error(errno, std::generic_category());
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
}

// Copies in the kernel, which shares blocks where the file system can; returns what is left of
// `size` when the kernel cannot go on, for whatever reason: the plain loop finds out.
off_t copy_in_kernel(int from, int to, off_t size) {
  while (size > 0) {
    const std::size_t wanted = std::min<std::size_t>(static_cast<std::size_t>(size), kKernelCopy);
    const ssize_t count =
        retry_eintr([&] { return ::copy_file_range(from, nullptr, to, nullptr, wanted, 0); });
    if (count <= 0) return size;
    size -= count;
  }
  return 0;
}

// The content as it was when the source was opened; what is appended meanwhile is left out.
void copy_content(const Names& names, const Source& source, int to) {
  const bool sized = source.size > 0;
  off_t left = copy_in_kernel(source.file.get(), to, source.size);
  if (sized && left == 0) return;
  if (!sized) left = kLargestUnsized;
  const auto buffer = std::make_unique<std::array<std::byte, kBuffer>>();
  while (left > 0) {
    const std::size_t wanted = std::min<std::size_t>(static_cast<std::size_t>(left), kBuffer);
    const ssize_t count =
        retry_eintr([&] { return ::read(source.file.get(), buffer->data(), wanted); });
    if (count < 0) names.fail("the source cannot be read (" + reason_of(errno) + ")");
    if (count == 0) return;
    write_all(to, buffer->data(), static_cast<std::size_t>(count));
    left -= count;
  }
  if (!sized) names.fail("the source does not end");
}

// Refuses to replace what is not a file. False for a link: it has come there since the path was
// resolved.
bool check_target(const Names& names, int directory, const std::string& name) {
  struct stat status {};
  if (::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return true;
    names.fail_with(errno);
  }
  if (S_ISLNK(status.st_mode)) return false;
  if (S_ISDIR(status.st_mode)) names.fail("the target is a directory; name a file in it");
  if (!S_ISREG(status.st_mode)) names.fail("the target is not a regular file");
  return true;
}

void write_target(const Names& names, const Source& source, IdSource& ids, int directory,
                  const std::string& name) {
  try {
    AsideFile aside(directory, ids);
    copy_content(names, source, aside.descriptor());
    aside.commit(name, source.mode);
  } catch (const std::system_error& error) {
    names.fail("the target cannot be written (" + reason_of(error.code().value()) + ")");
  }
}

// A local target after its links: an open directory and a name in it.
struct LocalTarget {
  Descriptor directory;
  std::string name;
};

LocalTarget open_local_target(const Names& names, const std::filesystem::path& local) {
  if (local.empty()) throw InvalidArgumentError("the local path is empty; name a file");
  std::filesystem::path path = local;
  for (int links = 0; links <= kMostLinks; ++links) {
    const std::string name = path.filename().string();
    if (name.empty() || name == "." || name == "..") {
      names.fail("the target names a directory; name a file in it");
    }
    const std::filesystem::path parent =
        path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    std::error_code error;
    std::filesystem::create_directories(parent, error);
    Descriptor directory(
        retry_eintr([&] { return ::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC); }));
    if (!directory.valid()) {
      names.fail("there is no directory '" + parent.string() + "' (" +
                 reason_of(error ? error.value() : errno) + ")");
    }
    if (check_target(names, directory.get(), name)) return {std::move(directory), name};
    path = parent / std::filesystem::read_symlink(path, error);
    if (error) names.fail_with(error.value());
  }
  names.fail("there are too many links in the target");
}

[[noreturn]] void fail_swapped(const PathRoot& root, const std::string& remote) {
  throw InvalidArgumentError("the path " + quote_word(remote) + " in " + root.where +
                             " keeps changing while it is followed; it may leave the working "
                             "directory");
}

// False when something was swapped for a link, and the path must be resolved again.
bool upload_to(const PathRoot& root, const Names& names, const ResolvedPath& path,
               const Source& source, IdSource& ids) {
  const Descriptor directory = open_parent(root, path, true);
  if (!directory.valid()) {
    if (errno == ELOOP) return false;
    names.fail("its directory cannot be made (" + reason_of(errno) + ")");
  }
  if (!check_target(names, directory.get(), path.name)) return false;
  write_target(names, source, ids, directory.get(), path.name);
  return true;
}

// Empty when something was swapped for a link, and the path must be resolved again.
std::optional<Source> open_remote_source(const PathRoot& root, const Names& names,
                                         const ResolvedPath& path) {
  Descriptor file = open_beneath(root.directory, path.joined(), kReadSource);
  if (file.valid()) {
    Source source = checked_source(names, std::move(file));
    if (path.is_directory) names.fail("the source's path says that it is a directory");
    return source;
  }
  if (errno == ELOOP) return std::nullopt;
  if (errno == ENOENT || errno == ENOTDIR) {
    throw NotFoundError("cannot download " + names.source + ": there is no such file in " +
                        root.where + " (" + reason_of(errno) + ")");
  }
  if (errno == ENXIO) names.fail("the source is not a regular file");
  names.fail_with(errno);
}

}  // namespace

void upload_file(const PathRoot& root, IdSource& ids, const std::filesystem::path& local,
                 const std::string& remote) {
  const Names names{"upload", quote_word(local.string()), quote_word(remote) + " in " + root.where};
  ResolvedPath path = resolve(root, remote);
  const Source source = open_local_source(names, local);
  for (int i = 0; i < kResolutions; ++i) {
    if (path.is_directory) names.fail("the target names a directory; name a file in it");
    if (upload_to(root, names, path, source, ids)) return;
    path = resolve(root, remote);
  }
  fail_swapped(root, remote);
}

void download_file(const PathRoot& root, IdSource& ids, const std::string& remote,
                   const std::filesystem::path& local) {
  const Names names{"download", quote_word(remote) + " in " + root.where,
                    quote_word(local.string())};
  for (int i = 0; i < kResolutions; ++i) {
    const std::optional<Source> source = open_remote_source(root, names, resolve(root, remote));
    if (!source) continue;
    const LocalTarget target = open_local_target(names, local);
    write_target(names, *source, ids, target.directory.get(), target.name);
    return;
  }
  fail_swapped(root, remote);
}

}  // namespace sandproof::local
