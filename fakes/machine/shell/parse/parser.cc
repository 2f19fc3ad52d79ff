// SPDX-License-Identifier: Apache-2.0
// Tokens in their context, lists, pipelines; what each command is stands in commands.cc.
#include "fakes/machine/shell/parse/parser.h"

#include <utility>

namespace sandproof::machine::shell {

ParseOutcome Parser::next() {
  using Kind = ParseOutcome::Kind;
  ParseOutcome outcome;
  bool reading = false;
  try {
    for (;;) {
      source_.commit();
      depth_ = 0;
      put_back_ = false;
      lexer_.reset();
      reading = true;
      std::optional<List> list = parse_line();
      reading = false;
      if (!list) return outcome;
      if (list->items.empty()) continue;
      outcome.kind = Kind::kCommand;
      outcome.list = std::make_shared<const List>(std::move(*list));
      return outcome;
    }
  } catch (const NeedMoreInput&) {
    outcome.kind = Kind::kMore;
    outcome.continued = reading && !source_.at_commit();
    source_.rewind();
  } catch (SyntaxError& error) {
    outcome.kind = Kind::kError;
    outcome.message = "Syntax error: " + error.text;
    outcome.line = error.line;
    source_.drop();
  }
  return outcome;
}

TokenKind Parser::read(unsigned expect) {
  for (;;) {
    if (!std::exchange(put_back_, false)) token_ = lexer_.next();
    while ((expect & kNewlines) != 0 && token_.kind == TokenKind::kNewline) {
      lexer_.read_here_documents();
      token_ = lexer_.next();
    }
    // A blank at the end of an alias makes the next word one that may be an alias.
    if (source_.take_blank_alias_end()) expect |= kAliases;
    if (token_.kind != TokenKind::kWord) return token_.kind;
    const std::optional<std::string_view> text = plain_text(token_.word);
    if (!text) return token_.kind;
    if ((expect & kReserved) != 0) {
      if (const std::optional<TokenKind> reserved = reserved_word(*text)) {
        token_.kind = *reserved;
        return token_.kind;
      }
    }
    if ((expect & kAliases) == 0 || !expand_alias()) return token_.kind;
  }
}

// Replaces the word just read by its alias, if it has one that is not being expanded.
bool Parser::expand_alias() {
  if (aliases_ == nullptr) return false;
  const std::string_view name = *plain_text(token_.word);
  if (source_.in_alias(name)) return false;
  const std::optional<std::string_view> text = aliases_->find_alias(name);
  if (!text) return false;
  source_.push_alias(std::string(name), std::string(*text));
  return true;
}

void Parser::expect(TokenKind kind) {
  if (read(kNothing) != kind) fail_unexpected(kind);
}

void Parser::fail(std::string text) const { throw SyntaxError{std::move(text), source_.line()}; }

void Parser::fail_unexpected(std::optional<TokenKind> expected) const {
  std::string text(name_of(token_.kind));
  text += " unexpected";
  if (expected) text.append(" (expecting ").append(name_of(*expected)).append(")");
  fail(std::move(text));
}

// In the middle of a token of an outer command: its state is put aside.
std::shared_ptr<const List> Parser::parse_substitution(bool backquoted) {
  Token token = std::exchange(token_, Token{});
  const bool put_back = std::exchange(put_back_, false);
  ListPtr list = std::make_shared<const List>(parse_list(ListKind::kMaybeEmpty));
  if (!backquoted) expect(TokenKind::kClose);
  // Behind a list, dash ignores the rest of what is in backquotes.
  lexer_.end_here_documents();
  token_ = std::move(token);
  put_back_ = put_back;
  return list;
}

std::optional<List> Parser::parse_line() {
  if (read(kCommandStart) == TokenKind::kEnd) return std::nullopt;
  put_back();
  return parse_list(ListKind::kLine);
}

List Parser::parse_list(ListKind kind) {
  const bool line = kind == ListKind::kLine;
  bool may_end = kind == ListKind::kMaybeEmpty;
  List list;
  for (;;) {
    const TokenKind first = read(line ? kCommandStart : kAnyCommandStart);
    if (first == TokenKind::kNewline || first == TokenKind::kEnd) {
      lexer_.read_here_documents();
      if (first == TokenKind::kEnd) put_back();
      return list;
    }
    put_back();
    if (!line && may_end && ends_list(first)) return list;
    may_end = true;

    List::Item item;
    item.and_or = parse_and_or();
    const TokenKind after = read(kNothing);
    item.background = after == TokenKind::kAmpersand;
    list.items.push_back(std::move(item));
    switch (after) {
      case TokenKind::kAmpersand:
      case TokenKind::kSemicolon:
        break;
      case TokenKind::kNewline:
      case TokenKind::kEnd:
        put_back();
        break;
      default:
        if (line) fail_unexpected();
        put_back();
        return list;
    }
  }
}

AndOr Parser::parse_and_or() {
  AndOr and_or;
  and_or.first = parse_pipeline();
  for (;;) {
    const TokenKind kind = read(kNothing);
    if (kind != TokenKind::kAndIf && kind != TokenKind::kOrIf) {
      put_back();
      return and_or;
    }
    read(kAnyCommandStart);
    put_back();
    and_or.rest.push_back({kind == TokenKind::kAndIf, parse_pipeline()});
  }
}

Pipeline Parser::parse_pipeline() {
  Pipeline pipeline;
  if (read(kNothing) == TokenKind::kNot) {
    pipeline.negated = true;
    read(kCommandStart);
  }
  for (;;) {
    put_back();
    pipeline.commands.push_back(parse_command());
    if (read(kNothing) != TokenKind::kPipe) break;
    read(kAnyCommandStart);
  }
  put_back();
  return pipeline;
}

}  // namespace sandproof::machine::shell
