// SPDX-License-Identifier: Apache-2.0
// Rules, functions and statements.
#include "fakes/machine/programs/awk/compiler.h"

#include <utility>

#include "fakes/machine/programs/awk/pattern.h"

namespace sandproof::machine::programs::awk {

Code Compiler::compile(const Program& program) {
  Compiler compiler(program);
  for (const Function& function : program.functions) {
    compiler.code_.functions.push_back({.name = function.name, .parameters = function.parameters});
  }
  compiler.rules();
  compiler.functions();
  compiler.code_.globals = program.globals;
  return std::move(compiler.code_);
}

Instruction& Compiler::emit(Op op) {
  Instruction instruction;
  instruction.op = op;
  instruction.line = line_;
  code_.instructions.push_back(instruction);
  return code_.instructions.back();
}

int Compiler::jump(Op op) {
  const int where = here();
  emit(op);
  return where;
}

void Compiler::send_all(const std::vector<int>& jumps, int target) {
  for (const int one : jumps) code_.instructions[static_cast<std::size_t>(one)].a = target;
}

Compiler::Loop Compiler::loop_body(const Statement& body) {
  loops_.emplace_back();
  statement(body);
  Loop loop = std::move(loops_.back());
  loops_.pop_back();
  return loop;
}

int Compiler::pattern(const std::string& text) {
  for (std::size_t i = 0; i < code_.patterns.size(); ++i) {
    if (code_.patterns[i].text == text) return static_cast<int>(i);
  }
  code_.patterns.push_back(compile_pattern(text, PatternFallback::kNone));
  return static_cast<int>(code_.patterns.size()) - 1;
}

void Compiler::rules() {
  code_.begin = here();
  for (const StatementPtr& block : program_.begin) statement(*block);
  emit(Op::kEnd);
  code_.main = here();
  code_.has_main = !program_.rules.empty();
  for (const Rule& one : program_.rules) rule(one);
  emit(Op::kEnd);
  code_.end = here();
  code_.has_end = !program_.end.empty();
  for (const StatementPtr& block : program_.end) statement(*block);
  emit(Op::kEnd);
}

void Compiler::rule(const Rule& rule) {
  line_ = rule.line;
  int skip = -1;
  if (rule.pattern_end) {
    const int range = static_cast<int>(code_.ranges++);
    const int inside = jump(Op::kJumpInRange);
    code_.instructions.back().b = range;
    expression(*rule.pattern);
    skip = jump(Op::kJumpIfFalse);
    Instruction& begun = emit(Op::kSetRange);
    begun.b = range;
    begun.flag = true;
    land(inside);
    expression(*rule.pattern_end);
    const int goes_on = jump(Op::kJumpIfFalse);
    emit(Op::kSetRange).b = range;
    land(goes_on);
  } else if (rule.pattern) {
    expression(*rule.pattern);
    skip = jump(Op::kJumpIfFalse);
  }
  if (rule.action) {
    statement(*rule.action);
  } else {
    emit(Op::kPrint);
  }
  if (skip >= 0) land(skip);
}

void Compiler::functions() {
  in_function_ = true;
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    if (!program_.functions[i].body) continue;
    code_.functions[i].begin = here();
    statement(*program_.functions[i].body);
    constant(Value());
    emit(Op::kReturn);
  }
}

void Compiler::statement(const Statement& statement) {
  line_ = statement.line;
  switch (statement.kind) {
    case StatementKind::kExpression:
      expression(*statement.exprs.front());
      emit(Op::kPop);
      return;
    case StatementKind::kPrint:
    case StatementKind::kPrintf:
      return print_statement(statement);
    case StatementKind::kIf:
      return if_statement(statement);
    case StatementKind::kWhile:
      return while_statement(statement);
    case StatementKind::kDo:
      return do_statement(statement);
    case StatementKind::kFor:
      return for_statement(statement);
    case StatementKind::kForIn:
      return for_in_statement(statement);
    case StatementKind::kBlock:
      for (const StatementPtr& one : statement.body) this->statement(*one);
      return;
    case StatementKind::kDelete:
      return delete_statement(statement);
    default:
      return jump_statement(statement);
  }
}

