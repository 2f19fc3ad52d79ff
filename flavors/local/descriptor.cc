// SPDX-License-Identifier: Apache-2.0
// The parts of an owned descriptor that need system headers. See descriptor.h.
#include "flavors/local/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <system_error>

namespace sandproof::local {

void Descriptor::reset(int fd) noexcept {
  const int old = std::exchange(fd_, fd);
  if (old < 0) return;
  const int saved = errno;
  // Not made again after EINTR: on Linux the number is free by then, and may be someone else's.
  ::close(old);
  errno = saved;
}

int milliseconds_until(std::chrono::steady_clock::time_point deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<long long>(left.count(), 0, INT_MAX));
}

Descriptor lifted(Descriptor descriptor) {
  if (!descriptor.valid() || descriptor.get() > STDERR_FILENO) return descriptor;
  const int higher = ::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (higher < 0) {
    throw std::system_error(errno, std::generic_category(), "cannot move a descriptor above 2");
  }
  return Descriptor(higher);
}

}  // namespace sandproof::local
