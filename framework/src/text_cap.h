// SPDX-License-Identifier: Apache-2.0
// The cap on the text that `collect` keeps of one stream (CONTRACT.md, COLLECT-003..007): whole
// lines, counted in code points with their terminators, up to the first that does not fit.
//
// Owns two numbers. Not thread-safe: the owner's lock guards it. One per stream, so that the flags
// are independent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sandproof {

/// The largest cap that can be asked for, in code points per stream. At four bytes each that is
/// 4 GiB of memory for one stream: who asks for more has mistaken the unit or wants a file.
inline constexpr std::int64_t kLargestMaxChars = std::int64_t{1} << 30;

/// Throws InvalidArgumentError if `max_chars` is negative or over kLargestMaxChars.
void check_max_chars(std::int64_t max_chars);

class TextCap {
 public:
  /// Throws as check_max_chars does.
  explicit TextCap(std::int64_t max_chars);

  /// True if the line is to be kept: neither it nor one before it went over the cap. From the first
  /// that does, all lines are refused, even shorter ones. `decoded_line` is valid UTF-8 and not
  /// empty, its terminator included.
  [[nodiscard]] bool admit(std::string_view decoded_line);

  /// The same for output that is kept as it is (CollectOptions::raw): the cap then counts bytes.
  /// One cap is used with one of the two.
  [[nodiscard]] bool admit_raw(std::string_view raw_line);

  /// For a line that is not decoded yet, or not even complete: false if it has so many bytes that
  /// it cannot fit, whatever they are, and the cap has then cut off there, exactly as `admit` would
  /// have later. So no more of an endless line need be held than 4 bytes per code point that is
  /// left.
  [[nodiscard]] bool may_admit(std::size_t raw_bytes);

  /// True once a line was refused.
  [[nodiscard]] bool truncated() const noexcept { return truncated_; }

  /// True once nothing can be admitted any more, so that splitting and decoding can stop. It is not
  /// true yet when the cap is exactly reached, because only a further line makes that a truncation.
  [[nodiscard]] bool full() const noexcept { return truncated_; }

 private:
  [[nodiscard]] bool take(std::size_t units);

  std::size_t left_;  // Code points, or bytes of raw output.
  bool truncated_ = false;
};

}  // namespace sandproof
