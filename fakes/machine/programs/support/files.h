// SPDX-License-Identifier: Apache-2.0
// Reading, copying and listing files, as most programs do it. One thread per machine.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "fakes/machine/program.h"

namespace sandproof::machine::programs {

inline constexpr OpenOptions kToRead = {.flags = {.read = true}, .close_on_exec = true};
inline constexpr OpenOptions kToOverwrite = {
    .flags = {.write = true, .create = true, .truncate = true}, .close_on_exec = true};
inline constexpr OpenOptions kToAppend = {
    .flags = {.write = true, .create = true}, .append = true, .close_on_exec = true};

/// A descriptor that is closed with it, unless it is one of the first three.
class OwnedFd {
 public:
  OwnedFd(Process& self, int fd) : self_(&self), fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : self_(other.self_), fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    std::swap(self_, other.self_);
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OwnedFd() {
    if (fd_ > 2) (void)self_->close(fd_);
  }
  int get() const { return fd_; }

 private:
  Process* self_;
  int fd_;
};

/// "-" is standard input.
Task<Result<OwnedFd>> open_input(Process& self, std::string_view path);
Task<Result<OwnedFd>> open_output(Process& self, std::string_view path, OpenOptions options);

/// What a program may hold of files in memory, bytes: a box must not take its host's.
inline constexpr std::size_t kMaxHeldBytes = std::size_t{256} << 20;

/// To its end; ENOMEM beyond the limit.
Task<Result<std::string>> read_all(Process& self, int fd, std::size_t limit = kMaxHeldBytes);
Task<Result<std::string>> read_file(Process& self, std::string_view path);

/// Bytes from one descriptor to another, to the end or, where it is given, so many. At most one of
/// the errors is set.
struct CopyEnd {
  Errno read = Errno::kOk;
  Errno write = Errno::kOk;
  std::uint64_t bytes = 0;
  bool ok() const { return read == Errno::kOk && write == Errno::kOk; }
};
Task<CopyEnd> copy_bytes(Process& self, int from, int to,
                         std::optional<std::uint64_t> most = std::nullopt);

/// The names in a directory but the dots, by their bytes.
Task<Result<Strings>> list_names(Process& self, std::string_view path);
/// In two steps, for who looks at the entries while the directory is open.
Task<Result<OwnedFd>> open_directory(Process& self, std::string_view path);
Task<Result<Strings>> list_names(Process& self, const OwnedFd& directory);

/// The value of a variable of the process's environment.
std::optional<std::string> variable(const Process& self, std::string_view name);

/// An absolute path without links and dots, of what is there.
Result<std::string> real_path(Process& self, std::string_view path);

/// A question on stderr, an answer from standard input: whether it begins with y or Y.
Task<bool> answered_yes(Process& self);

}  // namespace sandproof::machine::programs
