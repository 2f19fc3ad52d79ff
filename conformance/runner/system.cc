// SPDX-License-Identifier: Apache-2.0
// System calls with EINTR retried (system.h).
#include "conformance/runner/system.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conformance/runner/run.h"

namespace sandproof::conformance::runner {

void throw_system_error(const std::string& what) {
  const int error = errno;
  throw RunnerError(what + ": " + std::strerror(error));
}

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw_system_error("cannot make a pipe");
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

void set_nonblocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0) {
    throw_system_error("cannot make a descriptor non-blocking");
  }
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

long read_some_bytes(int fd, char* buffer, std::size_t size) {
  while (true) {
    const ssize_t count = ::read(fd, buffer, size);
    if (count >= 0 || errno != EINTR) return count;
  }
}

int poll_timeout(std::chrono::steady_clock::duration left) {
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::clamp<std::int64_t>(ms, 0, 3'600'000));
}

}  // namespace sandproof::conformance::runner
