// SPDX-License-Identifier: Apache-2.0
// See spill_file.h.
#include "spill_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace sandproof {
namespace {

std::error_code last_error() { return {errno, std::generic_category()}; }

/// Beyond RLIMIT_FSIZE a write would not fail but end the harness with SIGXFSZ.
bool is_within_limit(std::uint64_t end) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  return end <= limit.rlim_cur;
}

int open_unlinked(const std::string& directory) {
  const int fd = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) return fd;
  std::string name = directory + "/sandproof-spill-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

SpillFile::SpillFile(const std::string& directory, std::error_code& error)
    : fd_(open_unlinked(directory)) {
  if (fd_ < 0) error = last_error();
}

SpillFile::~SpillFile() {
  if (fd_ >= 0) ::close(fd_);
}

std::error_code SpillFile::write_at(std::uint64_t offset,
                                    std::span<const std::byte> bytes) noexcept {
  if (!is_within_limit(offset + bytes.size()))
    return std::make_error_code(std::errc::file_too_large);
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0) {
      if (errno == EINTR) continue;
      return last_error();
    }
    offset += static_cast<std::uint64_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return {};
}

std::error_code SpillFile::read_at(std::uint64_t offset, std::span<std::byte> buffer) noexcept {
  while (!buffer.empty()) {
    const ssize_t n = ::pread(fd_, buffer.data(), buffer.size(), static_cast<off_t>(offset));
    if (n < 0) {
      if (errno == EINTR) continue;
      return last_error();
    }
    if (n == 0) return std::make_error_code(std::errc::io_error);
    offset += static_cast<std::uint64_t>(n);
    buffer = buffer.subspan(static_cast<std::size_t>(n));
  }
  return {};
}

void SpillFile::release_before(std::uint64_t offset) noexcept {
  const std::uint64_t upto = offset - offset % kPunchStep;
  if (upto <= punched_) return;
  // A file system without holes keeps the space; the limit still holds for what is unread.
  if (::fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(punched_),
                  static_cast<off_t>(upto - punched_)) == 0 ||
      errno != EINTR) {
    punched_ = upto;
  }
}

void SpillFile::release_all() noexcept {
  while (::ftruncate(fd_, 0) != 0 && errno == EINTR) {
  }
}

}  // namespace sandproof
