// SPDX-License-Identifier: Apache-2.0
// The words of a program of awk. Values.
#pragma once

#include <string>
#include <string_view>

namespace sandproof::machine::programs::awk {

struct Token {
  enum class Kind : unsigned char {
    kEnd,
    kNewline,
    kNumber,
    kText,
    kName,      // A variable.
    kFunction,  // A name that a parenthesis follows at once.
    kBuiltin,
    kWord,  // A keyword.
    kMark,  // "+=", "(", …
  };
  Kind kind = Kind::kEnd;
  std::string text;
  double number = 0;
  int line = 1;

  bool is(std::string_view mark) const {
    return (kind == Kind::kMark || kind == Kind::kWord) && text == mark;
  }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  /// Throws Failure.
  Token next();
  /// After the mark "/" or "/=", where an expression begins: the rest of a regular expression.
  std::string regex(bool with_equals);

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void skip_blanks();
  Token number();
  Token quoted();
  Token word();
  Token mark();

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace sandproof::machine::programs::awk
