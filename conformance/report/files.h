// SPDX-License-Identifier: Apache-2.0
// Files that people name: read whole, or written whole or not at all. Any thread; errors are
// std::runtime_error with one sentence that names the file and the reason.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sandproof::conformance {

/// The content of a file. `what` is how the message calls it: "the stack file".
std::string read_whole_file(const std::filesystem::path& path, std::string_view what);

/// A file that is to be written at the end of something long: that it can be is found out at the
/// start, and it is replaced in one step. Links are followed; devices and pipes are written
/// directly.
class OutputFile {
 public:
  /// Throws when a file of that name could not be written. Leaves nothing behind.
  OutputFile(std::filesystem::path path, std::string_view what);
  /// Written beside, flushed to the disk, renamed. On an error the old file stands.
  void write(std::string_view content) const;
  const std::filesystem::path& path() const { return path_; }

 private:
  /// As given, for messages; and with links followed.
  std::filesystem::path path_;
  std::filesystem::path target_;
  std::string what_;
  bool in_place_ = false;
};

}  // namespace sandproof::conformance
