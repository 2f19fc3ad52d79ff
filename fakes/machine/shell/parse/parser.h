// SPDX-License-Identifier: Apache-2.0
// The parser: one complete command line after the other, so that a script runs up to the line that
// has an error, as dash runs it, and so that what a line defines (an alias) holds for the next.
// One thread.
//
// Differs from dash on purpose:
//  - a pattern of `case` has to be a word: dash takes an operator there for the last word it saw;
//  - the bodies of here-documents stand after the next newline in every case: dash forgets them in
//    the newline of `for x in words`;
//  - nesting, one command and the texts of its aliases are bounded (lex/source.h);
//  - a NUL is a character like others.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/machine/shell/ast.h"
#include "fakes/machine/shell/lex/lexer.h"
#include "fakes/machine/shell/lex/source.h"
#include "fakes/machine/shell/lex/token.h"

namespace sandproof::machine::shell {

/// The aliases that are defined now. dash expands them in scripts too.
class AliasTable {
 public:
  virtual ~AliasTable() = default;
  /// The text of alias `name`; valid until something is defined or removed.
  virtual std::optional<std::string_view> find_alias(std::string_view name) const = 0;
};

struct ParseOutcome {
  enum class Kind : std::uint8_t {
    kCommand,  // `list`: what one line, or more if it goes on, holds; never empty.
    kEnd,      // Nothing is left, and nothing more will be fed.
    kMore,     // feed() or finish() is next.
    kError,    // `message`, at `line`. What was fed is dropped, as dash does.
  };
  Kind kind = Kind::kEnd;
  std::shared_ptr<const List> list;
  std::string message;     // `Syntax error: "fi" unexpected`: the name and the line go before it.
  int line = 1;            // Where it was found, from 1; in backquotes, from their begin.
  bool continued = false;  // kMore: inside of a command, where an interactive shell shows PS2.
};

class Parser : private SubstitutionParser {
 public:
  /// `aliases` is borrowed; without it there are none.
  explicit Parser(const AliasTable* aliases = nullptr) : aliases_(aliases) {}

  /// More of the script. A command that ended inside of what was fed is read again from its begin
  /// with the next: feed lines to a person, blocks to a pipe.
  void feed(std::string_view text) { source_.feed(text); }
  /// The script has ended.
  void finish() { source_.finish(); }

  /// The next command. Throws nothing of its own; a command is bounded by kMaxCommandBytes.
  ParseOutcome next();
  /// After a kCommand: whether nothing follows it, as far as was read. False where a newline does.
  bool at_end() const { return put_back_ && token_.kind == TokenKind::kEnd; }

 private:
  // What the next token may be besides: newlines are skipped, words become reserved ones or are
  // replaced by their alias.
  enum Expect : unsigned { kNothing = 0, kNewlines = 1, kReserved = 2, kAliases = 4 };
  static constexpr unsigned kCommandStart = kReserved | kAliases;
  static constexpr unsigned kAnyCommandStart = kNewlines | kReserved | kAliases;
  enum class ListKind : std::uint8_t { kLine, kBody, kMaybeEmpty };
  using CommandPtr = std::shared_ptr<const Command>;
  using ListPtr = std::shared_ptr<const List>;

  TokenKind read(unsigned expect);
  void put_back() { put_back_ = true; }
  void expect(TokenKind kind);
  [[noreturn]] void fail(std::string text) const;
  [[noreturn]] void fail_unexpected(std::optional<TokenKind> expected = std::nullopt) const;
  bool expand_alias();

  std::shared_ptr<const List> parse_substitution(bool backquoted) override;
  std::optional<List> parse_line();
  List parse_list(ListKind kind);
  ListPtr parse_body() { return std::make_shared<const List>(parse_list(ListKind::kBody)); }
  AndOr parse_and_or();
  Pipeline parse_pipeline();
  CommandPtr parse_command();
  void parse_compound(Command& command);
  void parse_redirections(Command& command);
  CommandPtr parse_simple();
  bool take_assignment(SimpleCommand& simple);
  FunctionDefinition parse_function(const SimpleCommand& simple);
  If parse_if();
  For parse_for();
  While parse_while();
  Case parse_case();
  Case::Item parse_case_item();
  Redirection parse_redirection();

  Source source_;
  const AliasTable* aliases_;
  int depth_ = 0;
  Lexer lexer_{source_, *this, depth_};
  Token token_;  // Read last.
  bool put_back_ = false;
};

}  // namespace sandproof::machine::shell
