// SPDX-License-Identifier: Apache-2.0
// Bytes of a command to text: valid UTF-8 stays as it is, and each maximal invalid subpart becomes
// one U+FFFD, by table 3-7 and the practice of table 3-8 of Unicode 15, section 3.9. So overlong
// forms, surrogates and what is over U+10FFFF give one U+FFFD per byte, and a character that breaks
// off gives one for all its bytes. NUL and all other control characters stay.
//
// The functions are for whole lines: a newline ends any subpart, so that decoding line by line
// gives the same text as decoding the stream. The class is for bytes that come in pieces.
//
// Nothing here is shared: functions may be called on any thread, a decoder by one thread at a time
// (one per stream: two streams that share one would mix their characters). Output never overlaps
// input. It is at most 3 times as long as the input, and time is linear.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sandproof {

/// True if `bytes` is well-formed UTF-8 from end to end. ASCII goes 32 bytes at a time.
[[nodiscard]] bool is_valid_utf8(std::string_view bytes) noexcept;

/// Appends `bytes`, which are complete (nothing follows them), to `out` as valid UTF-8. If they are
/// valid already this is one check and one copy.
void append_sanitized(std::string_view bytes, std::string& out);

/// The same as a new string.
[[nodiscard]] std::string sanitize(std::string_view whole);

/// The number of code points in `valid_utf8`. For bytes that are not valid UTF-8 it is the number
/// of bytes that are no continuation bytes, which means nothing.
[[nodiscard]] std::size_t count_code_points(std::string_view valid_utf8) noexcept;

/// A decoder for bytes that arrive in chunks, cut anywhere.
class Utf8Decoder {
 public:
  /// Appends to `out` what can be told so far; keeps the last bytes (at most 3) back if they begin
  /// a character that the next chunk may complete.
  void decode(std::span<const char> bytes, std::string& out);

  /// The stream has ended: appends U+FFFD for a character that was kept back and never completed.
  /// The decoder is as new afterwards.
  void finish(std::string& out);

 private:
  /// Adds bytes from the front of `bytes` to the pending ones until these are a character or cannot
  /// become one; returns what is left.
  std::string_view resolve_pending(std::string_view bytes, std::string& out);

  static constexpr std::size_t kMaxCharacterBytes = 4;  // UTF-8 has no longer ones.
  std::array<char, kMaxCharacterBytes> pending_{};  // Always the beginning of a valid character,
  std::size_t pending_size_ = 0;                    // so at most 3 between calls.
};

}  // namespace sandproof
