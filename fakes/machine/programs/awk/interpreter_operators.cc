// SPDX-License-Identifier: Apache-2.0
// Operators, assignments, arrays and matches.
#include <strings.h>

#include <cmath>
#include <utility>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/interpreter.h"
#include "fakes/machine/programs/awk/limits.h"

namespace sandproof::machine::programs::awk {

void Interpreter::place_step(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::kLoad:
      push(load(target(instruction.place)));
      return;
    case Op::kArgument:
      push(load(target(instruction.place)), &cell(instruction.place));
      return;
    case Op::kStore: {
      Value value = pop();
      store(target(instruction.place), value);
      push(std::move(value));
      return;
    }
    case Op::kUpdate: {
      const Value right = pop();
      const Target where = target(instruction.place);
      const Value left = load(where);
      Value value = result_of(instruction.operation, left, right);
      store(where, value);
      push(std::move(value));
      return;
    }
    case Op::kIncrement: {
      const Target where = target(instruction.place);
      const double before = load(where).to_number();
      store(where, Value::number(before + instruction.a));
      push(Value::number(instruction.flag ? before : before + instruction.a));
      return;
    }
    case Op::kIn: {
      const std::string key = pop_text();
      push(Value::truth(array(instruction.place).contains(key)));
      return;
    }
    case Op::kDelete: {
      const Target where = target(instruction.place);
      array(where.place).erase(where.key);
      return;
    }
    default:  // kClear
      array(instruction.place).clear();
  }
}

void Interpreter::operate(const Instruction& instruction) {
  Value right = pop();
  switch (instruction.op) {
    case Op::kNegate:
      return push(Value::number(-right.to_number()));
    case Op::kPlus:
      return push(Value::number(right.to_number()));
    case Op::kNot:
      return push(Value::truth(!right.is_true()));
    case Op::kTruth:
      return push(Value::truth(right.is_true()));
    default: {
      const Value left = pop();
      push(result_of(instruction.operation, left, right));
    }
  }
}

Value Interpreter::result_of(Operation operation, const Value& left, const Value& right) {
  if (operation == Operation::kConcatenate) {
    std::string text = left.to_text(conversion_);
    text += right.to_text(conversion_);
    if (text.size() > kMaxTextBytes) throw RunFailure("A string is longer than awk may make one");
    return Value::string(std::move(text));
  }
  if (operation >= Operation::kLess) return Value::truth(compares(operation, left, right));
  const double one = left.to_number();
  const double other = right.to_number();
  switch (operation) {
    case Operation::kAdd:
      return Value::number(one + other);
    case Operation::kSubtract:
      return Value::number(one - other);
    case Operation::kMultiply:
      return Value::number(one * other);
    case Operation::kPower:
      return Value::number(std::pow(one, other));
    default:
      if (other == 0) throw RunFailure("Division by zero");
      return Value::number(operation == Operation::kDivide ? one / other : std::fmod(one, other));
  }
}

bool Interpreter::compares(Operation operation, const Value& left, const Value& right) const {
  double difference = 0;
  if (left.is_numeric() && right.is_numeric()) {
    // As busybox: infinities are not equal to themselves.
    difference = left.to_number() - right.to_number();
  } else {
    const std::string one = left.to_text(conversion_);
    const std::string other = right.to_text(conversion_);
    const bool ignore_case = globals_[kIgnorecase].value.is_true();
    difference = ignore_case ? ::strcasecmp(one.c_str(), other.c_str()) : one.compare(other);
  }
  switch (operation) {
    case Operation::kLess:
      return !(difference >= 0);
    case Operation::kLessEqual:
      return !(difference > 0);
    case Operation::kEqual:
      return difference == 0;
    case Operation::kNotEqual:
      return difference != 0;
    case Operation::kGreater:
      return difference > 0;
    default:
      return difference >= 0;
  }
}

const Pattern& Interpreter::pattern_at(int which) {
  if (which >= 0) return code_.patterns[static_cast<std::size_t>(which)];
  return patterns_.get(pop_text());
}

void Interpreter::match_step(const Instruction& instruction) {
  const Regex& regex = regex_of(pattern_at(instruction.a), ignores_case());
  const std::string text =
      instruction.op == Op::kMatchRecord ? record_.field(0).to_text(conversion_) : pop_text();
  push(Value::truth(regex.matches(text) != instruction.flag));
}

void Interpreter::join(int count) {
  std::string key;
  for (const Value& part : pop_values(count)) {
    key += part.to_text(conversion_) + key_separator_;
  }
  key.resize(key.size() - key_separator_.size());
  push(Value::string(std::move(key)));
}

}  // namespace sandproof::machine::programs::awk
