// SPDX-License-Identifier: Apache-2.0
// A scalar of awk: a number, a string, a text from outside that counts as a number where it looks
// like one, or nothing yet, which is both 0 and "". Values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sandproof::machine::programs::awk {

class Value {
 public:
  Value() = default;
  static Value number(double number) {
    Value value;
    value.kind_ = Kind::kNumber;
    value.number_ = number;
    return value;
  }
  static Value truth(bool truth) { return number(truth ? 1 : 0); }
  static Value string(std::string text) { return Value(Kind::kString, std::move(text)); }
  /// From a file, the environment, an argument.
  static Value input(std::string text) { return Value(Kind::kInput, std::move(text)); }

  /// Whether it compares as a number.
  bool is_numeric() const;
  bool is_number() const { return kind_ == Kind::kNumber; }
  bool is_unset() const { return kind_ == Kind::kUnset; }
  double to_number() const;
  /// `format` is CONVFMT, or OFMT. Throws RunFailure for a format that is none of a number.
  std::string to_text(const std::string& format) const&;
  std::string to_text(const std::string& format) &&;
  bool is_true() const;
  /// Bytes that it holds beside itself.
  std::size_t bytes() const { return text_.size(); }

 private:
  enum class Kind : unsigned char { kUnset, kNumber, kString, kInput };
  Value(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}

  Kind kind_ = Kind::kUnset;
  double number_ = 0;
  std::string text_;
};

/// The number that a text begins with, 0 without one, and how many bytes it takes. Digits after a
/// leading 0 are octal and after 0x hexadecimal, as busybox reads them everywhere.
struct ReadNumber {
  double value = 0;
  std::size_t length = 0;
};
ReadNumber read_number(const std::string& text, std::size_t from = 0);

inline bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// As C's cast where it is defined; otherwise the least value, which x86 gives.
std::int64_t to_int64(double number);
int to_int(double number);

std::string text_of_number(double number, const std::string& format);

}  // namespace sandproof::machine::programs::awk
