// SPDX-License-Identifier: Apache-2.0
// A private directory for something that is tried out. One thread.
#pragma once

#include <filesystem>

namespace sandproof::conformance {

/// Exists as long as the object, in the system's directory for temporary files.
class ScratchDirectory {
 public:
  /// Throws ProgramError (kEnvironment) that says what to do.
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// $TMPDIR, else /tmp, whether it is there or not.
std::filesystem::path temporary_directory();

}  // namespace sandproof::conformance
