// SPDX-License-Identifier: Apache-2.0
// Values of awk.
#include "fakes/machine/programs/awk/value.h"

#include <cctype>
#include <cmath>
#include <cstdlib>

#include "fakes/machine/programs/awk/format.h"
#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs::awk {
namespace {

bool space_byte(char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }

// Of numbers, also in hexadecimal; neither "nan" nor "inf" is one.
constexpr std::string_view kNumberBytes = "0123456789abcdefABCDEFxX+-.";

/// Whether all of it is a number with blanks around it.
bool is_number(std::string_view text) {
  while (!text.empty() && space_byte(text.front())) text.remove_prefix(1);
  while (!text.empty() && space_byte(text.back())) text.remove_suffix(1);
  if (text.empty() || text.find_first_not_of(kNumberBytes) != text.npos) return false;
  const std::string copy(text);
  char* end = nullptr;
  (void)std::strtod(copy.c_str(), &end);
  return *end == '\0' && copy.find_first_of("0123456789") != copy.npos;
}

}  // namespace

double leading_number(std::string_view text) {
  while (!text.empty() && space_byte(text.front())) text.remove_prefix(1);
  std::size_t length = 0;
  while (length < text.size() && kNumberBytes.find(text[length]) != kNumberBytes.npos) ++length;
  return std::strtod(std::string(text.substr(0, length)).c_str(), nullptr);
}

std::string number_text(double number, const std::string& format) {
  // Beyond this the digits of a double are no longer all its own.
  constexpr double kWhole = 1e18;
  if (number == std::trunc(number) && std::fabs(number) < kWhole) {
    return std::to_string(static_cast<long long>(number));
  }
  return format_number(format, number);
}

Value Value::input(std::string value) {
  Value made;
  made.kind_ = Kind::kInput;
  made.looks_numeric_ = is_number(value);
  if (made.looks_numeric_) made.number_ = leading_number(value);
  made.text_ = std::move(value);
  return made;
}

double Value::to_number() const {
  if (kind_ == Kind::kNumber || looks_numeric_) return number_;
  return kind_ == Kind::kNothing ? 0 : leading_number(text_);
}

std::string Value::to_text(const std::string& format) const {
  return kind_ == Kind::kNumber ? number_text(number_, format) : text_;
}

bool Value::truth() const {
  switch (kind_) {
    case Kind::kNothing:
      return false;
    case Kind::kNumber:
      return number_ != 0;
    case Kind::kInput:
      return looks_numeric_ ? number_ != 0 : !text_.empty();
    case Kind::kText:
      break;
  }
  return !text_.empty();
}

}  // namespace sandproof::machine::programs::awk
