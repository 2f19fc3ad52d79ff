// SPDX-License-Identifier: Apache-2.0
// Opening below a directory that no path may leave: openat2(2), which the C library has no wrapper
// for. Stateless; any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "flavors/local/descriptor.h"

namespace sandproof::local {

/// Opens `path` beneath the directory `root`: no component of it may be a link, lead above `root`
/// or be a magic link of /proc. `resolve` adds RESOLVE_ flags, `mode` is for O_CREAT. O_CLOEXEC is
/// set. Invalid, with errno, on failure: ELOOP for a link, EXDEV for a path that leads out, ENOSYS
/// (or EPERM, in some containers) before Linux 5.6.
Descriptor open_beneath(int root, const std::string& path, int flags, mode_t mode = 0,
                        std::uint64_t resolve = 0);

}  // namespace sandproof::local
