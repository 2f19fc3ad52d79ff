// SPDX-License-Identifier: Apache-2.0
// A value of awk: nothing yet, a number, a text, or a text from outside that is a number if it
// looks like one. Values.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace sandproof::machine::programs::awk {

class Value {
 public:
  enum class Kind : unsigned char { kNothing, kNumber, kText, kInput };

  Value() = default;
  static Value number(double value) {
    Value made;
    made.kind_ = Kind::kNumber;
    made.number_ = value;
    return made;
  }
  static Value text(std::string value) {
    Value made;
    made.kind_ = Kind::kText;
    made.text_ = std::move(value);
    return made;
  }
  /// From a field, a file, the command line.
  static Value input(std::string value);

  Kind kind() const { return kind_; }
  bool nothing() const { return kind_ == Kind::kNothing; }
  /// Whether it compares as a number.
  bool numeric() const {
    return kind_ != Kind::kText && !(kind_ == Kind::kInput && !looks_numeric_);
  }
  double to_number() const;
  /// Numbers that are whole as digits, others by `format` (CONVFMT, OFMT).
  std::string to_text(const std::string& format) const;
  bool truth() const;

 private:
  Kind kind_ = Kind::kNothing;
  bool looks_numeric_ = false;
  double number_ = 0;
  std::string text_;
};

/// By their keys' bytes: the same order in each run.
using Array = std::map<std::string, Value>;

/// What a name stands for; a name that is given to a function before it is anything may become an
/// array there, so both hold the same one.
struct Cell {
  Value value;
  std::shared_ptr<Array> array;

  Array& as_array() {
    if (array == nullptr) array = std::make_shared<Array>();
    return *array;
  }
};

/// A number at the beginning of the text, after blanks; 0 without one.
double leading_number(std::string_view text);
std::string number_text(double number, const std::string& format);

}  // namespace sandproof::machine::programs::awk
