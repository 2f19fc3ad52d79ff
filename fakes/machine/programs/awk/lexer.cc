// SPDX-License-Identifier: Apache-2.0
// Tokens, escapes and regular expressions.
#include "fakes/machine/programs/awk/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/functions.h"
#include "fakes/machine/programs/awk/value.h"

namespace sandproof::machine::programs::awk {
namespace {

constexpr std::array<std::string_view, 20> kKeywords = {
    "BEGIN",  "END",   "function", "func", "if",      "else",    "while",
    "for",    "do",    "break",    "next", "exit",    "return",  "continue",
    "delete", "print", "printf",   "in",   "getline", "nextfile"};

// Longer ones first.
constexpr std::array<std::string_view, 42> kMarks = {
    "**=", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**", "==", "<=", ">=", "!=",
    "!~",  ">>", "&&", "||", "+",  "-",  "*",  "/",  "%",  "^",  "=",  "<",  ">",  "!",
    "~",   "?",  ":",  ",",  "(",  ")",  "[",  "]",  "{",  "}",  "$",  ";",  "|",  "&"};

bool is_word_letter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

struct AwkEscape {
  char byte = 0;
  std::size_t length = 0;  // Behind the backslash; 0 where it is no escape.
};

AwkEscape numeric_escape(const std::string& text, std::size_t at) {
  AwkEscape escape;
  int value = 0;
  if (text[at] == 'x') {
    std::size_t digits = 0;
    while (digits < 2 && at + 1 + digits < text.size() &&
           std::isxdigit(static_cast<unsigned char>(text[at + 1 + digits])) != 0) {
      value = value * 16 + std::stoi(text.substr(at + 1 + digits, 1), nullptr, 16);
      ++digits;
    }
    if (digits > 0) escape.length = digits + 1;
  } else {
    while (escape.length < 3 && at + escape.length < text.size() &&
           text[at + escape.length] >= '0' && text[at + escape.length] <= '7' &&
           value * 8 + (text[at + escape.length] - '0') < 256) {
      value = value * 8 + (text[at + escape.length++] - '0');
    }
  }
  escape.byte = static_cast<char>(value);
  return escape;
}

/// The letters at `at`, behind a backslash.
AwkEscape escape_at(const std::string& text, std::size_t at) {
  constexpr std::string_view kNames = "abefnrtv\\";
  constexpr std::string_view kBytes = "\a\b\033\f\n\r\t\v\\";
  if (at >= text.size()) return {};
  const std::size_t which = kNames.find(text[at]);
  if (which != kNames.npos) return {kBytes[which], 1};
  return numeric_escape(text, at);
}

/// Of the backslash at `at`, which moves behind what was read; any other letter is itself.
char read_string_escape(const std::string& text, std::size_t& at) {
  const AwkEscape escape = escape_at(text, at + 1);
  if (escape.length > 0) {
    at += 1 + escape.length;
    return escape.byte;
  }
  if (at + 1 >= text.size()) {
    ++at;
    return '\\';
  }
  at += 2;
  return text[at - 1];
}

}  // namespace

std::string with_escapes_read(const std::string& text) {
  std::string read;
  for (std::size_t at = 0; at < text.size();) {
    read += text[at] == '\\' ? read_string_escape(text, at) : text[at++];
  }
  // A string ends at a NUL.
  return read.c_str();
}

void Lexer::skip_blanks() {
  for (;;) {
    if (peek() == ' ' || peek() == '\t' || peek() == '\r') {
      ++place_.at;
    } else if (peek() == '\\' && peek(1) == '\n') {
      place_.at += 2;
      ++place_.line;
    } else if (peek() == '\\' && peek(1) == '\r' && peek(2) == '\n') {
      place_.at += 3;
      ++place_.line;
    } else if (peek() == '#') {
      place_.at = std::min(source_.find('\n', place_.at), source_.size());
    } else {
      return;
    }
  }
}

Token Lexer::next() {
  skip_blanks();
  Token token;
  token.line = place_.line;
  token.begin = place_.at;
  if (place_.at >= source_.size()) return token;
  const char letter = peek();
  if (letter == '\n') {
    ++place_.at;
    ++place_.line;
    token.kind = TokenKind::kNewline;
    return token;
  }
  if (letter == '"') return string(std::move(token));
  if (letter == '.' || is_digit(letter)) return number(std::move(token));
  if (is_word_letter(letter)) return word(std::move(token));
  return mark(std::move(token));
}

Token Lexer::number(Token token) {
  const ReadNumber read = read_number(source_, place_.at);
  place_.at += read.length;
  if (read.length == 0 || peek() == '.') throw Failure("Unexpected token", token.line);
  token.kind = TokenKind::kNumber;
  token.number = read.value;
  return token;
}

Token Lexer::word(Token token) {
  std::size_t end = place_.at;
  while (end < source_.size() && is_word_letter(source_[end])) ++end;
  token.text = source_.substr(place_.at, end - place_.at);
  place_.at = end;
  if (std::find(kKeywords.begin(), kKeywords.end(), token.text) != kKeywords.end()) {
    token.kind = TokenKind::kKeyword;
  } else if (builtin_named(token.text) != nullptr) {
    token.kind = TokenKind::kBuiltin;
  } else {
    token.kind = peek() == '(' ? TokenKind::kCall : TokenKind::kName;
  }
  return token;
}

Token Lexer::string(Token token) {
  token.kind = TokenKind::kString;
  ++place_.at;
  for (;;) {
    if (place_.at >= source_.size() || peek() == '\n') {
      throw Failure("Unexpected end of string", token.line);
    }
    if (peek() == '"') break;
    if (peek() != '\\') {
      token.text += source_[place_.at++];
    } else {
      if (peek(1) == '\n') ++place_.line;
      token.text += read_string_escape(source_, place_.at);
    }
  }
  ++place_.at;
  token.text = token.text.c_str();
  return token;
}

Token Lexer::mark(Token token) {
  for (const std::string_view mark : kMarks) {
    if (source_.compare(place_.at, mark.size(), mark) != 0) continue;
    token.kind = TokenKind::kMark;
    token.text = mark;
    place_.at += mark.size();
    return token;
  }
  throw Failure("Unexpected token", token.line);
}

std::string Lexer::regex_at(const Token& slash) {
  std::string regex;
  place_ = {slash.begin + 1, slash.line};
  for (;;) {
    if (place_.at >= source_.size() || peek() == '\n') {
      throw Failure("Unexpected end of string", slash.line);
    }
    const char letter = source_[place_.at++];
    if (letter == '/') return regex;
    if (letter != '\\') {
      regex += letter;
      continue;
    }
    const AwkEscape escape = escape_at(source_, place_.at);
    // What regcomp knows by itself keeps its backslash.
    if (escape.length == 0 || escape.byte == '\\') {
      regex += '\\';
      if (place_.at < source_.size()) regex += source_[place_.at++];
    } else {
      regex += escape.byte;
      place_.at += escape.length;
    }
  }
}

}  // namespace sandproof::machine::programs::awk
