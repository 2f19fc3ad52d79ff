// SPDX-License-Identifier: Apache-2.0
// See host_file.h.
#include "flavors/memory/host_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "sandproof/errors.h"

namespace sandproof::memory {
namespace {

namespace fs = std::filesystem;

// Linux's SYMLOOP_MAX in effect.
constexpr int kMostLinks = 40;
constexpr int kTokenDigits = 16;
constexpr mode_t kPermissions = 0777;
constexpr mode_t kOwnersFile = 0600;

std::string host_reason(int error) { return std::generic_category().message(error); }

void require_path(const fs::path& path) {
  if (path.empty()) throw InvalidArgumentError("the local path is empty; name a file");
}

}  // namespace

void TransferNames::fail(const std::string& why) const {
  throw FileTransferError("cannot " + verb + " " + source + " to " + target + ": " + why);
}

HostSource::HostSource(const TransferNames& names, const fs::path& path) : names_(names) {
  require_path(path);
  // Without blocking, for a fifo's sake.
  fd_ = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  const int error = errno;
  if (fd_ < 0) {
    if (error == ENOENT || (error == ENOTDIR && path.has_filename())) {
      throw NotFoundError("cannot " + names.verb + " " + names.source +
                          ": there is no such local file (" + host_reason(error) + ")");
    }
    names.fail(error == ENXIO ? "the source is not a regular file" : host_reason(error));
  }
  struct stat status {};
  const bool known = ::fstat(fd_, &status) == 0;
  mode_ = status.st_mode & kPermissions;
  if (known && S_ISREG(status.st_mode)) return;
  ::close(fd_);
  names.fail(S_ISDIR(status.st_mode) ? "the source is a directory"
                                     : "the source is not a regular file");
}

HostSource::~HostSource() { ::close(fd_); }

std::size_t HostSource::read(std::span<std::byte> into) {
  for (;;) {
    const ssize_t count = ::read(fd_, into.data(), into.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) names_.fail("the source cannot be read (" + host_reason(errno) + ")");
  }
}

HostTarget::HostTarget(const TransferNames& names, IdSource& ids, const fs::path& path)
    : names_(names) {
  require_path(path);
  resolve(path);
  aside_ = path_.parent_path() / (".sandproof-" + ids.hex(kTokenDigits) + ".part");
  fd_ = ::open(aside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kOwnersFile);
  if (fd_ < 0) {
    aside_.clear();
    fail_to_write();
  }
}

HostTarget::~HostTarget() {
  if (fd_ >= 0) ::close(fd_);
  if (!aside_.empty()) ::unlink(aside_.c_str());
}

void HostTarget::fail_to_write() const {
  names_.fail("the target cannot be written (" + host_reason(errno) + ")");
}

void HostTarget::resolve(const fs::path& path) {
  path_ = path;
  for (int links = 0; links <= kMostLinks; ++links) {
    const std::string name = path_.filename().string();
    if (name.empty() || name == "." || name == "..") {
      names_.fail("the target names a directory; name a file in it");
    }
    const fs::path parent = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
    std::error_code error;
    fs::create_directories(parent, error);
    if (!fs::is_directory(parent)) {
      names_.fail("there is no directory '" + parent.string() + "'" +
                  (error ? " (" + error.message() + ")" : ""));
    }
    path_ = parent / name;
    const fs::file_status status = fs::symlink_status(path_, error);
    if (status.type() == fs::file_type::not_found || fs::is_regular_file(status)) return;
    if (fs::is_directory(status)) names_.fail("the target is a directory; name a file in it");
    if (!fs::is_symlink(status)) names_.fail("the target is not a regular file");
    path_ = parent / fs::read_symlink(path_, error);
    if (error) names_.fail(error.message());
  }
  names_.fail("there are too many links in the target");
}

void HostTarget::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_to_write();
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void HostTarget::commit(mode_t mode) {
  if (::fchmod(fd_, mode) != 0) fail_to_write();
  const int fd = std::exchange(fd_, -1);
  // Some file systems say only here that there was no space (close(2)).
  if (::close(fd) != 0 && errno != EINTR) fail_to_write();
  if (::rename(aside_.c_str(), path_.c_str()) != 0) fail_to_write();
  aside_.clear();
}

}  // namespace sandproof::memory
