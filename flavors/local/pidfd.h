// SPDX-License-Identifier: Apache-2.0
// Descriptors of processes, by system call: the C library has wrappers since 2.36, whose header
// C++ cannot use before 2.37. Stateless; any thread.
#pragma once

#include <sys/types.h>

#include "flavors/local/descriptor.h"

namespace sandproof::local {

/// A descriptor for whichever process has this pid now. Invalid, with errno, when there is none.
Descriptor open_pidfd(pid_t pid) noexcept;

/// Sends to the process of the descriptor and to no other. False, with errno, when it has been
/// reaped (ESRCH) or may not be sent to (EPERM).
bool send_through(int pidfd, int signal) noexcept;

}  // namespace sandproof::local
