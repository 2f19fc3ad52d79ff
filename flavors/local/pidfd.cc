// SPDX-License-Identifier: Apache-2.0
// The system calls. See pidfd.h.
#include "flavors/local/pidfd.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace sandproof::local {

Descriptor open_pidfd(pid_t pid) noexcept {
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U)));
}

bool send_through(int pidfd, int signal) noexcept {
  return ::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0U) == 0;
}

}  // namespace sandproof::local
