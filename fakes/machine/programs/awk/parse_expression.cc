// SPDX-License-Identifier: Apache-2.0
// Operators, from those that bind the least: each function reads one level.
#include <array>
#include <optional>
#include <utility>

#include "fakes/machine/programs/awk/parser.h"

namespace sandproof::machine::programs::awk {
namespace {

struct OperatorRow {
  std::string_view mark;
  Operation operation;
};

constexpr std::array<OperatorRow, 8> kAssignments = {{{"=", Operation::kNone},
                                                      {"+=", Operation::kAdd},
                                                      {"-=", Operation::kSubtract},
                                                      {"*=", Operation::kMultiply},
                                                      {"/=", Operation::kDivide},
                                                      {"%=", Operation::kModulo},
                                                      {"^=", Operation::kPower},
                                                      {"**=", Operation::kPower}}};
constexpr std::array<OperatorRow, 6> kComparisons = {{{"<", Operation::kLess},
                                                      {"<=", Operation::kLessEqual},
                                                      {"==", Operation::kEqual},
                                                      {"!=", Operation::kNotEqual},
                                                      {">", Operation::kGreater},
                                                      {">=", Operation::kGreaterEqual}}};

template <std::size_t kCount>
std::optional<Operation> operation_of(const std::array<OperatorRow, kCount>& rows,
                                      const Token& token) {
  if (token.kind != TokenKind::kMark) return std::nullopt;
  for (const OperatorRow& row : rows) {
    if (row.mark == token.text) return row.operation;
  }
  return std::nullopt;
}

}  // namespace

ExprPtr Parser::expression(Within within) {
  const Nesting nesting(*this);
  ExprPtr condition = disjunction(within);
  if (!token().is_mark("?")) return condition;
  ExprPtr made = with(make(ExprKind::kCondition), std::move(condition));
  advance();
  skip_newlines();
  made = with(std::move(made), expression(within));
  skip_newlines();
  expect_mark(":");
  skip_newlines();
  return with(std::move(made), expression(within));
}

ExprPtr Parser::disjunction(Within within) {
  ExprPtr left = conjunction(within);
  while (token().is_mark("||")) {
    ExprPtr made = with(make(ExprKind::kOr), std::move(left));
    advance();
    skip_newlines();
    left = with(std::move(made), conjunction(within));
  }
  return left;
}

ExprPtr Parser::conjunction(Within within) {
  ExprPtr left = membership(within);
  while (token().is_mark("&&")) {
    ExprPtr made = with(make(ExprKind::kAnd), std::move(left));
    advance();
    skip_newlines();
    left = with(std::move(made), membership(within));
  }
  return left;
}

ExprPtr Parser::membership(Within within) {
  ExprPtr left = matching(within);
  while (token().is_keyword("in")) {
    ExprPtr made = make(ExprKind::kIn);
    advance();
    if (token().kind != TokenKind::kName) unexpected();
    const ExprPtr array = variable(token());
    advance();
    made->slot = array->slot;
    made->local = array->local;
    if (left->kind == ExprKind::kList) {
      for (ExprPtr& part : left->parts) made = with(std::move(made), std::move(part));
    } else {
      made = with(std::move(made), std::move(left));
    }
    left = std::move(made);
  }
  return left;
}

ExprPtr Parser::matching(Within within) {
  ExprPtr left = comparison(within);
  while (token().is_mark("~") || token().is_mark("!~")) {
    ExprPtr made = with(make(ExprKind::kMatches), std::move(left));
    made->flag = token().text == "!~";
    advance();
    left = with(std::move(made), comparison(within));
  }
  return left;
}

ExprPtr Parser::comparison(Within within) {
  ExprPtr left = piped_getline(within);
  for (;;) {
    const std::optional<Operation> operation = operation_of(kComparisons, token());
    if (!operation || (within == Within::kPrint && *operation == Operation::kGreater)) return left;
    ExprPtr made = with(make(ExprKind::kBinary), std::move(left));
    made->operation = *operation;
    advance();
    left = with(std::move(made), piped_getline(within));
  }
}

ExprPtr Parser::piped_getline(Within within) {
  ExprPtr left = concatenation(within);
  while (token().is_mark("|") && next_is_keyword("getline")) {
    ExprPtr made = make(ExprKind::kGetline);
    made->flag = true;
    advance();
    advance();
    ExprPtr where;
    if (token().kind == TokenKind::kName || token().is_mark("$")) where = place();
    made = with(std::move(made), std::move(where));
    left = with(std::move(made), std::move(left));
  }
  return left;
}

ExprPtr Parser::concatenation(Within within) {
  ExprPtr left = sum(within);
  while (begins_operand()) {
    ExprPtr made = with(make(ExprKind::kBinary), std::move(left));
    made->operation = Operation::kConcatenate;
    left = with(std::move(made), sum(within));
  }
  return left;
}

ExprPtr Parser::sum(Within within) {
  ExprPtr left = product(within);
  while (token().is_mark("+") || token().is_mark("-")) {
    ExprPtr made = with(make(ExprKind::kBinary), std::move(left));
    made->operation = token().text == "+" ? Operation::kAdd : Operation::kSubtract;
    advance();
    left = with(std::move(made), product(within));
  }
  return left;
}

ExprPtr Parser::product(Within within) {
  ExprPtr left = unary(within);
  while (token().is_mark("*") || token().is_mark("/") || token().is_mark("%")) {
    ExprPtr made = with(make(ExprKind::kBinary), std::move(left));
    made->operation = token().text == "*"   ? Operation::kMultiply
                      : token().text == "/" ? Operation::kDivide
                                            : Operation::kModulo;
    advance();
    left = with(std::move(made), unary(within));
  }
  return left;
}

ExprPtr Parser::unary(Within within) {
  const Nesting nesting(*this);
  ExprKind kind = ExprKind::kNot;
  if (token().is_mark("-")) {
    kind = ExprKind::kNegate;
  } else if (token().is_mark("+")) {
    kind = ExprKind::kPlus;
  } else if (!token().is_mark("!")) {
    return power(within);
  }
  ExprPtr made = make(kind);
  advance();
  return with(std::move(made), unary(within));
}

ExprPtr Parser::power(Within within) {
  ExprPtr base = postfix(within);
  if (!token().is_mark("^") && !token().is_mark("**")) return base;
  ExprPtr made = with(make(ExprKind::kBinary), std::move(base));
  made->operation = Operation::kPower;
  advance();
  // To the right first: -2^-3^2 is -(2^(-(3^2))).
  return with(std::move(made), unary(within));
}

ExprPtr Parser::postfix(Within within) {
  ExprPtr operand = primary();
  if (!operand->is_place()) return operand;
  if (token().is_mark("++") || token().is_mark("--")) {
    ExprPtr made = with(make(ExprKind::kIncrement), std::move(operand));
    made->number = token().text == "++" ? 1 : -1;
    made->flag = true;
    advance();
    return made;
  }
  const std::optional<Operation> operation = operation_of(kAssignments, token());
  if (!operation) return operand;
  // An assignment takes all that follows, also behind an operator that would bind more: `a && b =
  // c`.
  ExprPtr made = with(make(ExprKind::kAssign), std::move(operand));
  made->operation = *operation;
  advance();
  skip_newlines();
  return with(std::move(made), expression(within));
}

}  // namespace sandproof::machine::programs::awk
