// SPDX-License-Identifier: Apache-2.0
// The built-in functions of awk that do not wait.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "fakes/machine/programs/awk/format.h"
#include "fakes/machine/programs/awk/interpreter.h"
#include "fakes/machine/programs/support/calendar.h"

namespace sandproof::machine::programs::awk {
namespace {

/// Counts from the program; more than its function can use are its own fault.
bool has_arguments(std::span<const Value> values, std::size_t least) {
  return values.size() >= least;
}

std::uint64_t bits_of(const Value& value) {
  const double number = value.to_number();
  return number > 0 && number < 9e15 ? static_cast<std::uint64_t>(number) : 0;
}

}  // namespace

Value Interpreter::builtin(const Node& node, std::span<const Value> values) {
  const std::string& name = node.text;
  for (const char* math : {"sin", "cos", "atan2", "exp", "log", "sqrt"}) {
    if (name == math) throw Failure{"Math support is not compiled in", node.line};
  }
  if (name == "length") return length(node, values);
  std::size_t least = 1;
  if (name == "rand" || name == "srand" || name == "systime" || name == "strftime") least = 0;
  for (const char* two : {"substr", "index", "split", "sub", "gsub", "match", "and", "or", "xor",
                          "lshift", "rshift"}) {
    if (name == two) least = 2;
  }
  if (!has_arguments(values, least)) throw Failure{"Too few arguments", node.line};
  if (name == "split") return split(node, values);
  if (name == "sub" || name == "gsub") return substitute(node, values);
  if (name == "match") return find_match(node, values);
  if (name == "strftime") return time_text(values);
  for (const char* of_text : {"substr", "index", "sprintf", "tolower", "toupper"}) {
    if (name == of_text) return text_builtin(node, values);
  }
  return number_builtin(node, values);
}

Value Interpreter::length(const Node& node, std::span<const Value> values) {
  if (node.parts.empty()) {
    return Value::number(static_cast<double>(text(current_record()).size()));
  }
  const Node& part = *node.parts[0];
  if (part.kind != Kind::kVariable) {
    return Value::number(static_cast<double>(text(values[0]).size()));
  }
  const Cell& cell = cell_of(part);
  if (cell.array != nullptr && cell.value.nothing()) {
    return Value::number(static_cast<double>(cell.array->size()));
  }
  return Value::number(static_cast<double>(text(now(part)).size()));
}

Value Interpreter::substring(std::span<const Value> values) {
  const std::string whole = text(values[0]);
  // As busybox, not as POSIX: cut to whole numbers, and a begin before the first byte is the first.
  const auto size = static_cast<double>(whole.size());
  const double begin = std::max(std::trunc(values[1].to_number()), 1.0);
  const double count = values.size() > 2 ? std::trunc(values[2].to_number()) : size;
  if (std::isnan(begin) || std::isnan(count) || count <= 0 || begin > size) return Value::text("");
  const auto from = static_cast<std::size_t>(begin) - 1;
  const auto length = static_cast<std::size_t>(std::min(count, size));
  return Value::text(whole.substr(from, length));
}

Value Interpreter::text_builtin(const Node& node, std::span<const Value> values) {
  if (node.text == "substr") return substring(values);
  if (node.text == "index") {
    const std::size_t found = text(values[0]).find(text(values[1]));
    return Value::number(found == std::string::npos ? 0 : static_cast<double>(found + 1));
  }
  if (node.text == "sprintf") {
    return Value::text(format_values(text(values[0]), values.subspan(1), convert()));
  }
  std::string changed = text(values[0]);
  const bool upper = node.text == "toupper";
  std::transform(changed.begin(), changed.end(), changed.begin(), [upper](unsigned char byte) {
    return static_cast<char>(upper ? std::toupper(byte) : std::tolower(byte));
  });
  return Value::text(std::move(changed));
}

Value Interpreter::number_builtin(const Node& node, std::span<const Value> values) {
  const std::string& name = node.text;
  if (name == "int") return Value::number(std::trunc(values[0].to_number()));
  if (name == "systime") {
    return Value::number(static_cast<double>(tool_.self.wall_time().count() / 1'000'000'000));
  }
  if (name == "srand") {
    const double before = seed_;
    seed_ = values.empty() ? static_cast<double>(tool_.self.wall_time().count() / 1'000'000'000)
                           : values[0].to_number();
    random_ = bits_of(Value::number(std::fabs(seed_))) * 2 + 1;
    return Value::number(before);
  }
  if (name == "rand") {
    // xorshift64*: the same numbers in each run, as a program without srand() has them.
    random_ ^= random_ >> 12U;
    random_ ^= random_ << 25U;
    random_ ^= random_ >> 27U;
    return Value::number(static_cast<double>((random_ * 0x2545F4914F6CDD1DULL) >> 11U) * 0x1.0p-53);
  }
  const std::uint64_t left = bits_of(values[0]);
  if (name == "compl") return Value::number(static_cast<double>(~left & 0xffffffffU));
  const std::uint64_t right = values.size() > 1 ? bits_of(values[1]) : 0;
  std::uint64_t result = 0;
  if (name == "and") result = left & right;
  if (name == "or") result = left | right;
  if (name == "xor") result = left ^ right;
  if (name == "lshift") result = right < 64 ? left << right : 0;
  if (name == "rshift") result = right < 64 ? left >> right : 0;
  return Value::number(static_cast<double>(result));
}

Value Interpreter::split(const Node& node, std::span<const Value> values) {
  if (node.parts[1]->kind != Kind::kVariable) throw Failure{"Not an array", node.line};
  std::string separator = text_of_global(fs_);
  std::vector<std::string> parts;
  if (node.parts.size() > 2 && node.parts[2]->kind == Kind::kRegex) {
    parts = Separator(*node.parts[2]->regex).split(text(values[0]));
  } else {
    if (node.parts.size() > 2) separator = text(values[2]);
    parts = Separator(separator).split(text(values[0]));
  }
  Array& array = cell_of(*node.parts[1]).as_array();
  array.clear();
  for (std::size_t at = 0; at < parts.size(); ++at) {
    array[std::to_string(at + 1)] = Value::input(std::move(parts[at]));
  }
  return Value::number(static_cast<double>(parts.size()));
}

Value Interpreter::substitute(const Node& node, std::span<const Value> values) {
  const Regex& regex = regex_of(*node.parts[0], values[0]);
  const std::string replacement = text(values[1]);
  Place place;
  place.field = true;
  if (node.parts.size() > 2) place = place_now(*node.parts[2]);
  const std::string whole = text(load(place));
  std::string result;
  std::size_t at = 0;
  int count = 0;
  Regex::Match match;
  while (at <= whole.size() && regex.search(whole, at, match)) {
    const Regex::Range found = match[0];
    result.append(whole, at, found.begin - at);
    ++count;
    for (std::size_t i = 0; i < replacement.size(); ++i) {
      if (replacement[i] == '\\' && i + 1 < replacement.size() &&
          (replacement[i + 1] == '&' || replacement[i + 1] == '\\')) {
        result += replacement[++i];
      } else if (replacement[i] == '&') {
        result.append(whole, found.begin, found.length());
      } else {
        result += replacement[i];
      }
    }
    at = found.end;
    if (found.length() == 0) {
      if (at < whole.size()) result += whole[at];
      ++at;
    }
    if (node.text == "sub" || result.size() > kMaxHeldBytes) break;
  }
  if (count == 0) return Value::number(0);
  if (at < whole.size()) result.append(whole, at);
  (void)store(place, Value::text(std::move(result)));
  return Value::number(count);
}

Value Interpreter::find_match(const Node& node, std::span<const Value> values) {
  const Regex& regex = regex_of(*node.parts[1], values[1]);
  Regex::Match match;
  const bool found = regex.search(text(values[0]), 0, match);
  const double start = found ? static_cast<double>(match[0].begin + 1) : 0;
  globals_[rstart_].value = Value::number(start);
  globals_[rlength_].value = Value::number(found ? static_cast<double>(match[0].length()) : -1);
  return Value::number(start);
}

Value Interpreter::time_text(std::span<const Value> values) {
  const std::string format = values.empty() ? "%a %b %e %H:%M:%S %Z %Y" : text(values[0]);
  TimeNs when = tool_.self.wall_time().count();
  if (values.size() > 1) {
    // The seconds that nanoseconds in 64 bits reach.
    when = static_cast<TimeNs>(std::clamp(values[1].to_number(), -9e9, 9e9)) * 1'000'000'000;
  }
  return Value::text(format_time(format, when, zone_of(tool_.self)));
}

}  // namespace sandproof::machine::programs::awk
