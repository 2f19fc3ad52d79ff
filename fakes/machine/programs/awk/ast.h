// SPDX-License-Identifier: Apache-2.0
// A program of awk as a tree: what the parser makes and the compiler reads. Values that own what
// is below them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "fakes/machine/programs/awk/functions.h"

namespace sandproof::machine::programs::awk {

enum class Operation : unsigned char {
  kNone,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kPower,
  kConcatenate,
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  kGreater,
  kGreaterEqual,
};

enum class ExprKind : unsigned char {
  kNumber,
  kString,
  kRegex,
  kVariable,  // slot, local
  kField,     // 0: which
  kElement,   // slot, local; the rest: the key
  kList,      // (a, b): of print, of `in`, and otherwise a key
  kNegate,
  kPlus,
  kNot,
  kBinary,  // operation
  kAnd,
  kOr,
  kCondition,
  kMatches,    // negated where `flag`
  kIn,         // slot, local: the array; 0…: the key
  kAssign,     // operation; 0: where, 1: what
  kIncrement,  // number: by how much; `flag`: the value before
  kCall,       // slot: of the function
  kBuiltin,
  kGetline,  // 0: where to, or null; 1: from which file or command, or null
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

struct Expr {
  ExprKind kind = ExprKind::kNumber;
  Operation operation = Operation::kNone;
  Builtin builtin = Builtin::kAnd;
  bool local = false;
  bool flag = false;  // Of kGetline: from a command.
  int slot = 0;
  int line = 1;
  int depth = 1;  // Of the tree below: bounded, since it is walked by recursion.
  double number = 0;
  std::string text;
  std::vector<ExprPtr> parts;

  bool is_place() const {
    return kind == ExprKind::kVariable || kind == ExprKind::kField || kind == ExprKind::kElement;
  }
};

enum class StatementKind : unsigned char {
  kExpression,
  kPrint,
  kPrintf,
  kIf,  // 0: then, 1: else
  kWhile,
  kDo,
  kFor,    // exprs: condition or null; 0: first, 1: step, 2: body; each but the body may be null
  kForIn,  // exprs: variable, array
  kBlock,
  kNext,
  kNextFile,
  kExit,
  kReturn,
  kBreak,
  kContinue,
  kDelete,  // An element, or all of the variable.
};

enum class Redirect : unsigned char { kNone, kFile, kAppend, kPipe };

struct Statement {
  StatementKind kind = StatementKind::kBlock;
  Redirect redirect = Redirect::kNone;
  int line = 1;
  std::vector<ExprPtr> exprs;
  ExprPtr target;  // Of a redirection.
  std::vector<std::unique_ptr<Statement>> body;
};
using StatementPtr = std::unique_ptr<Statement>;

/// A pattern and its action. Without a pattern: every record; without an action: print.
struct Rule {
  ExprPtr pattern;
  ExprPtr pattern_end;  // Of a range.
  StatementPtr action;
  int line = 1;
};

struct Function {
  std::string name;
  std::size_t parameters = 0;
  StatementPtr body;  // Null where it is called and not there.
};

/// The variables that awk itself sets or looks at come first.
enum Special : int {
  kConvfmt,
  kOfmt,
  kFs,
  kOfs,
  kOrs,
  kRs,
  kRt,
  kFilename,
  kSubsep,
  kArgind,
  kArgc,
  kArgv,
  kErrno,
  kFnr,
  kNr,
  kNf,
  kIgnorecase,
  kEnviron,
  kRstart,
  kRlength,
  kSpecials,
};

struct Program {
  std::vector<std::string> globals;  // By slot.
  std::vector<Function> functions;   // By slot.
  std::vector<StatementPtr> begin;
  std::vector<Rule> rules;
  std::vector<StatementPtr> end;
};

}  // namespace sandproof::machine::programs::awk
