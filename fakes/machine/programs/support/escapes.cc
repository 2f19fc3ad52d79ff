// SPDX-License-Identifier: Apache-2.0
// Reading backslashes.
#include "fakes/machine/programs/support/escapes.h"

#include <algorithm>

namespace sandproof::machine::programs {
namespace {

int escape_digit(char letter, int base) {
  int digit = 99;
  if (letter >= '0' && letter <= '9') digit = letter - '0';
  if (letter >= 'a' && letter <= 'f') digit = letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') digit = letter - 'A' + 10;
  return digit < base ? digit : -1;
}

/// At most `most` digits from `at` on.
ReadEscape escape_number(std::string_view text, std::size_t at, int base, std::size_t most) {
  int value = 0;
  const std::size_t end = std::min(text.size(), at + most);
  const std::size_t begin = at;
  while (at < end && escape_digit(text[at], base) >= 0) {
    value = value * base + escape_digit(text[at++], base);
  }
  if (at == begin) return {};
  return {.byte = static_cast<char>(value), .length = at};
}

}  // namespace

ReadEscape read_escape(std::string_view text, OctalEscape octal) {
  if (text.size() < 2) return {};
  constexpr std::string_view kLetters = "abefnrtv\\";
  constexpr std::string_view kBytes = "\a\b\033\f\n\r\t\v\\";
  const std::size_t letter = kLetters.find(text[1]);
  if (letter != kLetters.npos) return {.byte = kBytes[letter], .length = 2};
  if (text[1] == 'x') return escape_number(text, 2, 16, 2);
  const bool zero = octal == OctalEscape::kAlsoZero && text[1] == '0';
  return escape_number(text, 1, 8, zero ? 4 : 3);
}

Unescaped unescape(std::string_view text, OctalEscape octal, bool may_stop) {
  Unescaped read;
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('\\'), text.size());
    read.text += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    if (may_stop && text.starts_with("\\c")) {
      read.stopped = true;
      break;
    }
    const ReadEscape escape = read_escape(text, octal);
    read.text += escape.byte;
    text.remove_prefix(escape.length);
  }
  return read;
}

}  // namespace sandproof::machine::programs
