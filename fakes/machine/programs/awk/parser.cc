// SPDX-License-Identifier: Apache-2.0
// Rules, functions and statements.
#include "fakes/machine/programs/awk/parser.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/limits.h"

namespace sandproof::machine::programs::awk {
namespace {

constexpr std::array<const char*, kSpecials> kSpecialNames = {
    "CONVFMT", "OFMT", "FS",    "OFS", "ORS", "RS", "RT",         "FILENAME", "SUBSEP", "ARGIND",
    "ARGC",    "ARGV", "ERRNO", "FNR", "NR",  "NF", "IGNORECASE", "ENVIRON",  "RSTART", "RLENGTH"};

}  // namespace

Program empty_program() {
  Program program;
  program.globals.assign(kSpecialNames.begin(), kSpecialNames.end());
  return program;
}

int global_slot(Program& program, const std::string& name) {
  const auto found = std::find(program.globals.begin(), program.globals.end(), name);
  const auto slot = static_cast<int>(found - program.globals.begin());
  if (found == program.globals.end()) program.globals.push_back(name);
  return slot;
}

Parser::Nesting::Nesting(Parser& parser) : parser_(parser) {
  if (++parser_.nesting_ > kMaxNesting) {
    throw Failure(
        "The program is nested more than " + std::to_string(kMaxNesting) + " deep; take it apart",
        parser.token_.line);
  }
}

Parser::Parser(const std::string& source, Program& program) : program_(program), lexer_(source) {
  for (std::size_t i = 0; i < program.globals.size(); ++i) {
    globals_[program.globals[i]] = static_cast<int>(i);
  }
}

void Parser::parse() {
  advance();
  skip_newlines();
  while (token_.kind != TokenKind::kEnd) {
    item();
    while (token_.kind == TokenKind::kNewline || token_.is_mark(";")) advance();
  }
}

void Parser::advance() {
  after_newline_ = token_.kind == TokenKind::kNewline;
  token_ = lexer_.next();
}

bool Parser::take_mark(std::string_view mark) {
  if (!token_.is_mark(mark)) return false;
  advance();
  return true;
}

bool Parser::take_keyword(std::string_view word) {
  if (!token_.is_keyword(word)) return false;
  advance();
  return true;
}

void Parser::expect_mark(std::string_view mark) {
  if (!take_mark(mark)) unexpected();
}

void Parser::skip_newlines() {
  while (token_.kind == TokenKind::kNewline) advance();
}

void Parser::unexpected() const { throw Failure("Unexpected token", token_.line); }

bool Parser::next_is_keyword(std::string_view word) {
  const Lexer::Place here = lexer_.place();
  const Token next = lexer_.next();
  lexer_.go_back(here);
  return next.is_keyword(word);
}

void Parser::item() {
  if (take_keyword("BEGIN")) {
    program_.begin.push_back(block());
    return;
  }
  if (take_keyword("END")) {
    program_.end.push_back(block());
    return;
  }
  if (take_keyword("function") || take_keyword("func")) {
    function();
    return;
  }
  Rule rule;
  rule.line = token_.line;
  if (!token_.is_mark("{")) {
    rule.pattern = expression();
    if (take_mark(",")) {
      skip_newlines();
      rule.pattern_end = expression();
    }
  }
  if (token_.is_mark("{")) {
    rule.action = block();
  } else if (!at_end_of_statement()) {
    unexpected();
  }
  program_.rules.push_back(std::move(rule));
}

void Parser::function() {
  if (token_.kind != TokenKind::kName && token_.kind != TokenKind::kCall) unexpected();
  const std::string name = token_.text;
  const int line = token_.line;
  advance();
  const auto known = std::find_if(program_.functions.begin(), program_.functions.end(),
                                  [&](const Function& one) { return one.name == name; });
  if (known != program_.functions.end() && known->body) throw Failure("Duplicate function", line);
  const auto slot = static_cast<std::size_t>(known - program_.functions.begin());
  if (known == program_.functions.end()) program_.functions.push_back({.name = name, .body = {}});
  expect_mark("(");
  int count = 0;
  while (token_.kind == TokenKind::kName) {
    // The last of two with one name is the one that is seen.
    locals_[token_.text] = count++;
    advance();
    if (!take_mark(",")) break;
    skip_newlines();
    if (token_.kind != TokenKind::kName) unexpected();
  }
  expect_mark(")");
  skip_newlines();
  program_.functions[slot].parameters = static_cast<std::size_t>(count);
  StatementPtr body = block();
  program_.functions[slot].body = std::move(body);
  locals_.clear();
}

StatementPtr Parser::make_statement(StatementKind kind) const {
  auto made = std::make_unique<Statement>();
  made->kind = kind;
  made->line = token_.line;
  return made;
}

bool Parser::at_end_of_statement() const {
  return token_.kind == TokenKind::kNewline || token_.kind == TokenKind::kEnd ||
         token_.is_mark(";") || token_.is_mark("}");
}

void Parser::end_of_statement() {
  if (!at_end_of_statement() || token_.kind == TokenKind::kEnd) unexpected();
  if (!token_.is_mark("}")) advance();
  skip_newlines();
}

StatementPtr Parser::block() {
  const Nesting nesting(*this);
  StatementPtr made = make_statement(StatementKind::kBlock);
  expect_mark("{");
  skip_newlines();
  while (!token_.is_mark("}")) {
    if (token_.kind == TokenKind::kEnd && after_newline_ && !made->body.empty()) {
      throw Failure("Unexpected end of string", token_.line);
    }
    made->body.push_back(statement());
  }
  advance();
  return made;
}

StatementPtr Parser::statement() {
  const Nesting nesting(*this);
  if (token_.is_mark("{")) {
    StatementPtr made = block();
    skip_newlines();
    return made;
  }
  if (token_.is_mark(";")) {
    StatementPtr made = make_statement(StatementKind::kBlock);
    end_of_statement();
    return made;
  }
  if (token_.kind == TokenKind::kKeyword) return keyword_statement();
  StatementPtr made = simple_statement();
  end_of_statement();
  return made;
}

StatementPtr Parser::keyword_statement() {
  if (token_.is_keyword("if")) return if_statement();
  if (token_.is_keyword("while")) return while_statement();
  if (token_.is_keyword("do")) return do_statement();
  if (token_.is_keyword("for")) return for_statement();
  StatementPtr made = simple_statement();
  end_of_statement();
  return made;
}

StatementPtr Parser::if_statement() {
  StatementPtr made = make_statement(StatementKind::kIf);
  advance();
  expect_mark("(");
  made->exprs.push_back(expression());
  expect_mark(")");
  skip_newlines();
  made->body.push_back(statement());
  while (token_.is_mark(";") && next_is_keyword("else")) advance();
  if (take_keyword("else")) {
    skip_newlines();
    made->body.push_back(statement());
  }
  return made;
}

StatementPtr Parser::loop_body() {
  ++loops_;
  skip_newlines();
  StatementPtr made = statement();
  --loops_;
  return made;
}

StatementPtr Parser::while_statement() {
  StatementPtr made = make_statement(StatementKind::kWhile);
  advance();
  expect_mark("(");
  made->exprs.push_back(expression());
  expect_mark(")");
  made->body.push_back(loop_body());
  return made;
}

StatementPtr Parser::do_statement() {
  StatementPtr made = make_statement(StatementKind::kDo);
  advance();
  made->body.push_back(loop_body());
  while (token_.is_mark(";")) advance();
  skip_newlines();
  if (!take_keyword("while")) unexpected();
  expect_mark("(");
  made->exprs.push_back(expression());
  expect_mark(")");
  end_of_statement();
  return made;
}

StatementPtr Parser::for_statement() {
  StatementPtr made = make_statement(StatementKind::kFor);
  advance();
  expect_mark("(");
  StatementPtr first;
  if (!token_.is_mark(";")) first = simple_statement();
  // `(k in a)` was read as an expression.
  if (first && first->kind == StatementKind::kExpression && token_.is_mark(")")) {
    Expr& in = *first->exprs.front();
    if (in.kind != ExprKind::kIn || in.parts.size() != 1 || !in.parts.front()->is_place()) {
      unexpected();
    }
    made->kind = StatementKind::kForIn;
    made->exprs.push_back(std::move(in.parts.front()));
    made->exprs.push_back(std::move(first->exprs.front()));
    advance();
    made->body.push_back(loop_body());
    return made;
  }
  expect_mark(";");
  skip_newlines();
  ExprPtr condition;
  if (!token_.is_mark(";")) condition = expression();
  made->exprs.push_back(std::move(condition));
  expect_mark(";");
  skip_newlines();
  StatementPtr step;
  if (!token_.is_mark(")")) step = simple_statement();
  expect_mark(")");
  made->body.push_back(std::move(first));
  made->body.push_back(std::move(step));
  made->body.push_back(loop_body());
  return made;
}

StatementPtr Parser::simple_statement() {
  if (take_keyword("print")) return print_statement(StatementKind::kPrint);
  if (take_keyword("printf")) return print_statement(StatementKind::kPrintf);
  if (token_.kind == TokenKind::kKeyword && !token_.is_keyword("getline")) return jump_statement();
  StatementPtr made = make_statement(StatementKind::kExpression);
  made->exprs.push_back(expression());
  return made;
}

StatementPtr Parser::jump_statement() {
  struct Row {
    std::string_view word;
    StatementKind kind;
  };
  constexpr std::array<Row, 7> kRows = {{{"next", StatementKind::kNext},
                                         {"nextfile", StatementKind::kNextFile},
                                         {"exit", StatementKind::kExit},
                                         {"return", StatementKind::kReturn},
                                         {"break", StatementKind::kBreak},
                                         {"continue", StatementKind::kContinue},
                                         {"delete", StatementKind::kDelete}}};
  const auto* const row = std::find_if(kRows.begin(), kRows.end(),
                                       [this](const Row& one) { return one.word == token_.text; });
  if (row == kRows.end()) unexpected();
  StatementPtr made = make_statement(row->kind);
  if ((row->kind == StatementKind::kBreak || row->kind == StatementKind::kContinue) &&
      loops_ == 0) {
    throw Failure("'" + token_.text + "' not in a loop", token_.line);
  }
  advance();
  if (row->kind == StatementKind::kDelete) {
    made->exprs.push_back(place());
    if (made->exprs.front()->kind == ExprKind::kField) unexpected();
  } else if (row->kind == StatementKind::kExit || row->kind == StatementKind::kReturn) {
    if (!at_end_of_statement()) made->exprs.push_back(expression());
  }
  return made;
}

StatementPtr Parser::print_statement(StatementKind kind) {
  StatementPtr made = make_statement(kind);
  const auto at_redirection = [this] {
    return token_.is_mark(">") || token_.is_mark(">>") || token_.is_mark("|");
  };
  if (!at_end_of_statement() && !at_redirection()) made->exprs = list(Within::kPrint);
  // print (a, b): the parentheses are the statement's.
  if (made->exprs.size() == 1 && made->exprs.front()->kind == ExprKind::kList) {
    std::vector<ExprPtr> parts = std::move(made->exprs.front()->parts);
    made->exprs = std::move(parts);
  }
  if (!at_redirection()) return made;
  made->redirect = token_.is_mark(">")    ? Redirect::kFile
                   : token_.is_mark(">>") ? Redirect::kAppend
                                          : Redirect::kPipe;
  advance();
  made->target = expression();
  return made;
}

}  // namespace sandproof::machine::programs::awk
