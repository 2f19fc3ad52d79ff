// SPDX-License-Identifier: Apache-2.0
// Numbers as texts and texts as numbers.
#include "fakes/machine/programs/awk/value.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/format.h"

namespace sandproof::machine::programs::awk {

ReadNumber read_number(const std::string& text, std::size_t from) {
  const char* const begin = text.c_str() + from;
  char* end = nullptr;
  if (begin[0] == '0') {
    const bool hex = begin[1] == 'x' || begin[1] == 'X';
    if (hex || std::isdigit(static_cast<unsigned char>(begin[1])) != 0) {
      const unsigned long long whole = std::strtoull(begin, &end, 0);
      // "09" and "01.5" are decimal after all.
      const bool goes_on = *end == '.' || std::isdigit(static_cast<unsigned char>(*end)) != 0;
      if (hex || !goes_on) {
        return {static_cast<double>(whole), static_cast<std::size_t>(end - begin)};
      }
    }
  }
  const double value = std::strtod(begin, &end);
  return {value, static_cast<std::size_t>(end - begin)};
}

std::int64_t to_int64(double number) {
  constexpr double kLimit = 9223372036854775808.0;
  if (number >= -kLimit && number < kLimit) return static_cast<std::int64_t>(number);
  return std::numeric_limits<std::int64_t>::min();
}

int to_int(double number) {
  constexpr double kLimit = 2147483648.0;
  if (number > -kLimit - 1 && number < kLimit) return static_cast<int>(number);
  return std::numeric_limits<int>::min();
}

std::string text_of_number(double number, const std::string& format) {
  const std::int64_t whole = to_int64(number);
  if (static_cast<double>(whole) == number) return std::to_string(whole);
  constexpr std::string_view kConversions = "diouxXeEfFgGaA";
  if (format.empty() || kConversions.find(format.back()) == kConversions.npos) {
    throw RunFailure("Invalid format specifier");
  }
  const Value value = Value::number(number);
  return formatted(format, {&value, 1}, "%.6g");
}

bool Value::is_numeric() const {
  if (kind_ != Kind::kInput) return kind_ != Kind::kString;
  const ReadNumber read = read_number(text_);
  std::size_t at = read.length;
  while (at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at])) != 0) ++at;
  return at == text_.size();
}

double Value::to_number() const {
  if (kind_ == Kind::kNumber) return number_;
  return text_.empty() ? 0 : read_number(text_).value;
}

std::string Value::to_text(const std::string& format) const& {
  return kind_ == Kind::kNumber ? text_of_number(number_, format) : text_;
}

std::string Value::to_text(const std::string& format) && {
  return kind_ == Kind::kNumber ? text_of_number(number_, format) : std::move(text_);
}

bool Value::is_true() const {
  if (kind_ == Kind::kNumber) return number_ != 0;
  return kind_ == Kind::kInput && is_numeric() ? to_number() != 0 : !text_.empty();
}

}  // namespace sandproof::machine::programs::awk
