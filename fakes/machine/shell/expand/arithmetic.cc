// SPDX-License-Identifier: Apache-2.0
// Evaluates while it parses, one token ahead, as dash does: which of two errors is told depends on
// that order.
#include "fakes/machine/shell/expand/arithmetic.h"

#include <cerrno>
#include <cinttypes>
#include <utility>

#include "fakes/machine/shell/expand/arithmetic_lexer.h"

namespace sandproof::machine::shell {
namespace {

using Token = ArithmeticToken;
using Kind = ArithmeticKind;

// Wrapping: the arithmetic of unsigned numbers is defined where that of signed ones is not.
std::int64_t wrapped(std::uint64_t value) { return static_cast<std::int64_t>(value); }

// The processor's shift: the count's low six bits.
int shift_count(std::int64_t count) { return static_cast<int>(count & 63); }

class ArithmeticParser {
 public:
  ArithmeticParser(std::string_view expression, ArithmeticVariables& variables)
      : expression_(expression), lexer_(expression), variables_(variables) {
    advance();
  }

  std::int64_t run() {
    const std::int64_t value = assignment(true);
    if (token_.kind != Kind::kEnd) fail("expecting EOF");
    return value;
  }

 private:
  // One level of nesting, for as long as it lives.
  class Nested {
   public:
    explicit Nested(ArithmeticParser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxArithmeticDepth) parser_.fail("nested too deep");
    }
    ~Nested() { --parser_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    ArithmeticParser& parser_;
  };

  void advance() { token_ = lexer_.next(); }

  [[noreturn]] void fail(std::string_view what) const {
    throw ArithmeticError{"arithmetic expression: " + std::string(what) + ": \"" +
                          std::string(expression_) + "\""};
  }

  std::int64_t read(std::string_view name) const {
    const std::string text = variables_.get(name).value_or("");
    char* end = nullptr;
    errno = 0;
    const std::intmax_t value = std::strtoimax(text.c_str(), &end, 0);
    const std::string_view rest(end);
    if (errno == ERANGE || rest.find_first_not_of(" \t\n\v\f\r") != std::string_view::npos) {
      throw ArithmeticError{"Illegal number: " + text};
    }
    return value;
  }

  std::int64_t assign(std::string_view name, std::int64_t value) {
    if (auto error = variables_.set(name, std::to_string(value))) throw ArithmeticError{*error};
    return value;
  }

  // `live`: whether it is evaluated or only parsed, behind a short circuit.
  std::int64_t assignment(bool live) {
    const Nested nested(*this);
    if (token_.kind != Kind::kName) return conditional(live);
    const std::string_view name = token_.text;
    advance();
    if (token_.kind != Kind::kAssign) return conditional_after(name, live);
    const Kind operation = token_.operation;
    advance();
    const std::int64_t right = assignment(live);
    if (!live) return right;
    return assign(name, operation == Kind::kEnd ? right : apply(operation, read(name), right));
  }

  std::int64_t conditional(bool live) { return conditional_of(primary(live), live); }

  std::int64_t conditional_after(std::string_view name, bool live) {
    return conditional_of(live ? read(name) : 0, live);
  }

  // The rest of a conditional whose first operand is there.
  std::int64_t conditional_of(std::int64_t first, bool live) {
    const std::int64_t test = logical_or(first, live);
    if (token_.kind != Kind::kQuestion) return test;
    advance();
    const std::int64_t yes = assignment(live && test != 0);
    if (token_.kind != Kind::kColon) fail("expecting ':'");
    advance();
    const Nested nested(*this);
    const std::int64_t no = conditional(live && test == 0);
    return test != 0 ? yes : no;
  }

  std::int64_t logical_or(std::int64_t first, bool live) {
    std::int64_t value = logical_and(first, live);
    while (token_.kind == Kind::kOr) {
      advance();
      const bool needed = live && value == 0;
      const std::int64_t right = logical_and(primary(needed), needed);
      value = value != 0 || right != 0 ? 1 : 0;
    }
    return value;
  }

