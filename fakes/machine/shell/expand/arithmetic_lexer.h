// SPDX-License-Identifier: Apache-2.0
// The tokens of an arithmetic expression. For arithmetic.cc alone. The text outlives what is made
// of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sandproof::machine::shell {

enum class ArithmeticKind : std::uint8_t {
  kEnd,
  kBad,  ///< No token of arithmetic: it is nowhere expected.
  kNumber,
  kName,
  kOpen,
  kClose,
  kQuestion,
  kColon,
  kAssign,
  kOr,
  kAnd,
  kNot,
  kComplement,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kShiftLeft,
  kShiftRight,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
};

/// How tightly a binary operator binds; 0 for what is none. `&&` and `||` are not among them: they
/// decide whether their right side is evaluated.
int precedence_of(ArithmeticKind kind);

struct ArithmeticToken {
  ArithmeticKind kind = ArithmeticKind::kEnd;
  /// Of `+=` and its like; kEnd for a plain `=`.
  ArithmeticKind operation = ArithmeticKind::kEnd;
  std::int64_t value = 0;
  std::string_view text;
};

class ArithmeticLexer {
 public:
  explicit ArithmeticLexer(std::string_view text) : text_(text) {}
  /// kEnd again and again once the text is used up.
  ArithmeticToken next();

 private:
  ArithmeticToken number();

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace sandproof::machine::shell
