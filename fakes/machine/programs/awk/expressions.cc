// SPDX-License-Identifier: Apache-2.0
// Reading expressions of awk.
#include "fakes/machine/programs/awk/expressions.h"

#include <algorithm>
#include <utility>

namespace sandproof::machine::programs::awk {

NodePtr ExpressionParser::make(Kind kind) const {
  auto node = std::make_unique<Node>(Node{.kind = kind});
  node->line = token_.line;
  return node;
}

void ExpressionParser::add(Node& node, NodePtr part) {
  if (part != nullptr && part->waits) node.waits = true;
  node.parts.push_back(std::move(part));
}

NodePtr ExpressionParser::binary(Kind kind, std::string text, NodePtr left, NodePtr right) {
  NodePtr node = make(kind);
  node->text = std::move(text);
  add(*node, std::move(left));
  add(*node, std::move(right));
  return node;
}

bool ExpressionParser::is_place(const Node& node) {
  return (node.kind == Kind::kVariable || node.kind == Kind::kField ||
          node.kind == Kind::kElement) &&
         !node.grouped;
}

std::size_t ExpressionParser::function_index(const std::string& name) {
  const auto [found, fresh] = function_names_.try_emplace(name, program_.functions.size());
  if (fresh) program_.functions.push_back({.name = name, .body = nullptr, .line = token_.line});
  return found->second;
}

NodePtr ExpressionParser::expression() {
  const Nesting nesting(*this);
  NodePtr left = condition();
  for (const char* name : {"=", "+=", "-=", "*=", "/=", "%=", "^="}) {
    if (!token_.is(name) || !is_place(*left)) continue;
    advance();
    skip_newlines();
    return binary(Kind::kAssign, name, std::move(left), expression());
  }
  return left;
}

NodePtr ExpressionParser::expression_without_greater() {
  const bool before = std::exchange(no_greater_, true);
  NodePtr node = expression();
  no_greater_ = before;
  return node;
}

NodePtr ExpressionParser::condition() {
  NodePtr left = either();
  if (!token_.is("?")) return left;
  NodePtr node = make(Kind::kCondition);
  advance();
  skip_newlines();
  add(*node, std::move(left));
  add(*node, expression());
  skip_newlines();
  expect(":");
  skip_newlines();
  add(*node, expression());
  return node;
}

NodePtr ExpressionParser::either() {
  NodePtr left = both();
  while (token_.is("||")) {
    advance();
    skip_newlines();
    left = binary(Kind::kOr, "||", std::move(left), both());
  }
  return left;
}

NodePtr ExpressionParser::both() {
  NodePtr left = membership();
  while (token_.is("&&")) {
    advance();
    skip_newlines();
    left = binary(Kind::kAnd, "&&", std::move(left), membership());
  }
  return left;
}

NodePtr ExpressionParser::membership() {
  NodePtr left = match();
  while (token_.is("in")) {
    advance();
    if (token_.kind != Token::Kind::kName) unexpected();
    left = binary(Kind::kIn, "in", std::move(left), variable());
  }
  return left;
}

NodePtr ExpressionParser::match() {
  NodePtr left = comparison();
  while (token_.is("~") || token_.is("!~")) {
    const std::string name = token_.text;
    advance();
    left = binary(Kind::kMatch, name, std::move(left), comparison());
  }
  return left;
}

NodePtr ExpressionParser::comparison() {
  NodePtr left = concatenation();
  for (;;) {
    if (token_.is("|")) {
      const Mark here = mark();
      advance();
      if (!token_.is("getline")) {
        back_to(here);
        return left;
      }
      NodePtr node = simple_getline();
      node->text = "|";
      node->parts[1] = std::move(left);
      left = std::move(node);
      continue;
    }
    std::string name;
    for (const char* candidate : {"<", "<=", "==", "!=", ">", ">="}) {
      if (token_.is(candidate)) name = candidate;
    }
    if (name.empty() || (name == ">" && no_greater_)) return left;
    advance();
    left = binary(Kind::kCompare, name, std::move(left), concatenation());
  }
}

bool ExpressionParser::begins_operand() const {
  switch (token_.kind) {
    case Token::Kind::kNumber:
    case Token::Kind::kText:
    case Token::Kind::kName:
    case Token::Kind::kFunction:
    case Token::Kind::kBuiltin:
      return true;
    default:
      break;
  }
  // Signs and slashes between two operands are theirs; getline is only read where it stands alone.
  return token_.is("$") || token_.is("(") || token_.is("++") || token_.is("--");
}

NodePtr ExpressionParser::concatenation() {
  NodePtr left = sum();
  while (begins_operand()) left = binary(Kind::kConcat, "", std::move(left), sum());
  return left;
}

NodePtr ExpressionParser::sum() {
  NodePtr left = product();
  while (token_.is("+") || token_.is("-")) {
    const std::string name = token_.text;
    advance();
    left = binary(Kind::kBinary, name, std::move(left), product());
  }
  return left;
}

NodePtr ExpressionParser::product() {
  NodePtr left = unary();
  while (token_.is("*") || token_.is("/") || token_.is("%")) {
    const std::string name = token_.text;
    advance();
    left = binary(Kind::kBinary, name, std::move(left), unary());
  }
  return left;
}

NodePtr ExpressionParser::unary() {
  const Nesting nesting(*this);
  if (!token_.is("!") && !token_.is("-") && !token_.is("+")) return power();
  NodePtr node = make(Kind::kUnary);
  node->text = token_.text;
  advance();
  add(*node, unary());
  return node;
}

NodePtr ExpressionParser::power() {
  NodePtr left = postfix();
  if (!token_.is("^")) return left;
  advance();
  return binary(Kind::kBinary, "^", std::move(left), unary());
}

NodePtr ExpressionParser::postfix() {
  NodePtr left = operand();
  if ((token_.is("++") || token_.is("--")) && is_place(*left)) {
    NodePtr node = make(Kind::kIncrement);
    node->text = token_.text;
    advance();
    add(*node, std::move(left));
    return node;
  }
  return left;
}

NodePtr ExpressionParser::variable() {
  NodePtr node = make(Kind::kVariable);
  node->text = token_.text;
  const auto local = std::find(locals_.begin(), locals_.end(), token_.text);
  if (local != locals_.end()) {
    node->local = true;
    node->index = static_cast<std::size_t>(local - locals_.begin());
  } else {
    node->index = program_.globals.try_emplace(token_.text, program_.globals.size()).first->second;
  }
  advance();
  return node;
}

NodePtr ExpressionParser::primary() {
  NodePtr node = variable();
  if (!token_.is("[")) return node;
  node->kind = Kind::kElement;
  advance();
  const bool before = std::exchange(no_greater_, false);
  for (;;) {
    add(*node, expression());
    if (!token_.is(",")) break;
    advance();
    skip_newlines();
  }
  no_greater_ = before;
  expect("]");
  return node;
}

NodePtr ExpressionParser::operand() {
  const Nesting nesting(*this);
  switch (token_.kind) {
    case Token::Kind::kNumber: {
      NodePtr node = make(Kind::kNumber);
      node->number = token_.number;
      advance();
      return node;
    }
    case Token::Kind::kText: {
      NodePtr node = make(Kind::kText);
      node->text = token_.text;
      advance();
      return node;
    }
    case Token::Kind::kName:
      return primary();
    case Token::Kind::kFunction:
      return call();
    case Token::Kind::kBuiltin:
      return builtin();
    default:
      break;
  }
  if (token_.is("/") || token_.is("/=")) return regex_literal();
  if (token_.is("(")) return group();
  if (token_.is("getline")) {
    NodePtr node = simple_getline();
    if (token_.is("<")) {
      advance();
      node->text = "<";
      node->parts[1] = postfix();
    }
    return node;
  }
  if (token_.is("$")) {
    NodePtr node = make(Kind::kField);
    advance();
    add(*node, operand());
    return node;
  }
  if (token_.is("++") || token_.is("--")) {
    NodePtr node = make(Kind::kIncrement);
    node->text = token_.text;
    node->prefix = true;
    advance();
    NodePtr place = operand();
    if (!is_place(*place)) unexpected();
    add(*node, std::move(place));
    return node;
  }
  if (token_.is("-") || token_.is("+") || token_.is("!")) return unary();
  unexpected();
}

NodePtr ExpressionParser::group() {
  advance();
  skip_newlines();
  const bool before = std::exchange(no_greater_, false);
  NodePtr first = expression();
  NodePtr node;
  while (token_.is(",")) {
    if (node == nullptr) {
      node = make(Kind::kGroup);
      add(*node, std::move(first));
    }
    advance();
    skip_newlines();
    add(*node, expression());
  }
  no_greater_ = before;
  skip_newlines();
  expect(")");
  if (node == nullptr) node = std::move(first);
  node->grouped = true;
  return node;
}

NodePtr ExpressionParser::regex_literal() {
  NodePtr node = make(Kind::kRegex);
  node->text = lexer_.regex(token_.is("/="));
  node->regex = Regex::compile(node->text, {.extended = true});
  if (!node->regex) throw Failure{"bad regex '" + node->text + "'", token_.line};
  advance();
  return node;
}

void ExpressionParser::arguments(Node& node) {
  expect("(");
  skip_newlines();
  const bool before = std::exchange(no_greater_, false);
  while (!token_.is(")")) {
    add(node, expression());
    skip_newlines();
    if (token_.is(",")) {
      advance();
      skip_newlines();
    } else if (!token_.is(")")) {
      unexpected();
    }
  }
  no_greater_ = before;
  advance();
}

NodePtr ExpressionParser::call() {
  NodePtr node = make(Kind::kCall);
  node->text = token_.text;
  node->waits = true;
  node->index = function_index(token_.text);
  advance();
  arguments(*node);
  node->waits = true;
  return node;
}

NodePtr ExpressionParser::builtin() {
  NodePtr node = make(Kind::kBuiltin);
  node->text = token_.text;
  advance();
  if (token_.is("(")) {
    arguments(*node);
  } else if (node->text != "length") {
    unexpected();
  }
  for (const char* name : {"system", "close", "fflush"}) {
    if (node->text == name) node->waits = true;
  }
  return node;
}

/// With its variable, if it has one; where from is its reader's.
NodePtr ExpressionParser::simple_getline() {
  NodePtr node = make(Kind::kGetline);
  advance();
  NodePtr place;
  if (token_.kind == Token::Kind::kName) {
    place = primary();
  } else if (token_.is("$")) {
    place = operand();
  }
  add(*node, std::move(place));
  node->parts.push_back(nullptr);
  node->waits = true;
  return node;
}

}  // namespace sandproof::machine::programs::awk
