// SPDX-License-Identifier: Apache-2.0
// The functions of awk on numbers, texts and times.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <utility>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/format.h"
#include "fakes/machine/programs/awk/interpreter.h"
#include "fakes/machine/programs/awk/limits.h"
#include "fakes/machine/programs/support/calendar.h"

namespace sandproof::machine::programs::awk {
namespace {

constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
// Seconds that nanoseconds in 64 bits reach.
constexpr double kMaxSeconds = 9.2e9;

std::uint64_t to_bits(double number) {
  constexpr double kLimit = 18446744073709551616.0;
  if (number >= 0 && number < kLimit) return static_cast<std::uint64_t>(number);
  return static_cast<std::uint64_t>(to_int64(number));
}

Value of_bits(std::uint64_t bits) { return Value::number(static_cast<double>(bits)); }

std::uint64_t shifted(std::uint64_t bits, std::uint64_t by, bool left) {
  if (by > 63) return 0;
  return left ? bits << by : bits >> by;
}

}  // namespace

void Interpreter::builtin(const Instruction& instruction) {
  switch (instruction.builtin) {
    case Builtin::kSub:
    case Builtin::kGsub:
    case Builtin::kGensub:
      return substitute(instruction);
    case Builtin::kSplit:
      return split_function(instruction);
    case Builtin::kMatch:
      return match_function(instruction);
    case Builtin::kLength:
      return push(length(instruction));
    default:
      break;
  }
  const std::vector<Value> values = pop_values(instruction.b);
  switch (instruction.builtin) {
    case Builtin::kIndex:
    case Builtin::kSprintf:
    case Builtin::kSubstr:
    case Builtin::kTolower:
    case Builtin::kToupper:
      return push(text_function(instruction.builtin, values));
    case Builtin::kMktime:
    case Builtin::kStrftime:
    case Builtin::kSystime:
      return push(time_function(instruction.builtin, values));
    default:
      return push(number_function(instruction.builtin, values));
  }
}

Value Interpreter::length(const Instruction& instruction) {
  if (instruction.b == 1) return Value::number(static_cast<double>(pop_text().size()));
  if (instruction.place.kind == Place::Kind::kVariable) {
    const Cell& of = cell(instruction.place);
    if (of.array) return Value::number(static_cast<double>(of.array->size()));
  }
  const Value& value = load(target(instruction.place));
  return Value::number(static_cast<double>(value.to_text(conversion_).size()));
}

Value Interpreter::number_function(Builtin function, const std::vector<Value>& values) {
  const double first = values.empty() ? 0 : values[0].to_number();
  const double second = values.size() < 2 ? 0 : values[1].to_number();
  switch (function) {
    case Builtin::kAtan2:
      return Value::number(std::atan2(first, second));
    case Builtin::kCos:
      return Value::number(std::cos(first));
    case Builtin::kExp:
      return Value::number(std::exp(first));
    case Builtin::kInt:
      return Value::number(static_cast<double>(to_int64(first)));
    case Builtin::kLog:
      return Value::number(std::log(first));
    case Builtin::kSin:
      return Value::number(std::sin(first));
    case Builtin::kSqrt:
      return Value::number(std::sqrt(first));
    case Builtin::kRand:
      return Value::number(random_.next());
    case Builtin::kSrand: {
      const unsigned before = random_.seed_now();
      random_.seed(values.empty()
                       ? static_cast<unsigned>(self_.wall_time().count() / kNanosPerSecond)
                       : static_cast<unsigned>(to_int64(first)));
      return Value::number(before);
    }
    case Builtin::kAnd:
      return of_bits(to_bits(first) & to_bits(second));
    case Builtin::kOr:
      return of_bits(to_bits(first) | to_bits(second));
    case Builtin::kXor:
      return of_bits(to_bits(first) ^ to_bits(second));
    case Builtin::kLshift:
      return of_bits(shifted(to_bits(first), to_bits(second), true));
    case Builtin::kRshift:
      return of_bits(shifted(to_bits(first), to_bits(second), false));
    default:  // kCompl
      return of_bits(~to_bits(first));
  }
}

Value Interpreter::text_function(Builtin function, const std::vector<Value>& values) {
  if (function == Builtin::kSubstr) return substr(values);
  if (function == Builtin::kSprintf) {
    if (values.empty()) return Value::string("");
    const std::string format = values[0].to_text(conversion_);
    const std::string text = formatted(format, std::span(values).subspan(1), conversion_);
    // A string ends at a NUL.
    return Value::string(text.c_str());
  }
  std::string text = values[0].to_text(conversion_);
  if (function == Builtin::kIndex) {
    const std::string sought = values[1].to_text(conversion_);
    if (sought.empty()) return Value::number(0);
    const bool ignore_case = ignores_case();
    const auto same = [ignore_case](unsigned char one, unsigned char other) {
      return one == other || (ignore_case && std::tolower(one) == std::tolower(other));
    };
    const auto found = std::search(text.begin(), text.end(), sought.begin(), sought.end(), same);
    return Value::number(found == text.end() ? 0 : static_cast<double>(found - text.begin() + 1));
  }
  for (char& letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    letter =
        static_cast<char>(function == Builtin::kTolower ? std::tolower(byte) : std::toupper(byte));
  }
  return Value::string(std::move(text));
}

Value Interpreter::substr(const std::vector<Value>& values) const {
  const std::string text = values[0].to_text(conversion_);
  const auto size = static_cast<std::int64_t>(text.size());
  const std::int64_t begin =
      std::clamp<std::int64_t>(std::int64_t{to_int(values[1].to_number())} - 1, 0, size);
  std::int64_t length = size - begin;
  if (values.size() > 2) {
    length = std::clamp<std::int64_t>(to_int(values[2].to_number()), 0, length);
  }
  return Value::string(
      text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(length)));
}

Value Interpreter::time_function(Builtin function, const std::vector<Value>& values) {
  if (function == Builtin::kSystime) {
    return Value::number(static_cast<double>(self_.wall_time().count() / kNanosPerSecond));
  }
  if (function == Builtin::kMktime) {
    std::tm fields{};
    const std::string text = values[0].to_text(conversion_);
    const int read = std::sscanf(text.c_str(), "%d %d %d %d %d %d", &fields.tm_year, &fields.tm_mon,
                                 &fields.tm_mday, &fields.tm_hour, &fields.tm_min, &fields.tm_sec);
    if (read != 6) return Value::number(-1);
    fields.tm_year -= 1900;
    fields.tm_mon -= 1;
    return Value::number(static_cast<double>(::timegm(&fields) - zone_of(self_).east_seconds));
  }
  double seconds = static_cast<double>(self_.wall_time().count() / kNanosPerSecond);
  if (values.size() > 1) seconds = values[1].to_number();
  if (!(seconds > -kMaxSeconds)) seconds = -kMaxSeconds;
  seconds = std::min(seconds, kMaxSeconds);
  const bool universal = values.size() > 2 && values[2].is_true();
  const Zone zone = universal ? Zone() : zone_of(self_);
  const std::string format =
      values.empty() ? "%a %b %e %H:%M:%S %Z %Y" : values[0].to_text(conversion_);
  return Value::string(
      format_time(format, static_cast<std::int64_t>(seconds) * kNanosPerSecond, zone));
}

}  // namespace sandproof::machine::programs::awk
