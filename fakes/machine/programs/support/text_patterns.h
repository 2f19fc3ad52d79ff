// SPDX-License-Identifier: Apache-2.0
// What grep looks for: fixed texts or regular expressions, anywhere, as whole words or as whole
// lines. Values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/programs/support/regex.h"

namespace sandproof::machine::programs {

struct TextPatternOptions {
  bool fixed = false;
  bool extended = false;
  bool ignore_case = false;
  bool whole_words = false;
  bool whole_lines = false;
};

class TextPatterns {
 public:
  using Found = Regex::Range;

  explicit TextPatterns(TextPatternOptions options) : options_(options) {}

  /// False where the pattern is none.
  bool add(const std::string& pattern);
  bool matches(std::string_view line) const { return find(line, 0).matched(); }
  /// The leftmost of all patterns' matches at or after `from`, the longest of those.
  Found find(std::string_view line, std::size_t from) const;

 private:
  struct One {
    std::string text;
    std::optional<Regex> regex;
  };

  Found find_one(const One& one, std::string_view line, std::size_t from) const;
  Found search(const One& one, std::string_view line, std::size_t from) const;

  TextPatternOptions options_;
  std::vector<One> patterns_;
};

}  // namespace sandproof::machine::programs
