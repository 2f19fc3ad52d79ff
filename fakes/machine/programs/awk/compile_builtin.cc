// SPDX-License-Identifier: Apache-2.0
// Calls of the functions of awk: some take a regular expression, an array, or a place.
#include "fakes/machine/programs/awk/compiler.h"

namespace sandproof::machine::programs::awk {

int Compiler::pattern_argument(const Expr& expr) {
  if (expr.kind == ExprKind::kRegex) return pattern(expr.text);
  expression(expr);
  return -1;
}

void Compiler::builtin(const Expr& expr) {
  switch (expr.builtin) {
    case Builtin::kSub:
    case Builtin::kGsub:
    case Builtin::kGensub:
      return substitution(expr);
    case Builtin::kSplit:
      return split(expr);
    case Builtin::kMatch: {
      expression(*expr.parts[0]);
      const int regex = pattern_argument(*expr.parts[1]);
      Instruction& call = emit(Op::kBuiltin);
      call.builtin = expr.builtin;
      call.a = regex;
      return;
    }
    default:
      break;
  }
  // length(a) of a variable that is an array counts it.
  const bool of_variable = expr.builtin == Builtin::kLength && expr.parts.size() == 1 &&
                           expr.parts.front()->kind == ExprKind::kVariable;
  Place place;
  if (of_variable) place = place_of(*expr.parts.front());
  for (const ExprPtr& part : expr.parts) {
    if (!of_variable) expression(*part);
  }
  line_ = expr.line;
  Instruction& call = emit(Op::kBuiltin);
  call.builtin = expr.builtin;
  call.b = of_variable ? 0 : static_cast<int>(expr.parts.size());
  call.place = place;
}

/// The key of the place, the text by which, then for gensub how many and of what.
void Compiler::substitution(const Expr& expr) {
  const bool general = expr.builtin == Builtin::kGensub;
  const std::size_t which = general ? 3 : 2;
  const Expr* const target = expr.parts.size() > which ? expr.parts[which].get() : nullptr;
  const bool into_place = !general && target != nullptr && target->is_place();
  if (into_place) place_key(*target);
  const int regex = pattern_argument(*expr.parts[0]);
  expression(*expr.parts[1]);
  if (general) expression(*expr.parts[2]);
  // What is no place is changed, counted and forgotten.
  const bool of_value = target != nullptr && !into_place;
  if (of_value) expression(*target);
  line_ = expr.line;
  Instruction& call = emit(Op::kBuiltin);
  call.builtin = expr.builtin;
  call.a = regex;
  call.flag = of_value;
  if (into_place) call.place = place_of(*target);
}

void Compiler::split(const Expr& expr) {
  expression(*expr.parts[0]);
  const Expr& array = *expr.parts[1];
  Place place = place_of(array);
  if (array.kind != ExprKind::kVariable) place.kind = Place::Kind::kNone;
  int regex = -1;
  const bool has_separator = expr.parts.size() > 2;
  if (has_separator) regex = pattern_argument(*expr.parts[2]);
  line_ = expr.line;
  Instruction& call = emit(Op::kBuiltin);
  call.builtin = expr.builtin;
  call.place = place;
  call.a = regex;
  call.b = has_separator ? 1 : 0;
}

}  // namespace sandproof::machine::programs::awk
