// SPDX-License-Identifier: Apache-2.0
// Settings as JSON and as text of a command line (settings_json.h, sandproof/settings.h). Pure
// functions; any thread.
#include "settings_json.h"

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <type_traits>

#include "json_text.h"
#include "nearest_names.h"
#include "sandproof/errors.h"
#include "settings_fields.h"

namespace sandproof {
namespace {

using nlohmann::json;

std::string string_element(const SettingField& field, const std::string& place,
                           const json& element) {
  if (element.is_string()) return element.get<std::string>();
  throw InvalidArgumentError("setting `" + field.name + place + "` is " + json_kind(element) +
                             ": it must be a string");
}

// JSON to the one alternative of SettingValue that it can be; whether the field wants that one is
// canonical_value's to say.
SettingValue value_of(const SettingField& field, const json& value) {
  switch (value.type()) {
    case json::value_t::boolean:
      return value.get<bool>();
    case json::value_t::number_integer:
      return value.get<std::int64_t>();
    case json::value_t::number_unsigned:
      if (value.get<std::uint64_t>() <=
          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return value.get<std::int64_t>();
      }
      return value.get<double>();
    case json::value_t::number_float:
      return value.get<double>();
    case json::value_t::string:
      return value.get<std::string>();
    case json::value_t::array: {
      std::vector<std::string> list;
      for (const json& element : value) {
        list.push_back(string_element(field, "[" + std::to_string(list.size()) + "]", element));
      }
      return list;
    }
    case json::value_t::object: {
      std::map<std::string, std::string> map;
      for (const auto& [name, element] : value.items()) {
        map.emplace(name, string_element(field, "." + shown(name), element));
      }
      return map;
    }
    default:
      refuse_setting(field, json_kind(value));
  }
}

// A whole text as one number.
template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return number;
}

SettingValue value_of_text(const SettingField& field, std::string_view text) {
  const bool is_word = text == "true" || text == "false";
  switch (field.type) {
    case SettingType::kInteger:
      if (const auto whole = number_of<std::int64_t>(text)) return *whole;
      break;
    case SettingType::kNumber:
    case SettingType::kDuration:
      if (const auto number = number_of<double>(text)) return *number;
      break;
    case SettingType::kBytes:
    case SettingType::kString:
      return std::string(text);
    case SettingType::kBool:
      if (is_word) return text == "true";
      break;
    case SettingType::kBoolOrList:
    case SettingType::kStringList:
    case SettingType::kStringMap: {
      if (is_word) return text == "true";
      // Not shown when it is refused: a map is an environment, and may hold anything.
      const char* const example = field.type == SettingType::kStringMap ? "{\"NAME\": \"value\"}"
                                                                        : "[\"first\", \"second\"]";
      return value_of(
          field, parse_json(text, "setting `" + field.name + "` is not JSON such as " + example));
    }
  }
  refuse_setting(field, "`" + shown(text) + "`");
}

}  // namespace

Settings settings_from_value(const SettingsDescription& description, const json& object) {
  if (!object.is_object()) {
    throw InvalidArgumentError("the settings are " + json_kind(object) +
                               ": they must be an object of names and values");
  }
  Settings settings;
  for (const auto& [name, value] : object.items()) {
    const SettingField& field = known_field(description, name);
    settings.set(name, canonical_value(field, value_of(field, value)));
  }
  return settings;
}

Settings SettingsDescription::from_json(std::string_view text) const {
  return settings_from_value(*this, parse_json(text, "cannot read the settings"));
}

Settings SettingsDescription::from_text(std::string_view name, std::string_view value) const {
  const SettingField& field = known_field(*this, name);
  return Settings().set(field.name, canonical_value(field, value_of_text(field, value)));
}

std::string SettingsDescription::to_json(const Settings& settings) const {
  json object = json::object();
  const Settings canonical = checked(settings);
  for (const auto& [name, value] : canonical.fields()) {
    std::visit([&, key = name](const auto& held) { object[key] = held; }, value);
  }
  return json_text(object, "cannot write the settings as JSON");
}

}  // namespace sandproof
