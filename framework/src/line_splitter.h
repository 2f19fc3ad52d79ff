// SPDX-License-Identifier: Apache-2.0
// Cuts a stream of bytes, which comes in chunks, into lines. Only '\n' ends a line (CONTRACT.md,
// STREAM-004), and a line keeps it. Bytes, not text: decode a line when it is whole.
//
// Owns the beginning of the line that is not finished yet. Not thread-safe: the owner's lock guards
// it. Each byte is looked at once, however many chunks a line takes, so that time is linear.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sandproof {

class LineSplitter {
 public:
  /// Takes bytes from the front of `chunk`. Returns true if they complete a line, and then `line`
  /// is that line with its '\n', and `chunk` is what comes after it: call again. Returns false when
  /// `chunk` is used up, and then the rest is pending here, `chunk` is empty, and `line` is
  /// untouched.
  ///
  /// The buffer of `line` is reused, and may be exchanged with the one in here; `chunk` must not
  /// point into it.
  bool next(std::string_view& chunk, std::string& line);

  /// The stream has ended, or the caller goes on with raw bytes: true if there was an unterminated
  /// rest, which is then moved to `line`; otherwise `line` is untouched. The splitter is as new
  /// afterwards.
  bool finish(std::string& line);

  /// Bytes of the line that is not finished yet. There is no limit in here, since a line must come
  /// whole: the owner watches this number.
  [[nodiscard]] std::size_t pending() const noexcept { return partial_.size(); }

 private:
  std::string partial_;  // Has no '\n' in it.
};

}  // namespace sandproof
