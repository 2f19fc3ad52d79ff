// SPDX-License-Identifier: Apache-2.0
// What begins with a dollar. A parameter that no operator could be read of is no error here: it is
// one when it is expanded, as in dash, so that a branch that does not run may hold it.
#include <string_view>
#include <utility>

#include "fakes/machine/shell/lex/lexer.h"

namespace sandproof::machine::shell {
namespace {

bool is_special_parameter(int c) {
  return is_digit(c) || c == '#' || c == '?' || c == '$' || c == '!' || c == '-' || c == '*' ||
         c == '@';
}

}  // namespace

void Lexer::read_dollar(const Scope& scope, Word& out) {
  const int c = source_.get_joined();
  const bool begins = c == '(' || c == '{' || is_name_start(c) || is_special_parameter(c);
  if (delimiter_ || !begins) {
    add_char(out, '$');
    source_.unget(c);
    return;
  }
  if (c == '{') return read_braced_parameter(scope, out);
  if (c != '(') return read_parameter(c, out);
  const int next = source_.get_joined();
  if (next == '(') return read_arithmetic(out);
  source_.unget(next);
  read_command_substitution(out);
}

// Without braces: a name as long as it goes, or one character.
void Lexer::read_parameter(int c, Word& out) {
  Parameter parameter;
  if (!is_name_start(c)) {
    parameter.name = static_cast<char>(c);
  } else {
    while (is_name_char(c)) {
      parameter.name += static_cast<char>(c);
      c = source_.get_joined();
    }
    source_.unget(c);
  }
  out.parts.push_back(Part{std::move(parameter)});
}

void Lexer::read_braced_parameter(const Scope& scope, Word& out) {
  Parameter parameter;
  const int c = read_parameter_name(parameter);
  if (parameter.op == ParameterOperator::kNone) {
    if (c == '}') {
      out.parts.push_back(Part{std::move(parameter)});
      return;
    }
    read_operator(parameter, c);
  } else {
    source_.unget(c);
  }
  const bool trims = parameter.op >= ParameterOperator::kTrimSmallestPrefix &&
                     parameter.op <= ParameterOperator::kTrimLargestSuffix;
  Scope inner{.syntax = scope.syntax, .in_braces = true};
  if (inner.syntax == Syntax::kArithmetic) inner.syntax = Syntax::kDouble;
  if (trims) inner.syntax = Syntax::kBase;
  scan(inner, parameter.word);
  out.parts.push_back(Part{std::move(parameter)});
}

// Reads the name, and the `#` of ${#x}, and gives the character after it. The operator is kLength
// or kBad where no operator can follow.
int Lexer::read_parameter_name(Parameter& parameter) {
  int c = source_.get_joined();
  if (c == '#') {
    // The parameter `#`, or the length of what follows.
    const int next = source_.get_joined();
    if (is_name_char(next)) {
      parameter.op = ParameterOperator::kLength;
      c = next;
    } else {
      const int after = next == '}' ? Source::kEof : source_.get_joined();
      if (next == '}' || after != '}') {
        source_.unget(after);
        parameter.name = '#';
        return next;
      }
      parameter.name = static_cast<char>(next);
      parameter.op = ParameterOperator::kLength;
      if (!is_special_parameter(next)) {
        parameter.op = ParameterOperator::kBad;
        parameter.name.insert(0, 1, '#');
      }
      return after;
    }
  }
  if (is_name_start(c) || is_digit(c)) {
    const bool digits = is_digit(c);
    while (digits ? is_digit(c) : is_name_char(c)) {
      parameter.name += static_cast<char>(c);
      c = source_.get_joined();
    }
  } else if (is_special_parameter(c)) {
    parameter.name = static_cast<char>(c);
    c = source_.get_joined();
  } else {
    parameter.op = ParameterOperator::kBad;
    // The brace that closes it, or what is neither a name nor an operator, which is lost.
    if (c != '}' && c != Source::kEof) {
      parameter.bad = static_cast<char>(c);
      if (c == '\n') source_.adjust_line(-1);  // dash does not count it.
      c = source_.get_joined();
    }
    return c;
  }
  if (parameter.op == ParameterOperator::kLength && c != '}') {
    parameter.op = ParameterOperator::kBad;
    parameter.name.insert(0, 1, '#');
  }
  return c;
}

void Lexer::read_operator(Parameter& parameter, int c) {
  using enum ParameterOperator;
  parameter.op = kBad;
  if (c == '%' || c == '#') {
    const int next = source_.get_joined();
    const bool twice = next == c;
    if (!twice) source_.unget(next);
    if (c == '%') {
      parameter.op = twice ? kTrimLargestSuffix : kTrimSmallestSuffix;
    } else {
      parameter.op = twice ? kTrimLargestPrefix : kTrimSmallestPrefix;
    }
    return;
  }
  const int first = c;
  if (c == ':') {
    parameter.colon = true;
    c = source_.get_joined();
  }
  switch (c) {
    case '-':
      parameter.op = kDefault;
      return;
    case '=':
      parameter.op = kAssign;
      return;
    case '?':
      parameter.op = kError;
      return;
    case '+':
      parameter.op = kAlternative;
      return;
    default:
      break;
  }
  // Consumed, whatever it is; dash does not count a newline here.
  if (c == '\n') source_.adjust_line(-1);
  parameter.colon = false;
  if (first == ':') parameter.bad = ':';
  if (c != Source::kEof) parameter.bad += static_cast<char>(c);
}

}  // namespace sandproof::machine::shell
