// SPDX-License-Identifier: Apache-2.0
// A program of awk as trees. Values that own their parts.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fakes/machine/programs/support/regex.h"

namespace sandproof::machine::programs::awk {

struct Node;
using NodePtr = std::unique_ptr<Node>;

enum class Kind : unsigned char {
  // Expressions.
  kNumber,
  kText,
  kRegex,
  kVariable,  // `local`: of the function, otherwise of all.
  kField,
  kElement,  // Of the array `index`, with the subscripts as parts.
  kGroup,    // Subscripts in parentheses, before `in`.
  kAssign,   // `text` is "=", "+=" …
  kCondition,
  kOr,
  kAnd,
  kIn,
  kMatch,  // "~" or "!~".
  kCompare,
  kConcat,
  kBinary,
  kUnary,
  kIncrement,  // "++" or "--"; `prefix`.
  kCall,
  kBuiltin,
  kGetline,  // `text`: "", "<" or "|"; parts: the variable (or null), the file or command (or
             // null).
  // Statements.
  kExpression,
  kPrint,  // `text`: "", ">", ">>" or "|"; the last part is where to, where there is one.
  kPrintf,
  kBlock,
  kIf,
  kWhile,
  kDo,
  kFor,
  kForIn,
  kBreak,
  kContinue,
  kNext,
  kExit,
  kReturn,
  kDelete,
};

struct Node {
  Kind kind;
  int line = 1;
  std::vector<NodePtr> parts = {};  // Some may be null.
  std::string text = {};
  double number = 0;
  std::size_t index = 0;  // Of a variable, a function.
  bool local = false;
  bool prefix = false;
  bool grouped = false;  // It stood in parentheses.
  bool waits = false;    // Something in it may have to wait: input, output, a function.
  std::optional<Regex> regex = {};
};

struct Function {
  std::string name;
  std::size_t parameters = 0;
  NodePtr body = nullptr;
  int line = 1;
};

struct Rule {
  NodePtr first;  // Null: each record.
  NodePtr last;   // Of a range.
  NodePtr body;   // Null: prints the record.
};

struct Program {
  std::vector<NodePtr> begin;
  std::vector<NodePtr> end;
  std::vector<Rule> rules;
  std::vector<Function> functions;
  std::map<std::string, std::size_t> globals;
};

/// What ends a program: a sentence, and the line of the program.
struct Failure {
  std::string text;
  int line = 1;
};

}  // namespace sandproof::machine::programs::awk
