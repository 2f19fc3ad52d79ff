// SPDX-License-Identifier: Apache-2.0
// Operands: constants, variables, fields, elements, calls, getline, and what is in parentheses.
#include <algorithm>
#include <utility>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/parser.h"

namespace sandproof::machine::programs::awk {
namespace {

// A chain like a + a + … is as deep as it is long; the compiler and destructors call themselves.
constexpr int kMaxChain = 4000;

}  // namespace

ExprPtr Parser::make(ExprKind kind) const {
  auto made = std::make_unique<Expr>();
  made->kind = kind;
  made->line = token_.line;
  return made;
}

ExprPtr Parser::with(ExprPtr parent, ExprPtr part) {
  if (part) {
    parent->depth = std::max(parent->depth, part->depth + 1);
    if (parent->depth > kMaxChain) {
      throw Failure("An expression has more than " + std::to_string(kMaxChain) +
                        " operators in a row; take it apart",
                    parent->line);
    }
  }
  parent->parts.push_back(std::move(part));
  return parent;
}

bool Parser::begins_operand() const {
  switch (token_.kind) {
    case TokenKind::kNumber:
    case TokenKind::kString:
    case TokenKind::kName:
    case TokenKind::kCall:
    case TokenKind::kBuiltin:
      return true;
    case TokenKind::kMark:
      return token_.text == "$" || token_.text == "(" || token_.text == "!" ||
             token_.text == "++" || token_.text == "--";
    default:
      return false;
  }
}

std::vector<ExprPtr> Parser::list(Within within) {
  std::vector<ExprPtr> all;
  all.push_back(expression(within));
  while (take_mark(",")) {
    skip_newlines();
    all.push_back(expression(within));
  }
  return all;
}

ExprPtr Parser::primary() {
  if (token_.is_mark("(")) return parenthesized();
  if (token_.is_mark("/") || token_.is_mark("/=")) {
    ExprPtr made = make(ExprKind::kRegex);
    made->text = lexer_.regex_at(token_);
    advance();
    return made;
  }
  if (token_.is_mark("++") || token_.is_mark("--")) {
    ExprPtr made = make(ExprKind::kIncrement);
    made->number = token_.text == "++" ? 1 : -1;
    advance();
    return with(std::move(made), place());
  }
  if (token_.is_mark("$")) return place();
  if (token_.is_keyword("getline")) return getline();
  switch (token_.kind) {
    case TokenKind::kNumber: {
      ExprPtr made = make(ExprKind::kNumber);
      made->number = token_.number;
      advance();
      return made;
    }
    case TokenKind::kString: {
      ExprPtr made = make(ExprKind::kString);
      made->text = token_.text;
      advance();
      return made;
    }
    case TokenKind::kName:
      return place();
    case TokenKind::kCall: {
      const Token name = token_;
      return call(name);
    }
    case TokenKind::kBuiltin:
      return builtin();
    default:
      unexpected();
  }
}

ExprPtr Parser::parenthesized() {
  ExprPtr grouping = make(ExprKind::kList);
  advance();
  skip_newlines();
  std::vector<ExprPtr> all = list({});
  skip_newlines();
  expect_mark(")");
  // Without its parentheses one is what it was; a place can be assigned to, as in busybox.
  if (all.size() == 1) return std::move(all.front());
  for (ExprPtr& part : all) grouping = with(std::move(grouping), std::move(part));
  return grouping;
}

ExprPtr Parser::variable(const Token& name) {
  ExprPtr made = make(ExprKind::kVariable);
  made->text = name.text;
  if (const auto local = locals_.find(name.text); local != locals_.end()) {
    made->local = true;
    made->slot = local->second;
    return made;
  }
  const auto [global, added] =
      globals_.try_emplace(name.text, static_cast<int>(program_.globals.size()));
  if (added) program_.globals.push_back(name.text);
  made->slot = global->second;
  return made;
}

ExprPtr Parser::place() {
  const Nesting nesting(*this);
  if (token_.is_mark("$")) {
    ExprPtr made = make(ExprKind::kField);
    advance();
    // What binds more than '$': an operand, ++ and -- before it, a sign.
    if (token_.is_mark("-") || token_.is_mark("+") || token_.is_mark("!")) {
      return with(std::move(made), unary({}));
    }
    return with(std::move(made), primary());
  }
  if (token_.is_mark("(")) {
    ExprPtr made = parenthesized();
    if (!made->is_place()) unexpected();
    return made;
  }
  if (token_.kind != TokenKind::kName) unexpected();
  ExprPtr made = variable(token_);
  advance();
  if (!take_mark("[")) return made;
  made->kind = ExprKind::kElement;
  skip_newlines();
  for (ExprPtr& part : list({})) made = with(std::move(made), std::move(part));
  skip_newlines();
  expect_mark("]");
  return made;
}

ExprPtr Parser::call(const Token& name) {
  ExprPtr made = make(ExprKind::kCall);
  advance();
  const auto known = std::find_if(program_.functions.begin(), program_.functions.end(),
                                  [&](const Function& one) { return one.name == name.text; });
  made->slot = static_cast<int>(known - program_.functions.begin());
  if (known == program_.functions.end()) {
    program_.functions.push_back({.name = name.text, .body = {}});
  }
  expect_mark("(");
  skip_newlines();
  if (!token_.is_mark(")")) {
    for (ExprPtr& part : list({})) made = with(std::move(made), std::move(part));
  }
  skip_newlines();
  expect_mark(")");
  return made;
}

ExprPtr Parser::builtin() {
  const BuiltinRow& row = *builtin_named(token_.text);
  ExprPtr made = make(ExprKind::kBuiltin);
  made->builtin = row.function;
  advance();
  if (token_.is_mark("(")) {
    advance();
    skip_newlines();
    if (!token_.is_mark(")")) {
      for (ExprPtr& part : list({})) made = with(std::move(made), std::move(part));
    }
    skip_newlines();
    expect_mark(")");
  } else if (row.function != Builtin::kLength) {
    unexpected();
  }
  if (made->parts.size() < row.least) throw Failure("Too few arguments", made->line);
  if (made->parts.size() > row.most) throw Failure("Too many arguments", made->line);
  return made;
}

ExprPtr Parser::getline() {
  ExprPtr made = make(ExprKind::kGetline);
  advance();
  ExprPtr where;
  if (token_.kind == TokenKind::kName || token_.is_mark("$")) where = place();
  made = with(std::move(made), std::move(where));
  ExprPtr source;
  if (take_mark("<")) source = concatenation({});
  return with(std::move(made), std::move(source));
}

}  // namespace sandproof::machine::programs::awk
