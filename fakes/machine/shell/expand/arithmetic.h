// SPDX-License-Identifier: Apache-2.0
// Arithmetic expansion (XCU 2.6.4) as dash evaluates it: 64 bits that wrap, the operators of C
// without
// `++`, `--` and the comma. The variables are the caller's. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sandproof::machine::shell {

/// The variables that an expression reads and assigns.
class ArithmeticVariables {
 public:
  virtual ~ArithmeticVariables() = default;
  /// Nothing where it is not set: then its value is 0, also under `set -u`, as in dash.
  virtual std::optional<std::string> get(std::string_view name) = 0;
  /// The error where it cannot be assigned ("x: is read only"), nothing where it was.
  virtual std::optional<std::string> set(std::string_view name, const std::string& value) = 0;
};

/// What the shell prints after its name and line, as dash words it: `arithmetic expression:
/// division by zero: "1/0"`, `Illegal number: abc`.
struct ArithmeticError {
  std::string text;
};

/// Parentheses, unary operators and assignments inside each other that an expression may have:
/// deeper ones are an error, so that no script overflows the stack of the program around the
/// machine.
inline constexpr int kMaxArithmeticDepth = 1000;

/// The value of the expression, whose parameters and commands have been expanded. Differs from
/// dash, which SIGFPE ends there: the smallest number divided by -1 is itself, with remainder 0.
std::variant<std::int64_t, ArithmeticError> evaluate_arithmetic(std::string_view expression,
                                                                ArithmeticVariables& variables);

}  // namespace sandproof::machine::shell
