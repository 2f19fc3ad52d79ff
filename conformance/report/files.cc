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

namespace sandproof::conformance {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOrdinaryMode = 0666;  // Less the umask, like any file that a tool writes.
constexpr std::size_t kReadChunk = 64 * 1024;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  int fd_;
};

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
  while (!content.empty()) {
    const ssize_t count = ::write(fd, content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// Beside the target, so that the rename stays on one file system. The pid keeps two runs apart.
fs::path temporary_beside(const fs::path& target) {
  return target.parent_path() /
         fmt::format(".{}.{}.tmp", target.filename().string(), static_cast<long>(::getpid()));
}

}  // namespace

std::string read_whole_file(const fs::path& path, std::string_view what) {
  const Descriptor file(open_retrying(path, O_RDONLY));
  if (!file.valid()) fail(what, path, "read", errno);
  std::string content;
  std::string chunk(kReadChunk, '\0');
  for (;;) {
    const ssize_t count = ::read(file.get(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(what, path, "read", errno);
    if (count == 0) return content;
    content.append(chunk, 0, static_cast<std::size_t>(count));
  }
}

OutputFile::OutputFile(fs::path path, std::string_view what)
    : path_(std::move(path)), target_(path_), what_(what) {
  if (path_.empty()) throw std::runtime_error(what_ + " needs the name of a file");
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  if (fs::is_directory(status)) fail(what_, path_, "written", EISDIR);
  if (fs::exists(status)) {
    in_place_ = !fs::is_regular_file(status);
    // A pipe behind /dev/stdout has no name that links could be followed to.
    if (!in_place_) target_ = fs::canonical(path_, error);
    if (error) fail(what_, path_, "written", error.value());
    // Replacing needs no right to write the old file; a person who made it read-only meant it.
    if (::access(target_.c_str(), W_OK) != 0) fail(what_, path_, "written", errno);
    if (in_place_) return;
  } else if (!path_.has_filename()) {
    fail(what_, path_, "written", EISDIR);
  }
  const fs::path temporary = temporary_beside(target_);
  const Descriptor probe(open_retrying(temporary, O_WRONLY | O_CREAT | O_TRUNC));
  if (!probe.valid()) fail(what_, path_, "written", errno);
  ::unlink(temporary.c_str());
}

void OutputFile::write(std::string_view content) const {
  if (in_place_) {
    const Descriptor file(open_retrying(target_, O_WRONLY));
    if (!file.valid() || !write_all(file.get(), content)) fail(what_, path_, "written", errno);
    return;
  }
  const fs::path temporary = temporary_beside(target_);
  const Descriptor file(open_retrying(temporary, O_WRONLY | O_CREAT | O_TRUNC));
  if (!file.valid()) fail(what_, path_, "written", errno);
  if (!write_all(file.get(), content) || ::fsync(file.get()) != 0 ||
      ::rename(temporary.c_str(), target_.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    fail(what_, path_, "written", error);
  }
}

}  // namespace sandproof::conformance
