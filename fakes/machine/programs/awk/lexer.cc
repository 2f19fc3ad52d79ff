// SPDX-License-Identifier: Apache-2.0
// Reading words of awk.
#include "fakes/machine/programs/awk/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "fakes/machine/programs/awk/ast.h"
#include "fakes/machine/programs/support/escapes.h"

namespace sandproof::machine::programs::awk {
namespace {

constexpr std::array<std::string_view, 18> kWords = {
    "BEGIN", "END",  "function", "func", "if", "else",   "while",  "for",     "do",
    "break", "next", "continue", "exit", "in", "return", "delete", "getline", "print"};
constexpr std::array<std::string_view, 30> kBuiltins = {
    "length",  "substr",  "index", "split", "sub",    "gsub",   "match",   "sprintf",
    "tolower", "toupper", "int",   "rand",  "srand",  "system", "close",   "fflush",
    "sin",     "cos",     "atan2", "exp",   "log",    "sqrt",   "systime", "strftime",
    "and",     "or",      "xor",   "compl", "lshift", "rshift"};
constexpr std::array<std::string_view, 17> kLongMarks = {"+=", "-=", "*=", "/=", "%=", "^=",
                                                         "==", "<=", ">=", "!=", "!~", "++",
                                                         "--", "&&", "||", ">>", "**"};

bool is_name_byte(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

template <typename Words>
bool among(const Words& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

}  // namespace

void Lexer::skip_blanks() {
  for (;;) {
    const char letter = peek();
    if (letter == ' ' || letter == '\t' || letter == '\r') {
      ++at_;
    } else if (letter == '\\' && peek(1) == '\n') {
      at_ += 2;
      ++line_;
    } else if (letter == '#') {
      while (at_ < text_.size() && peek() != '\n') ++at_;
    } else {
      return;
    }
  }
}

Token Lexer::number() {
  Token token{.kind = Token::Kind::kNumber, .text = {}, .line = line_};
  const std::string rest(text_.substr(at_, 64));
  char* end = nullptr;
  token.number = std::strtod(rest.c_str(), &end);
  at_ += static_cast<std::size_t>(end - rest.c_str());
  return token;
}

Token Lexer::quoted() {
  Token token{.kind = Token::Kind::kText, .text = {}, .line = line_};
  ++at_;
  while (at_ < text_.size() && peek() != '"') {
    if (peek() == '\n') throw Failure{"Unterminated string", line_};
    if (peek() != '\\') {
      token.text += text_[at_++];
      continue;
    }
    if (peek(1) == '\n') {
      at_ += 2;
      ++line_;
      continue;
    }
    if (peek(1) == '"' || peek(1) == '/') {
      token.text += peek(1);
      at_ += 2;
      continue;
    }
    const ReadEscape escape = read_escape(text_.substr(at_), OctalEscape::kThreeDigits);
    token.text += escape.byte;
    at_ += escape.length;
  }
  if (at_ == text_.size()) throw Failure{"Unterminated string", line_};
  ++at_;
  return token;
}

Token Lexer::word() {
  Token token{.kind = Token::Kind::kName, .text = {}, .line = line_};
  while (is_name_byte(peek())) token.text += text_[at_++];
  if (among(kWords, token.text) || token.text == "printf") {
    token.kind = Token::Kind::kWord;
    if (token.text == "func") token.text = "function";
  } else if (among(kBuiltins, token.text)) {
    token.kind = Token::Kind::kBuiltin;
  } else if (peek() == '(') {
    token.kind = Token::Kind::kFunction;
  }
  return token;
}

Token Lexer::mark() {
  Token token{.kind = Token::Kind::kMark, .text = {}, .line = line_};
  const std::string_view two = text_.substr(at_, 2);
  if (two.size() == 2 && among(kLongMarks, two)) {
    token.text = two == "**" ? "^" : std::string(two);
    at_ += 2;
    return token;
  }
  const char letter = text_[at_++];
  if (std::string_view("{}()[];,+-*/%^!<>|?:~$=").find(letter) == std::string_view::npos) {
    throw Failure{"Unexpected token", line_};
  }
  token.text = letter;
  return token;
}

Token Lexer::next() {
  skip_blanks();
  if (at_ >= text_.size()) return {.kind = Token::Kind::kEnd, .text = {}, .line = line_};
  const char letter = peek();
  if (letter == '\n') {
    ++at_;
    return {.kind = Token::Kind::kNewline, .text = {}, .line = line_++};
  }
  const bool digit = std::isdigit(static_cast<unsigned char>(letter)) != 0;
  const bool dotted = letter == '.' && std::isdigit(static_cast<unsigned char>(peek(1))) != 0;
  if (digit || dotted) return number();
  if (letter == '"') return quoted();
  if (is_name_byte(letter)) return word();
  return mark();
}

std::string Lexer::regex(bool with_equals) {
  std::string pattern = with_equals ? "=" : "";
  bool in_bracket = false;
  while (at_ < text_.size()) {
    const char letter = text_[at_++];
    if (letter == '\n') break;
    if (letter == '/' && !in_bracket) return pattern;
    if (letter == '\\' && at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_ - 1);
      if (rest[1] == '/' || rest[1] == '"') {
        pattern += rest[1];
        ++at_;
      } else if (std::string_view("abfnrtv").find(rest[1]) != std::string_view::npos) {
        const ReadEscape escape = read_escape(rest, OctalEscape::kThreeDigits);
        pattern += escape.byte;
        at_ += escape.length - 1;
      } else {
        pattern += letter;
        pattern += text_[at_++];
      }
      continue;
    }
    if (letter == '[' && !in_bracket) {
      in_bracket = true;
      pattern += letter;
      if (peek() == '^') pattern += text_[at_++];
      if (peek() == ']') pattern += text_[at_++];
      continue;
    }
    if (letter == ']') in_bracket = false;
    pattern += letter;
  }
  throw Failure{"Unterminated regex", line_};
}

}  // namespace sandproof::machine::programs::awk
