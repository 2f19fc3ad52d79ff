// SPDX-License-Identifier: Apache-2.0
// Reading and replacing whole files; see files.h.
#include "conformance/report/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "conformance/report/write_signals.h"

namespace sandproof::conformance {

class OpenFile {
 public:
  explicit OpenFile(int fd) : fd_(fd) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  int fd_;
};

namespace {

namespace fs = std::filesystem;

constexpr mode_t kOrdinaryMode = 0666;  // Less the umask, like any file that a tool writes.
constexpr std::size_t kReadChunk = 64 * 1024;

int open_retrying(const fs::path& path, int flags) {
  int fd = -1;
  do {
    fd = ::open(path.c_str(), flags | O_CLOEXEC, kOrdinaryMode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

[[noreturn]] void fail(std::string_view what, const fs::path& path, std::string_view verb,
                       int error) {
  throw std::runtime_error(
      fmt::format("{} {} cannot be {}: {}", what, path.string(), verb, std::strerror(error)));
}

bool write_all(int fd, std::string_view content) {
  const BlockedWriteSignals blocked;
  while (!content.empty()) {
    const ssize_t count = ::write(fd, content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// The opening alone was not to wait.
bool wait_from_now_on(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && ::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0;
}

bool is_pipe(int fd) {
  struct stat info {};
  return ::fstat(fd, &info) == 0 && S_ISFIFO(info.st_mode);
}

/// One read; EAGAIN is for the caller to see.
ssize_t read_some(int fd, std::string& chunk) {
  ssize_t count = -1;
  do {
    count = ::read(fd, chunk.data(), chunk.size());
  } while (count < 0 && errno == EINTR);
  return count;
}

/// Beside the target, so that the rename stays on one file system. The pid keeps two runs apart.
fs::path temporary_beside(const fs::path& target) {
  return target.parent_path() /
         fmt::format(".{}.{}.tmp", target.filename().string(), static_cast<long>(::getpid()));
}

}  // namespace

std::string read_whole_file(const fs::path& path, std::string_view what) {
  const OpenFile file(open_retrying(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  if (!file.valid()) fail(what, path, "read", errno);
  std::string content;
  std::string chunk(kReadChunk, '\0');
  ssize_t count = read_some(file.get(), chunk);
  if (count == 0 && is_pipe(file.get())) {
    throw std::runtime_error(
        fmt::format("{} {} cannot be read: it is a pipe that nobody writes into; start what writes "
                    "into it first, or name a file",
                    what, path.string()));
  }
  if (!wait_from_now_on(file.get())) fail(what, path, "read", errno);
  if (count < 0 && errno == EAGAIN) count = read_some(file.get(), chunk);
  for (; count > 0; count = read_some(file.get(), chunk)) {
    content.append(chunk, 0, static_cast<std::size_t>(count));
    if (content.size() > kLargestFile) fail(what, path, "read", EFBIG);
  }
  if (count < 0) fail(what, path, "read", errno);
  return content;
}

OutputFile::OutputFile(fs::path path, std::string_view what)
    : path_(std::move(path)), target_(path_), what_(what) {
  if (path_.empty()) throw std::runtime_error(what_ + " needs the name of a file");
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  if (fs::is_directory(status)) fail(what_, path_, "written", EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    open_in_place();
    return;
  }
  if (fs::exists(status)) {
    target_ = fs::canonical(path_, error);
    if (error) fail(what_, path_, "written", error.value());
    // Replacing needs no right to write the old file; a person who made it read-only meant it.
    if (::access(target_.c_str(), W_OK) != 0) fail(what_, path_, "written", errno);
  } else if (!path_.has_filename()) {
    fail(what_, path_, "written", EISDIR);
  }
  const fs::path temporary = temporary_beside(target_);
  const OpenFile probe(open_retrying(temporary, O_WRONLY | O_CREAT | O_TRUNC));
  if (!probe.valid()) fail(what_, path_, "written", errno);
  ::unlink(temporary.c_str());
}

void OutputFile::open_in_place() {
  // A pipe behind /dev/stdout has no name that links could be followed to: it is opened as given.
  auto file =
      std::make_shared<const OpenFile>(open_retrying(path_, O_WRONLY | O_NONBLOCK | O_NOCTTY));
  if (!file->valid() && errno == ENXIO) {
    throw std::runtime_error(
        fmt::format("{} {} cannot be written: it is a pipe that nobody reads, or a socket; start "
                    "what reads it first, or name a file",
                    what_, path_.string()));
  }
  if (!file->valid() || !wait_from_now_on(file->get())) fail(what_, path_, "written", errno);
  opened_ = std::move(file);
}

void OutputFile::write(std::string_view content) const {
  if (opened_) {
    if (!write_all(opened_->get(), content)) fail(what_, path_, "written", errno);
    return;
  }
  const fs::path temporary = temporary_beside(target_);
  const OpenFile file(open_retrying(temporary, O_WRONLY | O_CREAT | O_TRUNC));
  if (!file.valid()) fail(what_, path_, "written", errno);
  if (!write_all(file.get(), content) || ::fsync(file.get()) != 0 ||
      ::rename(temporary.c_str(), target_.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    fail(what_, path_, "written", error);
  }
}

}  // namespace sandproof::conformance
