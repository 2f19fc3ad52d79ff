// SPDX-License-Identifier: Apache-2.0
// Expressions: each leaves one value on the stack.
#include <utility>

#include "fakes/machine/programs/awk/compiler.h"

namespace sandproof::machine::programs::awk {

Place Compiler::place_of(const Expr& expr) {
  Place place;
  place.local = expr.local;
  place.slot = expr.slot;
  place.kind = expr.kind == ExprKind::kField     ? Place::Kind::kField
               : expr.kind == ExprKind::kElement ? Place::Kind::kElement
                                                 : Place::Kind::kVariable;
  return place;
}

void Compiler::constant(Value value) {
  code_.constants.push_back(std::move(value));
  emit(Op::kConstant).a = static_cast<int>(code_.constants.size()) - 1;
}

void Compiler::list_key(const std::vector<ExprPtr>& parts) {
  for (const ExprPtr& part : parts) expression(*part);
  if (parts.size() > 1) emit(Op::kJoin).a = static_cast<int>(parts.size());
}

void Compiler::place_key(const Expr& place) {
  if (place.kind != ExprKind::kVariable) list_key(place.parts);
}

void Compiler::expression(const Expr& expr) {
  line_ = expr.line;
  switch (expr.kind) {
    case ExprKind::kNumber:
      return constant(Value::number(expr.number));
    case ExprKind::kString:
      return constant(Value::string(expr.text));
    case ExprKind::kRegex:
      emit(Op::kMatchRecord).a = pattern(expr.text);
      return;
    case ExprKind::kVariable:
    case ExprKind::kField:
    case ExprKind::kElement:
      place_key(expr);
      emit(Op::kLoad).place = place_of(expr);
      return;
    case ExprKind::kList:
      return list_key(expr.parts);
    case ExprKind::kNegate:
    case ExprKind::kPlus:
    case ExprKind::kNot:
      expression(*expr.parts.front());
      emit(expr.kind == ExprKind::kNegate ? Op::kNegate
           : expr.kind == ExprKind::kPlus ? Op::kPlus
                                          : Op::kNot);
      return;
    case ExprKind::kCall:
      return call(expr);
    case ExprKind::kBuiltin:
      return builtin(expr);
    case ExprKind::kGetline:
      return getline(expr);
    default:
      return two_way(expr);
  }
}

void Compiler::two_way(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kBinary:
      expression(*expr.parts[0]);
      expression(*expr.parts[1]);
      line_ = expr.line;
      emit(Op::kOperate).operation = expr.operation;
      return;
    case ExprKind::kAnd:
    case ExprKind::kOr:
    case ExprKind::kCondition:
      return condition(expr);
    case ExprKind::kMatches:
      return matches(expr);
    case ExprKind::kIn:
      list_key(expr.parts);
      emit(Op::kIn).place = {
          .kind = Place::Kind::kVariable, .local = expr.local, .slot = expr.slot};
      return;
    case ExprKind::kAssign: {
      place_key(*expr.parts[0]);
      expression(*expr.parts[1]);
      line_ = expr.line;
      Instruction& store = emit(expr.operation == Operation::kNone ? Op::kStore : Op::kUpdate);
      store.operation = expr.operation;
      store.place = place_of(*expr.parts[0]);
      return;
    }
    default: {  // kIncrement
      place_key(*expr.parts[0]);
      Instruction& increment = emit(Op::kIncrement);
      increment.place = place_of(*expr.parts[0]);
      increment.a = expr.number < 0 ? -1 : 1;
      increment.flag = expr.flag;
      return;
    }
  }
}

void Compiler::condition(const Expr& expr) {
  expression(*expr.parts[0]);
  if (expr.kind == ExprKind::kCondition) {
    const int otherwise = jump(Op::kJumpIfFalse);
    expression(*expr.parts[1]);
    const int done = jump(Op::kJump);
    land(otherwise);
    expression(*expr.parts[2]);
    land(done);
    return;
  }
  const bool is_and = expr.kind == ExprKind::kAnd;
  const int decided = jump(is_and ? Op::kJumpIfFalse : Op::kJumpIfTrue);
  expression(*expr.parts[1]);
  emit(Op::kTruth);
  const int done = jump(Op::kJump);
  land(decided);
  constant(Value::truth(!is_and));
  land(done);
}

void Compiler::matches(const Expr& expr) {
  expression(*expr.parts[0]);
  const int regex = pattern_argument(*expr.parts[1]);
  Instruction& match = emit(Op::kMatch);
  match.a = regex;
  match.flag = expr.flag;
}

void Compiler::call(const Expr& expr) {
  const CodeFunction& function = code_.functions[static_cast<std::size_t>(expr.slot)];
  for (const ExprPtr& part : expr.parts) {
    // A bare variable may be an array, also one that nothing has made one yet.
    if (part->kind == ExprKind::kVariable) {
      emit(Op::kArgument).place = place_of(*part);
    } else {
      expression(*part);
    }
  }
  // What the function does not take was evaluated, and is dropped.
  std::size_t count = expr.parts.size();
  for (; count > function.parameters; --count) emit(Op::kPop);
  line_ = expr.line;
  Instruction& made = emit(Op::kCall);
  made.a = expr.slot;
  made.b = static_cast<int>(count);
}

void Compiler::getline(const Expr& expr) {
  const Expr* const where = expr.parts[0].get();
  const Expr* const source = expr.parts[1].get();
  if (where != nullptr) place_key(*where);
  if (source != nullptr) expression(*source);
  line_ = expr.line;
  Instruction& made = emit(Op::kGetline);
  if (where != nullptr) made.place = place_of(*where);
  made.flag = expr.flag;
  made.b = source != nullptr ? 1 : 0;
}

}  // namespace sandproof::machine::programs::awk
