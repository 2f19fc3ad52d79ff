// SPDX-License-Identifier: Apache-2.0
// A descent over the grammar of POSIX's awk: statements here, expressions in expressions.cc.
#include "fakes/machine/programs/awk/parser.h"

#include "fakes/machine/programs/awk/expressions.h"

namespace sandproof::machine::programs::awk {
namespace {

class ProgramParser : public ExpressionParser {
 public:
  explicit ProgramParser(std::string_view text) : ExpressionParser(text) {}

  Program parse_all() {
    skip_ends();
    while (token().kind != Token::Kind::kEnd) {
      item();
      skip_ends();
    }
    check_calls();
    return take_program();
  }

 private:
  void skip_newlines() {
    while (token().kind == Token::Kind::kNewline) advance();
  }
  void skip_ends() {
    while (token().kind == Token::Kind::kNewline || token().is(";")) advance();
  }

  void item() {
    if (token().is("function")) {
      function();
    } else if (token().is("BEGIN") || token().is("END")) {
      const bool begin = token().is("BEGIN");
      advance();
      (begin ? program().begin : program().end).push_back(block());
    } else {
      Rule rule;
      if (!token().is("{")) {
        rule.first = expression();
        if (token().is(",")) {
          advance();
          skip_newlines();
          rule.last = expression();
        }
      }
      if (token().is("{")) rule.body = block();
      program().rules.push_back(std::move(rule));
    }
  }

  void function() {
    advance();
    if (token().kind != Token::Kind::kFunction && token().kind != Token::Kind::kName) unexpected();
    const std::size_t index = function_index(token().text);
    advance();
    expect("(");
    locals().clear();
    while (!token().is(")")) {
      if (token().kind != Token::Kind::kName) unexpected();
      locals().push_back(token().text);
      advance();
      if (token().is(",")) {
        advance();
        skip_newlines();
      } else if (!token().is(")")) {
        unexpected();
      }
    }
    advance();
    skip_newlines();
    // A recursive call may have made the table grow.
    NodePtr body = block();
    Function& made = program().functions[index];
    made.parameters = locals().size();
    made.body = std::move(body);
    locals().clear();
  }

  void check_calls() {
    for (const Function& function : program().functions) {
      if (function.body == nullptr) throw Failure{"Call to undefined function", function.line};
    }
  }

  NodePtr block() {
    NodePtr node = make(Kind::kBlock);
    expect("{");
    skip_ends();
    while (!token().is("}")) {
      if (token().kind == Token::Kind::kEnd) unexpected();
      add(*node, statement());
      skip_ends();
    }
    advance();
    return node;
  }

  void end_of_statement() {
    if (token().is(";") || token().kind == Token::Kind::kNewline) {
      advance();
    } else if (!token().is("}") && token().kind != Token::Kind::kEnd) {
      unexpected();
    }
  }

  NodePtr statement() {
    const Nesting nesting(*this);
    if (token().is("{")) return block();
    if (token().is("if")) return if_statement();
    if (token().is("while")) return while_statement();
    if (token().is("do")) return do_statement();
    if (token().is("for")) return for_statement();
    if (token().is(";")) {
      advance();
      return make(Kind::kBlock);
    }
    NodePtr node = simple_statement();
    end_of_statement();
    return node;
  }

  NodePtr body() {
    skip_newlines();
    if (token().is(";")) {
      advance();
      return make(Kind::kBlock);
    }
    return statement();
  }

  NodePtr condition() {
    expect("(");
    NodePtr node = expression();
    expect(")");
    return node;
  }

  NodePtr if_statement() {
    NodePtr node = make(Kind::kIf);
    advance();
    add(*node, condition());
    add(*node, body());
    // The ends before an else belong to what comes before it.
    const Mark here = mark();
    skip_ends();
    if (token().is("else")) {
      advance();
      add(*node, body());
    } else {
      back_to(here);
    }
    return node;
  }

  NodePtr while_statement() {
    NodePtr node = make(Kind::kWhile);
    advance();
    add(*node, condition());
    add(*node, body());
    return node;
  }

  NodePtr do_statement() {
    NodePtr node = make(Kind::kDo);
    advance();
    NodePtr inner = body();
    skip_ends();
    if (!token().is("while")) unexpected();
    advance();
    add(*node, condition());
    add(*node, std::move(inner));
    end_of_statement();
    return node;
  }

  NodePtr for_statement() {
    NodePtr node = make(Kind::kFor);
    advance();
    expect("(");
    if (token().kind == Token::Kind::kName) {
      const Mark here = mark();
      NodePtr name = variable();
      if (token().is("in")) {
        advance();
        if (token().kind == Token::Kind::kName) {
          NodePtr array = variable();
          if (token().is(")")) {
            advance();
            node->kind = Kind::kForIn;
            add(*node, std::move(name));
            add(*node, std::move(array));
            add(*node, body());
            return node;
          }
        }
      }
      back_to(here);
    }
    add(*node, token().is(";") ? nullptr : simple_statement());
    expect(";");
    skip_newlines();
    add(*node, token().is(";") ? nullptr : expression());
    expect(";");
    skip_newlines();
    add(*node, token().is(")") ? nullptr : simple_statement());
    expect(")");
    add(*node, body());
    return node;
  }

  bool at_end_of_statement() const {
    return token().is(";") || token().is("}") || token().kind == Token::Kind::kNewline ||
           token().kind == Token::Kind::kEnd;
  }

  NodePtr keyword(Kind kind, bool with_value) {
    NodePtr node = make(kind);
    advance();
    if (with_value && !at_end_of_statement()) add(*node, expression());
    return node;
  }

  NodePtr simple_statement() {
    if (token().is("print") || token().is("printf")) return print_statement();
    if (token().is("next")) return keyword(Kind::kNext, false);
    if (token().is("break")) return keyword(Kind::kBreak, false);
    if (token().is("continue")) return keyword(Kind::kContinue, false);
    if (token().is("exit")) return keyword(Kind::kExit, true);
    if (token().is("return")) return keyword(Kind::kReturn, true);
    if (token().is("delete")) {
      NodePtr node = make(Kind::kDelete);
      advance();
      if (token().kind != Token::Kind::kName) unexpected();
      add(*node, primary());
      return node;
    }
    NodePtr node = make(Kind::kExpression);
    add(*node, expression());
    return node;
  }

  NodePtr print_statement() {
    NodePtr node = make(token().is("print") ? Kind::kPrint : Kind::kPrintf);
    advance();
    node->waits = true;
    const bool nothing =
        at_end_of_statement() || token().is(">") || token().is(">>") || token().is("|");
    if (!nothing) print_values(*node);
    if (token().is(">") || token().is(">>") || token().is("|")) {
      node->text = token().text;
      advance();
      add(*node, expression_without_greater());
    }
    return node;
  }

  /// A list in parentheses, or without them, in which ">" is no comparison.
  void print_values(Node& node) {
    NodePtr first = expression_without_greater();
    if (first->kind == Kind::kGroup) {
      for (NodePtr& part : first->parts) add(node, std::move(part));
      return;
    }
    add(node, std::move(first));
    while (token().is(",")) {
      advance();
      skip_newlines();
      add(node, expression_without_greater());
    }
  }
};

}  // namespace

Program parse(std::string_view text) { return ProgramParser(text).parse_all(); }

}  // namespace sandproof::machine::programs::awk
