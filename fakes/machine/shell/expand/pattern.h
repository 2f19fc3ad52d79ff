// SPDX-License-Identifier: Apache-2.0
// Shell patterns (XCU 2.13): what `case`, pathname expansion and the removal of prefixes and
// suffixes match with. Bytes, not characters, as dash has it. Values; any thread.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof::machine::shell {

/// The text with a backslash before what means something in a pattern: what a quoted part of a word
/// adds to the pattern.
std::string quote_pattern(std::string_view text);

/// The text without the backslashes that quote: the word that a pattern without a match stands for.
std::string unquote_pattern(std::string_view pattern);

/// Which end of the value `# ## % %%` cut, and how much of it.
enum class Cut { kSmallestPrefix, kLargestPrefix, kSmallestSuffix, kLargestSuffix };

/// What `[^` begins: a set that has the caret in it, as in dash, or the complement of one, as in
/// busybox and in fnmatch(3). POSIX leaves it open.
enum class Caret { kLiteral, kNegates };

/// A compiled pattern: `*`, `?`, `[…]` with ranges, classes and negation, and backslash. A
/// bracket that is not closed is an ordinary character. Collating symbols (`[.a.]`, `[=a=]`) have
/// no meaning beyond their characters, as in dash. Never throws but std::bad_alloc.
class Pattern {
 public:
  explicit Pattern(std::string_view text, Caret caret = Caret::kLiteral);

  /// The whole text. At most |text| * |pattern| steps, whatever the stars.
  bool matches(std::string_view text) const;

  /// What is left of the text after the cut; all of it where nothing matches. The same bound.
  std::string_view cut(std::string_view text, Cut which) const;

  /// Whether it can match anything but one text.
  bool has_magic() const { return magic_; }

  /// Whether it begins with a dot that stands there by itself: the only one that matches the dot of
  /// a hidden file.
  bool begins_with_dot() const;

 private:
  using Set = std::bitset<256>;
  enum class Kind : std::uint8_t { kByte, kAny, kStar, kSet };
  struct Token {
    Kind kind;
    unsigned char byte;
    std::uint32_t set;
  };

  // Reads the bracket whose '[' is before `at`; nothing where it is not closed.
  std::optional<std::size_t> read_set(std::string_view text, std::size_t at, Caret caret);
  bool token_takes(const Token& token, unsigned char byte) const;
  // Lengths of the smallest or the largest match at the front (or, `backwards`, at the end).
  std::optional<std::size_t> extent(std::string_view text, bool largest, bool backwards) const;

  std::vector<Token> tokens_;
  std::vector<Set> sets_;
  bool magic_ = false;
};

}  // namespace sandproof::machine::shell
