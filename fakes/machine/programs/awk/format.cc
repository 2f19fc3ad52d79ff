// SPDX-License-Identifier: Apache-2.0
// Numbers are written by the C library; text is padded here, since it may have NUL bytes in it.
#include "fakes/machine/programs/awk/format.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/limits.h"
#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs::awk {
namespace {

bool is_letter(char letter) { return std::isalpha(static_cast<unsigned char>(letter)) != 0; }

struct Conversion {
  std::string flags;
  int width = 0;
  std::optional<int> precision;
  char letter = 0;
  bool well_formed = true;
};

/// Digits from `at`, which moves behind them.
int number_at(const std::string& format, std::size_t& at) {
  int number = 0;
  for (; at < format.size() && is_digit(format[at]); ++at) {
    number = std::min(number * 10 + (format[at] - '0'), kMaxPrintfWidth + 1);
  }
  if (number > kMaxPrintfWidth) {
    throw RunFailure("A width of printf beyond " + std::to_string(kMaxPrintfWidth) +
                     " is not supported");
  }
  return number;
}

/// Between the '%' before `begin` and the letter at `end`.
Conversion conversion_in(const std::string& format, std::size_t begin, std::size_t end) {
  Conversion conversion;
  std::size_t at = std::min(format.find_first_not_of("#-+ 0'", begin), end);
  conversion.flags = format.substr(begin, at - begin);
  conversion.width = number_at(format, at);
  if (at < end && format[at] == '$') {
    // "%1$s": the first value is the only one that the C library was ever given.
    conversion.width = 0;
    const std::size_t flags = ++at;
    at = std::min(format.find_first_not_of("#-+ 0'", at), end);
    conversion.flags = format.substr(flags, at - flags);
    conversion.width = number_at(format, at);
  }
  if (at < end && format[at] == '.') conversion.precision = number_at(format, ++at);
  conversion.letter = format[end];
  conversion.well_formed = at == end;
  return conversion;
}

std::string padded(const Conversion& conversion, std::string text) {
  const auto width = static_cast<std::size_t>(conversion.width);
  if (text.size() >= width) return text;
  const std::string fill(width - text.size(), ' ');
  return conversion.flags.find('-') != std::string::npos ? text + fill : fill + text;
}

// The format is made of a conversion that was checked; the compiler does not see that.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
template <typename Number>
std::string number_text(const Conversion& conversion, Number number) {
  std::string format = "%" + conversion.flags;
  if (conversion.width > 0) format += std::to_string(conversion.width);
  if (conversion.precision) format += "." + std::to_string(*conversion.precision);
  format += conversion.letter;
  return printed(format.c_str(), number);
}
#pragma GCC diagnostic pop

std::string converted(const Conversion& conversion, const Value& value,
                      const std::string& number_format) {
  constexpr std::string_view kIntegers = "diouxX";
  constexpr std::string_view kReals = "eEfFgGaA";
  if (conversion.letter == 'c') {
    char letter = 0;
    if (value.is_numeric()) {
      letter = static_cast<char>(to_int(value.to_number()));
    } else {
      letter = value.to_text(number_format).c_str()[0];
    }
    return padded(conversion, std::string(1, letter));
  }
  if (conversion.letter == 's') {
    std::string text = value.to_text(number_format);
    if (conversion.precision) {
      text.resize(std::min(text.size(), static_cast<std::size_t>(*conversion.precision)));
    }
    return padded(conversion, std::move(text));
  }
  if (kIntegers.find(conversion.letter) != kIntegers.npos) {
    return number_text(conversion, to_int(value.to_number()));
  }
  if (kReals.find(conversion.letter) != kReals.npos) {
    return number_text(conversion, value.to_number());
  }
  throw RunFailure("Invalid format specifier");
}

}  // namespace

std::string formatted(const std::string& format, std::span<const Value> values,
                      const std::string& conversion) {
  std::string out;
  const Value unset;
  std::size_t next = 0;
  for (std::size_t at = 0; at < format.size();) {
    const std::size_t percent = std::min(format.find('%', at), format.size());
    out.append(format, at, percent - at);
    at = percent;
    if (at == format.size()) break;
    if (at + 1 < format.size() && format[at + 1] == '%') {
      out += '%';
      at += 2;
      continue;
    }
    std::size_t end = at + 1;
    while (end < format.size() && !is_letter(format[end])) {
      if (format[end] == '*') throw RunFailure("%*x formats are not supported");
      ++end;
    }
    if (end == format.size()) {
      out.append(format, at);
      break;
    }
    const Value& value = next < values.size() ? values[next] : unset;
    ++next;
    const Conversion read = conversion_in(format, at + 1, end);
    const std::string text = converted(read, value, conversion);
    if (read.well_formed) {
      out += text;
    } else {
      out.append(format, at, end + 1 - at);
    }
    at = end + 1;
    if (out.size() > kMaxTextBytes) throw RunFailure("A string is longer than awk may make one");
  }
  return out;
}

}  // namespace sandproof::machine::programs::awk
