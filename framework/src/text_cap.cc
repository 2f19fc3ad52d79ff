// SPDX-License-Identifier: Apache-2.0
// The text cap of text_cap.h. Not thread-safe.
#include "text_cap.h"

#include <string>

#include "sandproof/errors.h"
#include "utf8.h"

namespace sandproof {

void check_max_chars(std::int64_t max_chars) {
  if (max_chars >= 0 && max_chars <= kLargestMaxChars) return;
  throw InvalidArgumentError("cannot collect with max_chars = " + std::to_string(max_chars) +
                             ": it is a number of code points from 0 to " +
                             std::to_string(kLargestMaxChars) + "; pass one in that range");
}

TextCap::TextCap(std::int64_t max_chars) : left_(0) {
  check_max_chars(max_chars);
  left_ = static_cast<std::size_t>(max_chars);
}

bool TextCap::may_admit(std::size_t raw_bytes) {
  // No code point comes from more than 4 bytes: a valid one has at most 4, U+FFFD stands for at
  // most 3.
  constexpr std::size_t kMaxBytesPerCodePoint = 4;
  if (raw_bytes / kMaxBytesPerCodePoint > left_) truncated_ = true;
  return !truncated_;
}

bool TextCap::admit(std::string_view decoded_line) {
  return may_admit(decoded_line.size()) && take(count_code_points(decoded_line));
}

bool TextCap::admit_raw(std::string_view raw_line) { return !truncated_ && take(raw_line.size()); }

bool TextCap::take(std::size_t units) {
  if (units > left_) {
    truncated_ = true;
    return false;
  }
  left_ -= units;
  return true;
}

}  // namespace sandproof
