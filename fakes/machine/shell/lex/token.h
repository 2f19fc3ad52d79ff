// SPDX-License-Identifier: Apache-2.0
// The tokens of the shell, with the names that its messages give them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "fakes/machine/shell/ast.h"

namespace sandproof::machine::shell {

enum class TokenKind : std::uint8_t {
  kEnd,
  kNewline,
  kSemicolon,
  kAmpersand,
  kAndIf,
  kOrIf,
  kPipe,
  kOpen,
  kClose,
  kCaseEnd,
  kRedirection,
  kWord,
  // Reserved words: a word becomes one where the parser says that it may be one.
  kNot,
  kCase,
  kDo,
  kDone,
  kElif,
  kElse,
  kEsac,
  kFi,
  kFor,
  kIf,
  kIn,
  kThen,
  kUntil,
  kWhile,
  kOpenBrace,
  kCloseBrace,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Word word;                // kWord, and the reserved words.
  Redirection redirection;  // kRedirection: without its target.
};

/// As messages name it: `"fi"`, `newline`, `end of file`.
std::string_view name_of(TokenKind kind);

/// The reserved word that `text` is, if it is one.
std::optional<TokenKind> reserved_word(std::string_view text);

/// Whether a list ends before it: `)`, `;;`, the end of input, and what closes a compound command.
bool ends_list(TokenKind kind);

/// The text of a word that is one unquoted text; nothing where a part of it is quoted or expanded.
std::optional<std::string_view> plain_text(const Word& word);

/// Whether `text` could name a variable: a letter or `_`, then those and digits.
bool is_name(std::string_view text);

/// Character classes of the C locale, for any char.
bool is_name_start(int c);
bool is_name_char(int c);
bool is_digit(int c);

}  // namespace sandproof::machine::shell
