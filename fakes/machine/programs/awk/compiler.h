// SPDX-License-Identifier: Apache-2.0
// Makes instructions of a program's tree. One thread at a time per object.
#pragma once

#include <cstddef>
#include <vector>

#include "fakes/machine/programs/awk/code.h"

namespace sandproof::machine::programs::awk {

class Compiler {
 public:
  /// Throws Failure for a regular expression that is none.
  static Code compile(const Program& program);

 private:
  explicit Compiler(const Program& program) : program_(program) {}

  // Statements: compiler.cc.
  void rules();
  void rule(const Rule& rule);
  void functions();
  void statement(const Statement& statement);
  void if_statement(const Statement& statement);
  void while_statement(const Statement& statement);
  void do_statement(const Statement& statement);
  void for_statement(const Statement& statement);
  void for_in_statement(const Statement& statement);
  void print_statement(const Statement& statement);
  void delete_statement(const Statement& statement);
  void jump_statement(const Statement& statement);

  // Expressions: compile_expression.cc.
  void expression(const Expr& expr);
  void constant(Value value);
  void place_key(const Expr& place);
  void list_key(const std::vector<ExprPtr>& parts);
  void two_way(const Expr& expr);
  void condition(const Expr& expr);
  void matches(const Expr& expr);
  void call(const Expr& expr);
  void getline(const Expr& expr);

  // Functions of awk: compile_builtin.cc.
  void builtin(const Expr& expr);
  void substitution(const Expr& expr);
  void split(const Expr& expr);
  /// A regular expression as it stands, or the string that becomes one.
  int pattern_argument(const Expr& expr);

  static Place place_of(const Expr& expr);
  int pattern(const std::string& text);
  Instruction& emit(Op op);
  int here() const { return static_cast<int>(code_.instructions.size()); }
  /// A jump whose target is set by land().
  int jump(Op op);
  void land(int jump) { code_.instructions[static_cast<std::size_t>(jump)].a = here(); }
  void land_all(const std::vector<int>& jumps) { send_all(jumps, here()); }
  void send_all(const std::vector<int>& jumps, int target);

  /// The jumps of a loop's body, whose targets are not known yet.
  struct Loop {
    std::vector<int> breaks;
    std::vector<int> continues;
  };
  Loop loop_body(const Statement& body);

  const Program& program_;
  Code code_;
  std::vector<Loop> loops_;
  int line_ = 1;
  bool in_function_ = false;
};

}  // namespace sandproof::machine::programs::awk
