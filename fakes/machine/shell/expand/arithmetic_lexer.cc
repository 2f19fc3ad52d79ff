// SPDX-License-Identifier: Apache-2.0
// The operators are one table, the longest of a beginning first.
#include "fakes/machine/shell/expand/arithmetic_lexer.h"

#include <array>
#include <cinttypes>
#include <string>

namespace sandproof::machine::shell {
namespace {

using Kind = ArithmeticKind;

struct OperatorRow {
  std::string_view text;
  Kind kind;
  Kind operation = Kind::kEnd;
};

constexpr std::array<OperatorRow, 35> kOperators = {{
    {"<<=", Kind::kAssign, Kind::kShiftLeft},
    {">>=", Kind::kAssign, Kind::kShiftRight},
    {"||", Kind::kOr},
    {"&&", Kind::kAnd},
    {"==", Kind::kEqual},
    {"!=", Kind::kNotEqual},
    {"<=", Kind::kLessEqual},
    {">=", Kind::kGreaterEqual},
    {"<<", Kind::kShiftLeft},
    {">>", Kind::kShiftRight},
    {"*=", Kind::kAssign, Kind::kMultiply},
    {"/=", Kind::kAssign, Kind::kDivide},
    {"%=", Kind::kAssign, Kind::kRemainder},
    {"+=", Kind::kAssign, Kind::kAdd},
    {"-=", Kind::kAssign, Kind::kSubtract},
    {"&=", Kind::kAssign, Kind::kBitAnd},
    {"^=", Kind::kAssign, Kind::kBitXor},
    {"|=", Kind::kAssign, Kind::kBitOr},
    {"(", Kind::kOpen},
    {")", Kind::kClose},
    {"?", Kind::kQuestion},
    {":", Kind::kColon},
    {"=", Kind::kAssign},
    {"!", Kind::kNot},
    {"~", Kind::kComplement},
    {"|", Kind::kBitOr},
    {"^", Kind::kBitXor},
    {"&", Kind::kBitAnd},
    {"<", Kind::kLess},
    {">", Kind::kGreater},
    {"+", Kind::kAdd},
    {"-", Kind::kSubtract},
    {"*", Kind::kMultiply},
    {"/", Kind::kDivide},
    {"%", Kind::kRemainder},
}};

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

int precedence_of(ArithmeticKind kind) {
  switch (kind) {
    case Kind::kBitOr:
      return 1;
    case Kind::kBitXor:
      return 2;
    case Kind::kBitAnd:
      return 3;
    case Kind::kEqual:
    case Kind::kNotEqual:
      return 4;
    case Kind::kLess:
    case Kind::kLessEqual:
    case Kind::kGreater:
    case Kind::kGreaterEqual:
      return 5;
    case Kind::kShiftLeft:
    case Kind::kShiftRight:
      return 6;
    case Kind::kAdd:
    case Kind::kSubtract:
      return 7;
    case Kind::kMultiply:
    case Kind::kDivide:
    case Kind::kRemainder:
      return 8;
    default:
      return 0;
  }
}

ArithmeticToken ArithmeticLexer::number() {
  // strtoimax is what dash reads numbers with: bases by their prefix, too large is the largest, and
  // what it leaves ("8" of "08") is the next token.
  const std::size_t end = text_.find_first_not_of("0123456789abcdefABCDEFxX", at_);
  const std::string digits(text_.substr(at_, end == text_.npos ? end : end - at_));
  char* rest = nullptr;
  ArithmeticToken token;
  token.kind = Kind::kNumber;
  token.value = std::strtoimax(digits.c_str(), &rest, 0);
  at_ += static_cast<std::size_t>(rest - digits.c_str());
  return token;
}

ArithmeticToken ArithmeticLexer::next() {
  while (at_ < text_.size() && std::string_view(" \t\n").find(text_[at_]) != text_.npos) ++at_;
  ArithmeticToken token;
  if (at_ >= text_.size()) return token;
  const char first = text_[at_];
  if (first >= '0' && first <= '9') return number();
  if (is_name_byte(first)) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_byte(text_[at_])) ++at_;
    token.kind = Kind::kName;
    token.text = text_.substr(begin, at_ - begin);
    return token;
  }
  for (const OperatorRow& row : kOperators) {
    if (!text_.substr(at_).starts_with(row.text)) continue;
    at_ += row.text.size();
    token.kind = row.kind;
    token.operation = row.operation;
    return token;
  }
  // Not consumed: nothing that comes after it is looked at.
  token.kind = Kind::kBad;
  return token;
}

}  // namespace sandproof::machine::shell
