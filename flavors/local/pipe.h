// SPDX-License-Identifier: Apache-2.0
// Pipes between the harness and a command: the harness's end never blocks, the command's does.
// Functions over descriptors; any thread.
//
// Pipes keep the size that the system gives them (64 KiB). A larger one was measured to move bytes
// no faster, and takes from an allowance that all programs of the user share.
#pragma once

#include <cstddef>
#include <span>

#include "flavors/local/descriptor.h"
#include "sandproof/hooks.h"

namespace sandproof::local {

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
};

/// A pipe with both ends O_CLOEXEC from birth, blocking, and numbered above 2. Throws
/// std::system_error.
Pipe make_pipe();

/// Makes one end non-blocking; the other end is not touched. Throws std::system_error.
void set_nonblocking(int fd);

/// Reads once, at most buffer.size() bytes. kEnd at end of file.
IoResult read_pipe(int fd, std::span<std::byte> buffer) noexcept;

/// Writes once, as much as fits. kEnd when nobody reads any more; the SIGPIPE that goes with it
/// reaches nobody, whatever the program does about that signal.
IoResult write_pipe(int fd, std::span<const std::byte> bytes) noexcept;

}  // namespace sandproof::local
