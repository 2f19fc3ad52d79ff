// SPDX-License-Identifier: Apache-2.0
// Checks of single settings (settings_fields.h). Pure functions; any thread.
#include "settings_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "nearest_names.h"
#include "sandproof/errors.h"

namespace sandproof {
namespace {

using List = std::vector<std::string>;
using Map = std::map<std::string, std::string>;

std::string unit_of(SettingType type) {
  if (type == SettingType::kDuration) return " seconds";
  if (type == SettingType::kBytes) return " bytes";
  return {};
}

std::string bounds_of(const SettingField& field) {
  const std::string unit = unit_of(field.type);
  if (field.least && field.largest) {
    return "between " + number_text(*field.least) + " and " + number_text(*field.largest) + unit;
  }
  if (field.least) return "at least " + number_text(*field.least) + unit;
  if (field.largest) return "at most " + number_text(*field.largest) + unit;
  return {};
}

std::string kind_of(SettingType type) {
  switch (type) {
    case SettingType::kBool:
      return "true or false";
    case SettingType::kInteger:
      return "a whole number";
    case SettingType::kNumber:
      return "a number";
    case SettingType::kDuration:
      return "a number of seconds";
    case SettingType::kBytes:
      return "a size such as 1048576, 64k or 512 MiB";
    case SettingType::kString:
      return "a string";
    case SettingType::kStringList:
      return "a list of strings";
    case SettingType::kStringMap:
      return "a map from names to strings";
    case SettingType::kBoolOrList:
      return "true, false or a list of strings";
  }
  return {};
}

std::string kind_of(const SettingValue& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, bool>) return held ? "true" : "false";
        if constexpr (std::is_same_v<T, std::int64_t>) return std::to_string(held);
        if constexpr (std::is_same_v<T, double>) return number_text(held);
        if constexpr (std::is_same_v<T, std::string>) return "a string";
        if constexpr (std::is_same_v<T, List>) return "a list";
        if constexpr (std::is_same_v<T, Map>) return "a map";
      },
      value);
}

double in_bounds(const SettingField& field, double number) {
  if (!std::isfinite(number)) refuse_setting(field, number_text(number));
  if ((field.least && number < *field.least) || (field.largest && number > *field.largest)) {
    throw InvalidArgumentError("setting `" + field.name + "` is " + number_text(number) +
                               ": it must be " + bounds_of(field));
  }
  return number;
}

void refuse_nul(const std::string& place, const std::string& text) {
  const std::size_t nul = text.find('\0');
  if (nul == std::string::npos) return;
  throw InvalidArgumentError("setting " + place + " has a NUL at byte " + std::to_string(nul) +
                             ": no argument or variable of a program can carry one; remove it");
}

SettingValue canonical_list(const SettingField& field, const List& list) {
  for (std::size_t index = 0; index < list.size(); ++index) {
    refuse_nul("`" + field.name + "[" + std::to_string(index) + "]`", list[index]);
  }
  return list;
}

SettingValue canonical_map(const SettingField& field, const Map& map) {
  for (const auto& [name, value] : map) {
    if (!is_environment_name(name)) {
      throw InvalidArgumentError("setting `" + field.name + "` has the name `" + shown(name) +
                                 "`: a name must be letters, digits and underscores and not begin "
                                 "with a digit");
    }
    refuse_nul("`" + field.name + "." + name + "`", value);
  }
  return map;
}

SettingValue canonical_string(const SettingField& field, const std::string& text) {
  refuse_nul("`" + field.name + "`", text);
  const List& choices = field.choices;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end()) {
    refuse_setting(field, "`" + shown(text) + "`");
  }
  return text;
}

SettingValue canonical_bytes(const SettingField& field, const SettingValue& value) {
  std::optional<std::int64_t> bytes;
  if (const auto* number = std::get_if<std::int64_t>(&value)) bytes = *number;
  if (const auto* text = std::get_if<std::string>(&value)) {
    bytes = parse_bytes(*text);
    if (!bytes) refuse_setting(field, "`" + shown(*text) + "`");
  }
  if (!bytes) refuse_setting(field, kind_of(value));
  in_bounds(field, static_cast<double>(*bytes));
  return *bytes;
}

SettingValue canonical_number(const SettingField& field, const SettingValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return in_bounds(field, static_cast<double>(*whole));
  }
  if (const auto* number = std::get_if<double>(&value)) return in_bounds(field, *number);
  refuse_setting(field, kind_of(value));
}

}  // namespace

void refuse_setting(const SettingField& field, const std::string& is) {
  std::string right = kind_of(field.type);
  if (!field.choices.empty()) {
    right = (field.choices.size() > 1 ? "one of " : "") + joined(field.choices, "or");
  } else if (const std::string bounds = bounds_of(field); !bounds.empty()) {
    right += ", " + bounds;
  }
  throw InvalidArgumentError("setting `" + field.name + "` is " + is + ": it must be " + right);
}

SettingValue canonical_value(const SettingField& field, const SettingValue& value) {
  switch (field.type) {
    case SettingType::kBool:
      if (std::holds_alternative<bool>(value)) return value;
      break;
    case SettingType::kInteger:
      if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        in_bounds(field, static_cast<double>(*whole));
        return value;
      }
      break;
    case SettingType::kNumber:
    case SettingType::kDuration:
      return canonical_number(field, value);
    case SettingType::kBytes:
      return canonical_bytes(field, value);
    case SettingType::kString:
      if (const auto* text = std::get_if<std::string>(&value))
        return canonical_string(field, *text);
      break;
    case SettingType::kBoolOrList:
      if (std::holds_alternative<bool>(value)) return value;
      [[fallthrough]];
    case SettingType::kStringList:
      if (const auto* list = std::get_if<List>(&value)) return canonical_list(field, *list);
      break;
    case SettingType::kStringMap:
      if (const auto* map = std::get_if<Map>(&value)) return canonical_map(field, *map);
      break;
  }
  refuse_setting(field, kind_of(value));
}

std::optional<std::int64_t> parse_bytes(std::string_view text) {
  if (text.ends_with(' ')) return std::nullopt;  // Blanks stand before a unit and nowhere else.
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  std::string unit(text);
  // By hand and not by tolower, which follows the locale.
  for (char& c : unit) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (unit.empty() || unit == "b") return number;
  constexpr std::string_view kPrefixes = "kmgt";
  const std::size_t power = kPrefixes.find(unit.front());
  const std::string_view rest = std::string_view(unit).substr(1);
  if (power == std::string_view::npos || !(rest.empty() || rest == "b" || rest == "ib")) {
    return std::nullopt;
  }
  const std::int64_t factor = std::int64_t{1} << (10 * (power + 1));
  if (number > std::numeric_limits<std::int64_t>::max() / factor ||
      number < std::numeric_limits<std::int64_t>::min() / factor) {
    return std::nullopt;
  }
  return number * factor;
}

std::string number_text(double number) {
  // Every whole number below is exact in a double.
  constexpr double kExact = 9007199254740992;  // 2^53
  std::array<char, 32> text{};                 // The shortest text of a double has at most 24.
  const bool whole =
      std::isfinite(number) && std::trunc(number) == number && std::abs(number) <= kExact;
  const auto result = whole ? std::to_chars(text.data(), text.data() + text.size(),
                                            static_cast<std::int64_t>(number))
                            : std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), result.ptr};
}

}  // namespace sandproof
