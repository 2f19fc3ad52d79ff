// SPDX-License-Identifier: Apache-2.0
// Keeps the values of secrets out of text (CONTRACT.md, SET-005). A value; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sandproof {

/// Shorter values are not replaced: they occur everywhere by chance, and `***` in their place would
/// tell more of the secret than it hides.
inline constexpr std::size_t kLeastRedactedBytes = 4;

class Redactor {
 public:
  /// Replaces nothing.
  Redactor() = default;
  /// Of a value of several lines, each line is a value too (text is redacted line by line), without
  /// its CR and LF.
  explicit Redactor(const std::vector<std::string>& values);

  bool empty() const { return values_.empty(); }

  /// `text` with each occurrence of a value replaced by `***`; occurrences that overlap are
  /// replaced together, so that no end of one sticks out. Returns `text` itself where there is
  /// nothing to replace, else a view of `buffer`. Time is linear in the text for each value, unless
  /// a value overlaps itself.
  std::string_view redact(std::string_view text, std::string& buffer) const;

  /// The same as a string of its own.
  std::string redacted(std::string text) const;

 private:
  std::vector<std::string> values_;
};

}  // namespace sandproof
