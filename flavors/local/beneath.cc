// SPDX-License-Identifier: Apache-2.0
// The system call. See beneath.h.
#include "flavors/local/beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sandproof::local {
namespace {

// The kernel asks to try again when a rename went on somewhere during the resolution.
constexpr int kTries = 64;

}  // namespace

Descriptor open_beneath(int root, const std::string& path, int flags, mode_t mode,
                        std::uint64_t resolve) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags) | O_CLOEXEC;
  how.mode = mode;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS | resolve;
  for (int i = 0; i < kTries; ++i) {
    const long fd =
        retry_eintr([&] { return ::syscall(SYS_openat2, root, path.c_str(), &how, sizeof how); });
    if (fd >= 0) return Descriptor(static_cast<int>(fd));
    if (errno != EAGAIN) break;
  }
  return {};
}

}  // namespace sandproof::local
