// SPDX-License-Identifier: Apache-2.0
// The words of a program of awk. Values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sandproof::machine::programs::awk {

enum class TokenKind : unsigned char {
  kEnd,
  kNewline,
  kNumber,
  kString,
  kName,
  kCall,     // A name with '(' at once behind it: a call of a function of the program.
  kBuiltin,  // The name of a function of awk.
  kKeyword,
  kMark,  // An operator or a bracket.
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;
  double number = 0;
  int line = 1;
  std::size_t begin = 0;  // In the source.

  bool is_mark(std::string_view mark) const { return kind == TokenKind::kMark && text == mark; }
  bool is_keyword(std::string_view word) const {
    return kind == TokenKind::kKeyword && text == word;
  }
};

}  // namespace sandproof::machine::programs::awk
