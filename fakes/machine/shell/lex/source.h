// SPDX-License-Identifier: Apache-2.0
// The characters that the lexer reads: what was fed so far, with the texts of aliases and
// backquotes laid over it. Tells the end of the script from the end of what has arrived. One
// thread; every limit that a script could run into is here, with its reason.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof::machine::shell {

/// Internal to the lexer and the parser: what was fed ends inside a command.
struct NeedMoreInput {};

/// Internal too: `text` without the position, as the shell says it.
struct SyntaxError {
  std::string text;
  int line = 1;
};

/// Levels of nesting, of commands, substitutions and quotes together. People's scripts stay under
/// twenty; a level takes some hundred bytes to two kilobytes of a stack that is the host's.
inline constexpr int kMaxNesting = 300;

/// Bytes that aliases may add to one command: they can double at each step.
inline constexpr std::size_t kMaxAliasBytes = 1 << 20;

/// Bytes of one command. A part of a word takes about a hundred bytes for at least two of text.
inline constexpr std::size_t kMaxCommandBytes = 16 << 20;

class Source {
 public:
  static constexpr int kEof = -1;

  void feed(std::string_view text);
  /// Nothing will be fed any more.
  void finish() { finished_ = true; }
  /// Forgets what was read: it will not be gone back to. Begins a command.
  void commit();
  /// Back to where the last commit() was.
  void rewind();
  /// Forgets all that was fed.
  void drop();

  /// The next character, as an unsigned char, or kEof. Throws NeedMoreInput.
  int get();
  /// The same, after lines that a backslash joins.
  int get_joined();
  /// Gives back what get() gave last; kEof is nothing to give back.
  void unget(int c);
  /// All that is left of the text that is read from now, down to its end. Throws NeedMoreInput
  /// where it is shorter than `at_least` and more may come.
  std::string_view rest(std::size_t at_least);
  /// Consumes `count` bytes of rest().
  void skip(std::size_t count);

  int line() const;
  /// Where dash counts other than there are newlines, its messages name other lines.
  void adjust_line(int by);
  bool at_commit() const { return frames_.empty() && position_ == begin_; }

  /// Lays `text`, of a backquote substitution, over what is read, with lines of its own; its end is
  /// an end of file until pop_text().
  void push_text(std::string text);
  void pop_text();
  /// Lays the text of alias `name` over what is read. Throws SyntaxError past kMaxAliasBytes.
  void push_alias(std::string name, std::string text);
  /// Whether the alias is being read, or the text of its last word is: it is not expanded there.
  bool in_alias(std::string_view name) const;
  /// Whether, since the last call, an alias ended whose text ends in a blank.
  bool take_blank_alias_end();

 private:
  struct Frame {
    std::string text;
    std::size_t position = 0;
    bool alias = false;
    std::vector<std::string> names;  // Its own, and of those whose last word it replaces.
    int line = 1;
  };

  void forget_aliases();
  void pop_ended_aliases();
  int get_fed();

  std::string fed_;
  std::size_t begin_ = 0;     // Of the command.
  std::size_t position_ = 0;  // Of the next character.
  int begin_line_ = 1;
  int line_ = 1;
  bool finished_ = false;
  std::vector<Frame> frames_;
  std::size_t alias_bytes_ = 0;
  bool blank_alias_end_ = false;
  std::vector<std::string> ended_names_;  // Of the aliases that the last get() saw the end of.
};

}  // namespace sandproof::machine::shell
