// SPDX-License-Identifier: Apache-2.0
// Makes tokens of a program's text, one at a time: whether a '/' divides or begins a regular
// expression only the parser knows. One thread at a time per object.
#pragma once

#include <cstddef>
#include <string>

#include "fakes/machine/programs/awk/token.h"

namespace sandproof::machine::programs::awk {

class Lexer {
 public:
  /// The text is borrowed.
  explicit Lexer(const std::string& source) : source_(source) {}

  /// Throws Failure: "Unexpected token", "Unexpected end of string".
  Token next();
  /// The rest of the regular expression whose '/' is the token's first letter, as regcomp takes
  /// it. Reading goes on behind it.
  std::string regex_at(const Token& slash);
  /// Where reading is and may be set back to.
  struct Place {
    std::size_t at = 0;
    int line = 1;
  };
  Place place() const { return place_; }
  void go_back(Place place) { place_ = place; }

 private:
  char peek(std::size_t ahead = 0) const {
    return place_.at + ahead < source_.size() ? source_[place_.at + ahead] : '\0';
  }
  void skip_blanks();
  Token number(Token token);
  Token word(Token token);
  Token string(Token token);
  Token mark(Token token);

  const std::string& source_;
  Place place_;
};

/// The text of a string's inside, or of `-v name=text`, with its escapes replaced.
std::string with_escapes_read(const std::string& text);

}  // namespace sandproof::machine::programs::awk
