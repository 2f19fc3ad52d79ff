// SPDX-License-Identifier: Apache-2.0
// Ready-made checks for the preconditions of a binding (precondition.h): what flavors ask of the
// machine again and again. Each looks at what it is given and at nothing else. Any thread, but for
// check_processes().
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sandproof/conformance/precondition.h"

namespace sandproof::conformance {

/// A file can be made in `directory`, and a program that lies in it can be started. `remedy` is
/// what to do where not: "set TMPDIR to another directory". A mount without execution is a warning.
CheckResult check_writable_directory(const std::filesystem::path& directory,
                                     const std::string& remedy);

/// Bytes that an ordinary user may still write. Less than `least` is a failure, less than `wanted`
/// a warning.
CheckResult check_free_space(const std::filesystem::path& directory, std::uint64_t least,
                             std::uint64_t wanted);

/// A file without a name can be made in `directory` (O_TMPFILE): it cannot be left behind. A
/// warning where it cannot.
CheckResult check_unnamed_file(const std::filesystem::path& directory);

/// The kernel shows processes under `proc`, this one among them.
CheckResult check_process_directory(const std::filesystem::path& proc = "/proc");

/// A process can be held and signalled by a descriptor (pidfd_open, pidfd_send_signal, waitid;
/// Linux 5.4).
CheckResult check_pidfd();

/// `program` is a regular file that can be executed, in a directory of `path` (as of PATH).
CheckResult check_program(const std::string& program, const std::string& path);

/// So many descriptors may be open in one process (RLIMIT_NOFILE). The hard limit counts, since a
/// program may raise its own to it.
CheckResult check_descriptors(std::uint64_t least, std::uint64_t wanted);

/// So many children can be there at once: tried out, since limits of users, containers and the
/// machine all count. Forks; to be called while the process has one thread.
CheckResult check_processes(int least, int wanted);

/// "4.2 GiB", "512 B".
std::string bytes_text(std::uint64_t bytes);

}  // namespace sandproof::conformance
