// SPDX-License-Identifier: Apache-2.0
// Words, part by part. One scan is one region between its quotes, braces or parentheses; a region
// in another is a scan in a scan, as deep as kMaxNesting.
#include <string_view>
#include <utility>

#include "fakes/machine/shell/lex/lexer.h"

namespace sandproof::machine::shell {
namespace {

constexpr std::string_view kEndsWord = " \t\n;&|<>()";

}  // namespace

void Lexer::add_char(Word& out, int c, Quote quote) {
  if (!out.parts.empty()) {
    auto* text = std::get_if<Text>(&out.parts.back().value);
    if (text != nullptr && text->quote == quote) {
      text->text += static_cast<char>(c);
      return;
    }
  }
  out.parts.push_back(Part{Text{std::string(1, static_cast<char>(c)), quote}});
}

Word Lexer::read_word(bool delimiter) {
  const bool outer = std::exchange(delimiter_, delimiter);
  const HereDocument* const here = std::exchange(here_, nullptr);
  Word word;
  scan(Scope{}, word);
  delimiter_ = outer;
  here_ = here;
  return word;
}

// Whether `c` ends the scan; it is consumed then, but for what ends a word.
bool Lexer::ends(const Scope& scope, int c, int& parentheses) {
  if (c == Source::kEof) {
    const bool word = scope.syntax == Syntax::kBase && !scope.in_braces;
    const bool here = here_ != nullptr && scope.syntax == Syntax::kDouble && !scope.in_braces &&
                      !scope.closing_quote;
    if (!word && !here) fail_at_end(scope);
    return true;
  }
  if (scope.in_braces) return c == '}';
  if (scope.closing_quote) return c == '"';
  if (scope.syntax == Syntax::kBase) {
    if (kEndsWord.find(static_cast<char>(c)) == std::string_view::npos) return false;
    source_.unget(c);
    return true;
  }
  if (scope.syntax != Syntax::kArithmetic) return false;
  if (c == '(') ++parentheses;
  if (c != ')') return false;
  if (parentheses > 0) {
    --parentheses;
    return false;
  }
  const int next = source_.get_joined();
  if (next == ')') return true;
  source_.unget(next);
  return false;
}

void Lexer::fail_at_end(const Scope& scope) const {
  if (scope.syntax == Syntax::kArithmetic) throw SyntaxError{"Missing '))'", source_.line()};
  // In a here-document a quote is nothing that could be open.
  if (scope.syntax == Syntax::kDouble && here_ == nullptr) {
    throw SyntaxError{"Unterminated quoted string", source_.line()};
  }
  throw SyntaxError{"Missing '}'", source_.line()};
}

void Lexer::scan(const Scope& scope, Word& out) {
  const NestingGuard guard(depth_, source_);
  int parentheses = 0;
  for (;;) {
    const int c = source_.get_joined();
    if (ends(scope, c, parentheses)) return;
    switch (c) {
      case '\n':
        add_char(out, c);
        if (here_ != nullptr && at_here_end()) {
          ends(scope, Source::kEof, parentheses);
          return;
        }
        break;
      case '\\':
        read_backslash(scope, out);
        break;
      case '\'':
        if (scope.syntax == Syntax::kBase) {
          read_single_quoted(out);
        } else {
          add_char(out, c);
        }
        break;
      case '"':
        // In arithmetic, and where a here-document is not in braces, it is a character.
        if (scope.syntax == Syntax::kBase || scope.in_braces) {
          read_double_quoted(scope, out);
        } else {
          add_char(out, c);
        }
        break;
      case '$':
        read_dollar(scope, out);
        break;
      case '`':
        if (delimiter_) {
          add_char(out, c);
        } else {
          read_backquoted(scope, out);
        }
        break;
      default:
        add_char(out, c);
    }
  }
}

void Lexer::read_backslash(const Scope& scope, Word& out) {
  const int c = source_.get();
  if (c == Source::kEof) {
    add_char(out, '\\', Quote::kBackslash);
    return;
  }
  if (scope.syntax != Syntax::kBase) {
    const bool in_braces = scope.in_braces || scope.braces_around;
    const bool quote = c == '"' && (here_ == nullptr || in_braces);
    const bool brace = c == '}' && in_braces;
    if (c != '\\' && c != '`' && c != '$' && !quote && !brace) {
      add_char(out, '\\');
      // What follows stands for itself, even where it would end something.
      add_char(out, c);
      return;
    }
  }
  add_char(out, c, Quote::kBackslash);
}

void Lexer::read_single_quoted(Word& out) {
  constexpr Scope kInSingle{.syntax = Syntax::kDouble};  // As to what its end is called.
  Text text{{}, Quote::kSingle};
  for (;;) {
    const int c = source_.get();
    if (c == '\'') break;
    if (c == Source::kEof) fail_at_end(kInSingle);
    text.text += static_cast<char>(c);
    if (c == '\n' && here_ != nullptr && at_here_end()) fail_at_end(kInSingle);
  }
  out.parts.push_back(Part{std::move(text)});
}

void Lexer::read_double_quoted(const Scope& scope, Word& out) {
  DoubleQuoted quoted;
  scan(Scope{.syntax = Syntax::kDouble,
             .closing_quote = true,
             .braces_around = scope.in_braces || scope.braces_around},
       quoted.word);
  out.parts.push_back(Part{std::move(quoted)});
}

void Lexer::read_arithmetic(Word& out) {
  Arithmetic arithmetic;
  scan(Scope{.syntax = Syntax::kArithmetic}, arithmetic.expression);
  out.parts.push_back(Part{std::move(arithmetic)});
}

void Lexer::read_command_substitution(Word& out) {
  const NestingGuard guard(depth_, source_);
  Pending pending = exchange_pending({});
  const HereDocument* const here = std::exchange(here_, nullptr);
  CommandSubstitution substitution{.list = parser_.parse_substitution(false)};
  here_ = here;
  exchange_pending(std::move(pending));
  out.parts.push_back(Part{std::move(substitution)});
}

// The text between backquotes, less its backslashes, is read again as a script of its own.
void Lexer::read_backquoted(const Scope& scope, Word& out) {
  const NestingGuard guard(depth_, source_);
  const bool quoted = scope.syntax != Syntax::kBase;
  std::string text;
  for (;;) {
    int c = source_.get_joined();
    if (c == '`') break;
    if (c == Source::kEof) throw SyntaxError{"EOF in backquote substitution", source_.line()};
    if (c == '\\') {
      c = source_.get();
      if (c == Source::kEof) throw SyntaxError{"EOF in backquote substitution", source_.line()};
      if (c != '\\' && c != '`' && c != '$' && (!quoted || c != '"')) text += '\\';
    }
    text += static_cast<char>(c);
  }
  Pending pending = exchange_pending({});
  const HereDocument* const here = std::exchange(here_, nullptr);
  source_.push_text(std::move(text));
  CommandSubstitution substitution{.list = parser_.parse_substitution(true), .backquoted = true};
  source_.pop_text();
  here_ = here;
  exchange_pending(std::move(pending));
  out.parts.push_back(Part{std::move(substitution)});
}

}  // namespace sandproof::machine::shell
