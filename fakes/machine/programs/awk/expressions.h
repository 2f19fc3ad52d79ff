// SPDX-License-Identifier: Apache-2.0
// Expressions of awk, read: the part of the parser below statements.
#pragma once

#include "fakes/machine/programs/awk/ast.h"
#include "fakes/machine/programs/awk/lexer.h"

namespace sandproof::machine::programs::awk {

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : lexer_(text), token_(lexer_.next()) {}

 protected:
  /// A place in the program to come back to.
  struct Mark {
    Lexer lexer;
    Token token;
  };
  /// Deeper than anybody nests by hand: the parser is a descent, and so is what runs its trees.
  static constexpr int kMaxNesting = 200;
  class Nesting {
   public:
    explicit Nesting(ExpressionParser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxNesting) throw Failure{"Nested too deep", parser_.token_.line};
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    ExpressionParser& parser_;
  };

  const Token& token() const { return token_; }
  void advance() { token_ = lexer_.next(); }
  Mark mark() const { return {lexer_, token_}; }
  void back_to(const Mark& mark) {
    lexer_ = mark.lexer;
    token_ = mark.token;
  }
  [[noreturn]] void unexpected() const { throw Failure{"Unexpected token", token_.line}; }
  void expect(std::string_view mark) {
    if (!token_.is(mark)) unexpected();
    advance();
  }
  NodePtr make(Kind kind) const;
  /// Takes over whether it waits.
  static void add(Node& node, NodePtr part);

  NodePtr expression();
  NodePtr expression_without_greater();
  NodePtr concatenation();
  NodePtr primary();
  NodePtr variable();

  Program& program() { return program_; }
  Program take_program() { return std::move(program_); }
  std::vector<std::string>& locals() { return locals_; }
  std::size_t function_index(const std::string& name);

 private:
  void skip_newlines() {
    while (token_.kind == Token::Kind::kNewline) advance();
  }
  NodePtr condition();
  NodePtr either();
  NodePtr both();
  NodePtr membership();
  NodePtr match();
  NodePtr comparison();
  NodePtr sum();
  NodePtr product();
  NodePtr unary();
  NodePtr power();
  NodePtr postfix();
  NodePtr operand();
  NodePtr group();
  NodePtr regex_literal();
  NodePtr builtin();
  NodePtr call();
  NodePtr simple_getline();
  NodePtr binary(Kind kind, std::string text, NodePtr left, NodePtr right);
  void arguments(Node& node);
  bool begins_operand() const;
  static bool is_place(const Node& node);

  Lexer lexer_;
  Token token_;
  Program program_;
  std::vector<std::string> locals_;
  std::map<std::string, std::size_t> function_names_;
  int depth_ = 0;
  bool no_greater_ = false;
};

}  // namespace sandproof::machine::programs::awk