void Compiler::if_statement(const Statement& statement) {
  expression(*statement.exprs.front());
  const int otherwise = jump(Op::kJumpIfFalse);
  this->statement(*statement.body.front());
  if (statement.body.size() == 1) return land(otherwise);
  const int done = jump(Op::kJump);
  land(otherwise);
  this->statement(*statement.body.back());
  land(done);
}

void Compiler::while_statement(const Statement& statement) {
  const int top = here();
  expression(*statement.exprs.front());
  const int done = jump(Op::kJumpIfFalse);
  const Loop loop = loop_body(*statement.body.front());
  emit(Op::kJump).a = top;
  send_all(loop.continues, top);
  land(done);
  land_all(loop.breaks);
}

void Compiler::do_statement(const Statement& statement) {
  const int top = here();
  const Loop loop = loop_body(*statement.body.front());
  land_all(loop.continues);
  line_ = statement.line;
  expression(*statement.exprs.front());
  const int done = jump(Op::kJumpIfFalse);
  emit(Op::kJump).a = top;
  land(done);
  land_all(loop.breaks);
}

void Compiler::for_statement(const Statement& statement) {
  if (statement.body[0]) this->statement(*statement.body[0]);
  const int top = here();
  int done = -1;
  if (statement.exprs.front()) {
    expression(*statement.exprs.front());
    done = jump(Op::kJumpIfFalse);
  }
  const Loop loop = loop_body(*statement.body[2]);
  land_all(loop.continues);
  if (statement.body[1]) this->statement(*statement.body[1]);
  emit(Op::kJump).a = top;
  if (done >= 0) land(done);
  land_all(loop.breaks);
}

void Compiler::for_in_statement(const Statement& statement) {
  const Expr& variable = *statement.exprs[0];
  const Expr& array = *statement.exprs[1];
  emit(Op::kForBegin).place = {
      .kind = Place::Kind::kVariable, .local = array.local, .slot = array.slot};
  const int top = here();
  place_key(variable);
  const int done = jump(Op::kForNext);
  code_.instructions.back().place = place_of(variable);
  const Loop loop = loop_body(*statement.body.front());
  emit(Op::kJump).a = top;
  send_all(loop.continues, top);
  land(done);
  land_all(loop.breaks);
  emit(Op::kForEnd);
}

void Compiler::print_statement(const Statement& statement) {
  for (const ExprPtr& expr : statement.exprs) expression(*expr);
  if (statement.target) expression(*statement.target);
  Instruction& print = emit(statement.kind == StatementKind::kPrint ? Op::kPrint : Op::kPrintf);
  print.b = static_cast<int>(statement.exprs.size());
  print.redirect = statement.redirect;
  print.line = statement.line;
}

void Compiler::delete_statement(const Statement& statement) {
  const Expr& what = *statement.exprs.front();
  place_key(what);
  const bool element = what.kind == ExprKind::kElement;
  emit(element ? Op::kDelete : Op::kClear).place = place_of(what);
}

void Compiler::jump_statement(const Statement& statement) {
  const bool has_value = !statement.exprs.empty();
  switch (statement.kind) {
    case StatementKind::kBreak:
      loops_.back().breaks.push_back(jump(Op::kJump));
      return;
    case StatementKind::kContinue:
      loops_.back().continues.push_back(jump(Op::kJump));
      return;
    case StatementKind::kNext:
      emit(Op::kNext);
      return;
    case StatementKind::kNextFile:
      emit(Op::kNextFile);
      return;
    case StatementKind::kExit:
      if (has_value) expression(*statement.exprs.front());
      emit(Op::kExit).flag = has_value;
      return;
    default:
      if (has_value) {
        expression(*statement.exprs.front());
      } else {
        constant(Value());
      }
      // Outside of a function it ends the rule's turn.
      emit(in_function_ ? Op::kReturn : Op::kEnd);
      return;
  }
}

}  // namespace sandproof::machine::programs::awk
