// SPDX-License-Identifier: Apache-2.0
// The few system calls that several files of the runner make, with EINTR retried and failures as
// RunnerError: one sentence with the system's reason. Stateless; any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "conformance/runner/unique_fd.h"

namespace sandproof::conformance::runner {

/// Throws RunnerError "<what>: <the system's reason>".
[[noreturn]] void throw_system_error(const std::string& what);

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};
/// Close-on-exec. Throws RunnerError.
Pipe make_pipe();

void set_nonblocking(int fd);

/// Writes all of it to a blocking descriptor; false with errno set if that failed.
bool write_all(int fd, std::string_view bytes);

/// read(2); -1 with errno set, EINTR excluded.
long read_some_bytes(int fd, char* buffer, std::size_t size);

/// Milliseconds for poll(), rounded up, never negative, at most an hour.
int poll_timeout(std::chrono::steady_clock::duration left);

}  // namespace sandproof::conformance::runner
