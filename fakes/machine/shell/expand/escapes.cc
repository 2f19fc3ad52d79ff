// SPDX-License-Identifier: Apache-2.0
// One escape at a time.
#include "fakes/machine/shell/expand/escapes.h"

#include <algorithm>

namespace sandproof::machine::shell {
namespace {

constexpr std::string_view kEscapeLetters = "abefnrtv\\";
constexpr std::string_view kEscapeBytes = "\a\b\033\f\n\r\t\v\\";
constexpr std::size_t kOctalDigits = 3;

bool is_octal(char c) { return c >= '0' && c <= '7'; }

Escape read_octal(std::string_view text, std::size_t at) {
  unsigned value = 0;
  const std::size_t end = std::min(text.size(), at + kOctalDigits);
  for (; at < end && is_octal(text[at]); ++at) {
    value = value * 8 + static_cast<unsigned>(text[at] - '0');
  }
  // \777 is a byte, too: its low bits.
  return {std::string(1, static_cast<char>(value & 0xff)), at};
}

}  // namespace

Escape read_escape(std::string_view text, EscapeStyle style) {
  if (text.size() < 2) return {std::string(text), text.size()};
  const char letter = text[1];
  const bool echo = style == EscapeStyle::kEcho;
  if (letter == 'c' && echo) return {"", 2, true};
  if (is_octal(letter)) return read_octal(text, echo && letter == '0' ? 2 : 1);
  if (const std::size_t row = kEscapeLetters.find(letter); row != std::string_view::npos) {
    return {std::string(1, kEscapeBytes[row]), 2};
  }
  // The letter is left for what comes next: it may be a '%'.
  return {"\\", 1};
}

Unescaped unescape(std::string_view text, EscapeStyle style) {
  Unescaped result;
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('\\'), text.size());
    result.text += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Escape escape = read_escape(text, style);
    result.text += escape.text;
    text.remove_prefix(escape.length);
    if (escape.stops) {
      result.stopped = true;
      break;
    }
  }
  return result;
}

std::string echo_output(std::span<const std::string> operands) {
  const bool newline = operands.empty() || operands.front() != "-n";
  if (!newline) operands = operands.subspan(1);
  std::string output;
  for (std::size_t index = 0; index < operands.size(); ++index) {
    if (index > 0) output += ' ';
    const Unescaped read = unescape(operands[index], EscapeStyle::kEcho);
    output += read.text;
    if (read.stopped) return output;
  }
  if (newline) output += '\n';
  return output;
}

}  // namespace sandproof::machine::shell