  std::int64_t logical_and(std::int64_t first, bool live) {
    std::int64_t value = binary(first, 0, live);
    while (token_.kind == Kind::kAnd) {
      advance();
      const bool needed = live && value != 0;
      const std::int64_t right = binary(primary(needed), 0, needed);
      value = value != 0 && right != 0 ? 1 : 0;
    }
    return value;
  }

  // Every operator that binds more tightly than `above`, onto what is left of it.
  std::int64_t binary(std::int64_t left, int above, bool live) {
    while (precedence_of(token_.kind) > above) {
      const Kind operation = token_.kind;
      advance();
      const std::int64_t right = binary(primary(live), precedence_of(operation), live);
      left = live ? apply(operation, left, right) : right;
    }
    return left;
  }

  std::int64_t primary(bool live) {
    const Nested nested(*this);
    const Token token = token_;
    switch (token.kind) {
      case Kind::kNumber:
        advance();
        return token.value;
      case Kind::kName:
        advance();
        return live ? read(token.text) : 0;
      case Kind::kOpen: {
        advance();
        const std::int64_t value = assignment(live);
        if (token_.kind != Kind::kClose) fail("expecting ')'");
        advance();
        return value;
      }
      case Kind::kAdd:
        advance();
        return primary(live);
      case Kind::kSubtract:
        advance();
        return wrapped(0 - static_cast<std::uint64_t>(primary(live)));
      case Kind::kNot:
        advance();
        return primary(live) == 0 ? 1 : 0;
      case Kind::kComplement:
        advance();
        return ~primary(live);
      default:
        fail("expecting primary");
    }
  }

  std::int64_t apply(Kind operation, std::int64_t left, std::int64_t right) const {
    const auto a = static_cast<std::uint64_t>(left);
    const auto b = static_cast<std::uint64_t>(right);
    switch (operation) {
      case Kind::kMultiply:
        return wrapped(a * b);
      case Kind::kDivide:
      case Kind::kRemainder:
        return divide(operation, left, right);
      case Kind::kAdd:
        return wrapped(a + b);
      case Kind::kSubtract:
        return wrapped(a - b);
      case Kind::kShiftLeft:
        return wrapped(a << shift_count(right));
      case Kind::kShiftRight:
        return left >> shift_count(right);
      case Kind::kBitAnd:
        return left & right;
      case Kind::kBitXor:
        return left ^ right;
      case Kind::kBitOr:
        return left | right;
      default:
        return compare(operation, left, right) ? 1 : 0;
    }
  }

  static bool compare(Kind operation, std::int64_t left, std::int64_t right) {
    switch (operation) {
      case Kind::kLess:
        return left < right;
      case Kind::kLessEqual:
        return left <= right;
      case Kind::kGreater:
        return left > right;
      case Kind::kGreaterEqual:
        return left >= right;
      case Kind::kEqual:
        return left == right;
      default:
        return left != right;
    }
  }

  std::int64_t divide(Kind operation, std::int64_t left, std::int64_t right) const {
    if (right == 0) fail("division by zero");
    // The one quotient that does not fit.
    if (right == -1) {
      return operation == Kind::kDivide ? wrapped(0 - static_cast<std::uint64_t>(left)) : 0;
    }
    return operation == Kind::kDivide ? left / right : left % right;
  }

  std::string_view expression_;
  ArithmeticLexer lexer_;
  ArithmeticVariables& variables_;
  Token token_;
  int depth_ = 0;
};

}  // namespace

std::variant<std::int64_t, ArithmeticError> evaluate_arithmetic(std::string_view expression,
                                                                ArithmeticVariables& variables) {
  try {
    return ArithmeticParser(expression, variables).run();
  } catch (ArithmeticError& error) {
    return std::move(error);
  }
}

}  // namespace sandproof::machine::shell
