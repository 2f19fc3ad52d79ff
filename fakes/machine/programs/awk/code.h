// SPDX-License-Identifier: Apache-2.0
// A program of awk as instructions of a machine with a stack: the interpreter runs them in one
// coroutine, so that neither calls nor expressions take the host's stack. Values.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fakes/machine/programs/awk/ast.h"
#include "fakes/machine/programs/awk/value.h"
#include "fakes/machine/programs/support/regex.h"

namespace sandproof::machine::programs::awk {

/// Where a value is kept. The number of a field or the key of an element is on the stack.
struct Place {
  enum class Kind : unsigned char { kNone, kVariable, kField, kElement };
  Kind kind = Kind::kNone;
  bool local = false;
  int slot = 0;
};

enum class Op : unsigned char {
  kConstant,   // a: which
  kLoad,       // place
  kArgument,   // place: a variable for a call, which may be an array
  kStore,      // place; value stays
  kUpdate,     // place; operation with the value on the stack
  kIncrement,  // place; a: by how much; flag: gives the value before
  kPop,
  kOperate,  // operation
  kNegate,
  kPlus,
  kNot,
  kTruth,        // Of the value: 0 or 1.
  kMatch,        // a: regex or -1, then it is on the stack; flag: negated
  kMatchRecord,  // a: regex
  kIn,           // place: array; key on the stack
  kJoin,         // a keys become one
  kJump,         // a: to
  kJumpIfFalse,
  kJumpIfTrue,
  kJumpInRange,  // a: to; b: range
  kSetRange,     // b: range; flag
  kDelete,       // place
  kClear,        // place: the whole array
  kForBegin,     // place: array
  kForNext,      // place: variable; a: to, where there is no more
  kForEnd,
  kCall,     // a: function; b: arguments
  kReturn,   // The value on the stack.
  kBuiltin,  // b: arguments; place and a: array and regex, where the function has them
  kPrint,    // b: values; redirect
  kPrintf,
  kGetline,  // place; flag: from a command; b: 1 where a file or command is on the stack
  kNext,
  kNextFile,
  kExit,  // flag: the status is on the stack
  kEnd,
};

struct Instruction {
  Op op = Op::kEnd;
  Operation operation = Operation::kNone;
  Builtin builtin = Builtin::kAnd;
  Redirect redirect = Redirect::kNone;
  bool flag = false;
  Place place;
  int a = 0;
  int b = 0;
  int line = 0;
};

/// A regular expression that stands in the program, in both forms that IGNORECASE may ask for.
struct Pattern {
  std::string text;
  Regex exact;
  Regex any_case;
};

struct CodeFunction {
  std::string name;
  std::size_t parameters = 0;
  int begin = -1;  // Nothing: it is not there.
};

struct Code {
  std::vector<Instruction> instructions;
  std::vector<Value> constants;
  std::vector<Pattern> patterns;
  std::vector<CodeFunction> functions;
  std::vector<std::string> globals;
  std::size_t ranges = 0;
  // Where each begins; the parts that are not there are empty.
  int begin = 0;
  int main = 0;
  int end = 0;
  bool has_main = false;
  bool has_end = false;
};

}  // namespace sandproof::machine::programs::awk
