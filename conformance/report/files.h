// SPDX-License-Identifier: Apache-2.0
// Files that people name: read whole, or written whole or not at all. Any thread; errors are
// std::runtime_error with one sentence that names the file and the reason.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace sandproof::conformance {

/// A log of a run has about 1 MB; what is larger than this is no result, and /dev/zero has no end.
inline constexpr std::size_t kLargestFile = std::size_t{1} << 30U;

/// The content of a file of at most kLargestFile. `what` is how the message calls it: "the stack
/// file". A pipe is read to its end; one that nobody has opened to write, and that is empty, is an
/// error: waiting for a writer might last for ever.
std::string read_whole_file(const std::filesystem::path& path, std::string_view what);

class OpenFile;

/// A file that is to be written at the end of something long: that it can be is found out at the
/// start, and it is replaced in one step. Links are followed; devices and pipes are written
/// directly. They are opened at the start, and kept: a pipe has to have a reader by then, which
/// would take a second opening for another writer.
class OutputFile {
 public:
  /// Throws when a file of that name could not be written. Leaves nothing behind.
  OutputFile(std::filesystem::path path, std::string_view what);
  /// Written beside, flushed to the disk, renamed. On an error the old file stands.
  void write(std::string_view content) const;
  const std::filesystem::path& path() const { return path_; }
  /// False for a device or a pipe: of what is written, nothing can be taken back or read again.
  bool is_regular() const { return opened_ == nullptr; }

 private:
  void open_in_place();

  /// As given, for messages; and with links followed.
  std::filesystem::path path_;
  std::filesystem::path target_;
  std::string what_;
  /// Of a device or a pipe.
  std::shared_ptr<const OpenFile> opened_;
};

}  // namespace sandproof::conformance
