// SPDX-License-Identifier: Apache-2.0
// Basic and extended regular expressions of POSIX, by way of the C library's regcomp, whose answers
// busybox gives too. Values; any thread. A text with a NUL is searched past it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof::machine::programs {

struct RegexSyntax {
  bool extended = false;
  bool ignore_case = false;
  bool multiline = false;  // ^ and $ match at newlines, too.
};

class Regex {
 public:
  /// The library unrolls repetitions: a pattern that asks for more copies than this, or is longer,
  /// is refused as one that takes too much memory.
  static constexpr std::size_t kMaxPatternBytes = 32768;
  static constexpr std::size_t kMaxCopies = 20000;

  struct Range {
    std::size_t begin = npos;
    std::size_t end = npos;
    bool matched() const { return begin != npos; }
    std::size_t length() const { return end - begin; }
  };
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  /// The match, then the nine groups.
  using Match = std::vector<Range>;
  static constexpr std::size_t kGroups = 10;

  /// Nothing where it is none; then `why` says so: "Unmatched ( or \\(".
  static std::optional<Regex> compile(std::string_view pattern, RegexSyntax syntax,
                                      std::string* why = nullptr);

  /// The leftmost of the longest at or after `from`; a beginning of line is at 0 alone.
  bool search(std::string_view text, std::size_t from, Match& match) const;
  bool matches(std::string_view text) const;
  /// How many groups its parentheses make.
  std::size_t groups() const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace sandproof::machine::programs
