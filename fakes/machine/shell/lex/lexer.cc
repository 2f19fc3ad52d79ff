// SPDX-License-Identifier: Apache-2.0
// Tokens, redirection operators and the bodies of here-documents.
#include "fakes/machine/shell/lex/lexer.h"

#include <string_view>
#include <utility>

namespace sandproof::machine::shell {
namespace {

Token simple_token(TokenKind kind) {
  Token token;
  token.kind = kind;
  return token;
}

}  // namespace

NestingGuard::NestingGuard(int& depth, const Source& source) : depth_(depth) {
  if (depth_ >= kMaxNesting) {
    throw SyntaxError{"Nesting too deep (limit " + std::to_string(kMaxNesting) + ")",
                      source.line()};
  }
  ++depth_;
}

void Lexer::reset() {
  pending_.clear();
  here_ = nullptr;
  delimiter_ = false;
}

Token Lexer::next() { return read_token(false); }

Token Lexer::next_delimiter() { return read_token(true); }

void Lexer::skip_comment() {
  int c = source_.get();
  while (c != '\n' && c != Source::kEof) c = source_.get();
  source_.unget(c);
}

Token Lexer::read_token(bool delimiter) {
  const auto either = [this](int second, TokenKind both, TokenKind one) {
    const int c = source_.get_joined();
    if (c == second) return simple_token(both);
    source_.unget(c);
    return simple_token(one);
  };
  for (;;) {
    const int c = source_.get_joined();
    switch (c) {
      case ' ':
      case '\t':
        continue;
      case '#':
        skip_comment();
        continue;
      case '\n':
        return simple_token(TokenKind::kNewline);
      case Source::kEof:
        return simple_token(TokenKind::kEnd);
      case '&':
        return either('&', TokenKind::kAndIf, TokenKind::kAmpersand);
      case '|':
        return either('|', TokenKind::kOrIf, TokenKind::kPipe);
      case ';':
        return either(';', TokenKind::kCaseEnd, TokenKind::kSemicolon);
      case '(':
        return simple_token(TokenKind::kOpen);
      case ')':
        return simple_token(TokenKind::kClose);
      case '<':
      case '>':
        return read_redirection(c, c == '<' ? 0 : 1);
      default:
        break;
    }
    source_.unget(c);
    Token token = simple_token(TokenKind::kWord);
    token.word = read_word(delimiter);
    // A digit that touches an operator is its descriptor.
    const std::optional<std::string_view> text = plain_text(token.word);
    if (!text || text->size() != 1 || !is_digit(text->front())) return token;
    const int after = source_.get_joined();
    if (after == '<' || after == '>') return read_redirection(after, text->front() - '0');
    source_.unget(after);
    return token;
  }
}

Token Lexer::read_redirection(int c, int fd) {
  Token token = simple_token(TokenKind::kRedirection);
  Redirection& to = token.redirection;
  to.fd = fd;
  const int next = source_.get_joined();
  if (c == '>') {
    switch (next) {
      case '>':
        to.op = RedirectionOperator::kAppend;
        break;
      case '|':
        to.op = RedirectionOperator::kClobber;
        break;
      case '&':
        to.op = RedirectionOperator::kDuplicateOut;
        break;
      default:
        to.op = RedirectionOperator::kWrite;
        source_.unget(next);
    }
    return token;
  }
  switch (next) {
    case '&':
      to.op = RedirectionOperator::kDuplicateIn;
      break;
    case '>':
      to.op = RedirectionOperator::kReadWrite;
      break;
    case '<': {
      to.op = RedirectionOperator::kHereDocument;
      auto here = std::make_shared<HereDocument>();
      const int dash = source_.get_joined();
      here->strip_tabs = dash == '-';
      if (dash != '-') source_.unget(dash);
      to.here = std::move(here);
      break;
    }
    default:
      to.op = RedirectionOperator::kRead;
      source_.unget(next);
  }
  return token;
}

void Lexer::expect_here_document(std::shared_ptr<HereDocument> here) {
  pending_.push_back(std::move(here));
}

Lexer::Pending Lexer::exchange_pending(Pending other) {
  return std::exchange(pending_, std::move(other));
}

void Lexer::read_here_documents() {
  const Pending all = std::exchange(pending_, {});
  for (const std::shared_ptr<HereDocument>& here : all) here->body = read_here_document(*here);
}

// Of a quoted delimiter the lines as they are; else what double quotes would make of them.
Word Lexer::read_here_document(const HereDocument& here) {
  const HereDocument* const outer = std::exchange(here_, &here);
  Word body;
  if (!here.quoted) {
    if (!at_here_end()) scan(Scope{.syntax = Syntax::kDouble}, body);
  } else {
    while (!at_here_end()) {
      int c = source_.get();
      for (; c != '\n' && c != Source::kEof; c = source_.get()) add_char(body, c, Quote::kSingle);
      if (c == '\n') add_char(body, c, Quote::kSingle);
    }
  }
  here_ = outer;
  return body;
}

// At the begin of a line: whether it is the one that ends the here-document, which is consumed
// then. The end of the input ends it too. Tabs that are stripped, and lines that a backslash joins
// to this one, are consumed in any case.
bool Lexer::at_here_end() {
  if (!here_->quoted) source_.unget(source_.get_joined());
  if (here_->strip_tabs) {
    while (source_.rest(1).starts_with('\t')) source_.skip(1);
  }
  const std::string_view mark = here_->delimiter;
  const std::string_view seen = source_.rest(1);
  if (seen.empty()) return true;
  if (!seen.starts_with(mark)) {
    if (mark.starts_with(seen)) source_.rest(mark.size() + 1);  // More may make it the delimiter.
    return false;
  }
  const std::string_view line = source_.rest(mark.size() + 1);
  if (line.size() > mark.size() && line[mark.size()] != '\n') return false;
  source_.skip(mark.size());
  // As dash counts: the end of the script ends a line too.
  if (source_.get() == Source::kEof) source_.adjust_line(1);
  return true;
}

}  // namespace sandproof::machine::shell
