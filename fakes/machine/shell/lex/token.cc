// SPDX-License-Identifier: Apache-2.0
// Tokens by name: one table, in the order of the enumeration.
#include "fakes/machine/shell/lex/token.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <variant>

namespace sandproof::machine::shell {
namespace {

struct TokenRow {
  TokenKind kind;
  std::string_view name;
  bool ends_list;
};

constexpr std::array kTokenRows{
    TokenRow{TokenKind::kEnd, "end of file", true},
    TokenRow{TokenKind::kNewline, "newline", false},
    TokenRow{TokenKind::kSemicolon, "\";\"", false},
    TokenRow{TokenKind::kAmpersand, "\"&\"", false},
    TokenRow{TokenKind::kAndIf, "\"&&\"", false},
    TokenRow{TokenKind::kOrIf, "\"||\"", false},
    TokenRow{TokenKind::kPipe, "\"|\"", false},
    TokenRow{TokenKind::kOpen, "\"(\"", false},
    TokenRow{TokenKind::kClose, "\")\"", true},
    TokenRow{TokenKind::kCaseEnd, "\";;\"", true},
    TokenRow{TokenKind::kRedirection, "redirection", false},
    TokenRow{TokenKind::kWord, "word", false},
    TokenRow{TokenKind::kNot, "\"!\"", false},
    TokenRow{TokenKind::kCase, "\"case\"", false},
    TokenRow{TokenKind::kDo, "\"do\"", true},
    TokenRow{TokenKind::kDone, "\"done\"", true},
    TokenRow{TokenKind::kElif, "\"elif\"", true},
    TokenRow{TokenKind::kElse, "\"else\"", true},
    TokenRow{TokenKind::kEsac, "\"esac\"", true},
    TokenRow{TokenKind::kFi, "\"fi\"", true},
    TokenRow{TokenKind::kFor, "\"for\"", false},
    TokenRow{TokenKind::kIf, "\"if\"", false},
    TokenRow{TokenKind::kIn, "\"in\"", false},
    TokenRow{TokenKind::kThen, "\"then\"", true},
    TokenRow{TokenKind::kUntil, "\"until\"", false},
    TokenRow{TokenKind::kWhile, "\"while\"", false},
    TokenRow{TokenKind::kOpenBrace, "\"{\"", false},
    TokenRow{TokenKind::kCloseBrace, "\"}\"", true},
};

constexpr bool rows_are_in_order() {
  for (std::size_t i = 0; i < kTokenRows.size(); ++i) {
    if (static_cast<std::size_t>(kTokenRows[i].kind) != i) return false;
  }
  return true;
}
static_assert(rows_are_in_order());

}  // namespace

std::string_view name_of(TokenKind kind) { return kTokenRows[static_cast<std::size_t>(kind)].name; }

bool ends_list(TokenKind kind) { return kTokenRows[static_cast<std::size_t>(kind)].ends_list; }

std::optional<TokenKind> reserved_word(std::string_view text) {
  constexpr auto kFirst = static_cast<std::size_t>(TokenKind::kNot);
  for (std::size_t i = kFirst; i < kTokenRows.size(); ++i) {
    const std::string_view name = kTokenRows[i].name;
    if (name.substr(1, name.size() - 2) == text) return kTokenRows[i].kind;
  }
  return std::nullopt;
}

std::optional<std::string_view> plain_text(const Word& word) {
  if (word.parts.size() != 1) return std::nullopt;
  const auto* text = std::get_if<Text>(&word.parts.front().value);
  if (text == nullptr || text->quote != Quote::kNone) return std::nullopt;
  return text->text;
}

bool is_digit(int c) { return c >= '0' && c <= '9'; }

bool is_name_start(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_name_char(int c) { return is_name_start(c) || is_digit(c); }

bool is_name(std::string_view text) {
  return !text.empty() && is_name_start(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_name_char(c); });
}

}  // namespace sandproof::machine::shell
