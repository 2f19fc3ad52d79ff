// SPDX-License-Identifier: Apache-2.0
// Making and removing a scratch directory; see scratch_directory.h.
#include "conformance/doctor/scratch_directory.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "conformance/program/program_error.h"

namespace sandproof::conformance {

std::filesystem::path temporary_directory() {
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

ScratchDirectory::ScratchDirectory() {
  std::string name = (temporary_directory() / "sandproof-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw ProgramError(
        ExitCode::kEnvironment,
        fmt::format("no temporary directory can be made as {}: {}; set TMPDIR to a directory that "
                    "can be written",
                    name, std::strerror(errno)));
  }
  path_ = name;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace sandproof::conformance
