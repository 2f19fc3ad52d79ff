// SPDX-License-Identifier: Apache-2.0
// Makes a tree of a program's text: the grammar of POSIX.1-2017 XCU awk, with what busybox has
// beyond it (**, func, nextfile, delete of all, functions). Where busybox refuses what POSIX allows
// (`||` in a print without parentheses, `$1++`) this does not. One thread at a time per object.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "fakes/machine/programs/awk/ast.h"
#include "fakes/machine/programs/awk/lexer.h"

namespace sandproof::machine::programs::awk {

/// The slot of a global variable, made where it is not there.
int global_slot(Program& program, const std::string& name);
/// A program with the special variables and nothing else.
Program empty_program();

class Parser {
 public:
  /// Adds what the text has to the program. Both are borrowed.
  Parser(const std::string& source, Program& program);
  /// Throws Failure with the line.
  void parse();

 private:
  // What may not stand in an expression because of what is around it.
  enum class Within : unsigned char {
    kAnything,
    kPrint,  // Where '>' redirects.
  };
  class Nesting;

  // Tokens.
  const Token& token() const { return token_; }
  void advance();
  bool take_mark(std::string_view mark);
  bool take_keyword(std::string_view word);
  void expect_mark(std::string_view mark);
  void skip_newlines();
  [[noreturn]] void unexpected() const;
  bool next_is_keyword(std::string_view word);

  // Items and statements: parser.cc.
  void item();
  void function();
  StatementPtr block();
  StatementPtr statement();
  StatementPtr keyword_statement();
  StatementPtr if_statement();
  StatementPtr while_statement();
  StatementPtr do_statement();
  StatementPtr for_statement();
  StatementPtr jump_statement();
  StatementPtr print_statement(StatementKind kind);
  StatementPtr simple_statement();
  StatementPtr loop_body();
  void end_of_statement();
  bool at_end_of_statement() const;
  StatementPtr make_statement(StatementKind kind) const;

  // Expressions: parse_expression.cc.
  ExprPtr expression(Within within = Within::kAnything);
  ExprPtr disjunction(Within within);
  ExprPtr conjunction(Within within);
  ExprPtr membership(Within within);
  ExprPtr matching(Within within);
  ExprPtr comparison(Within within);
  ExprPtr piped_getline(Within within);
  ExprPtr concatenation(Within within);
  ExprPtr sum(Within within);
  ExprPtr product(Within within);
  ExprPtr unary(Within within);
  ExprPtr power(Within within);
  ExprPtr postfix(Within within);

  // Operands: parse_operand.cc.
  ExprPtr primary();
  ExprPtr parenthesized();
  ExprPtr place();
  ExprPtr variable(const Token& name);
  ExprPtr call(const Token& name);
  ExprPtr builtin();
  ExprPtr getline();
  bool begins_operand() const;
  std::vector<ExprPtr> list(Within within);
  ExprPtr make(ExprKind kind) const;
  static ExprPtr with(ExprPtr parent, ExprPtr part);

  Program& program_;
  Lexer lexer_;
  Token token_;
  bool after_newline_ = false;  // The token before was a newline.
  std::map<std::string, int, std::less<>> locals_;
  std::map<std::string, int, std::less<>> globals_;
  int loops_ = 0;
  int nesting_ = 0;
};

class Parser::Nesting {
 public:
  explicit Nesting(Parser& parser);
  ~Nesting() { --parser_.nesting_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  Parser& parser_;
};

}  // namespace sandproof::machine::programs::awk
