// SPDX-License-Identifier: Apache-2.0
// The settings value and typed access to it (sandproof/settings.h). Values; any thread.
#include "sandproof/settings.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace sandproof {

std::string_view to_string(SettingType type) {
  switch (type) {
    case SettingType::kBool:
      return "bool";
    case SettingType::kInteger:
      return "integer";
    case SettingType::kNumber:
      return "number";
    case SettingType::kDuration:
      return "duration";
    case SettingType::kBytes:
      return "bytes";
    case SettingType::kString:
      return "string";
    case SettingType::kStringList:
      return "list of strings";
    case SettingType::kStringMap:
      return "map of strings";
    case SettingType::kBoolOrList:
      return "bool or list of strings";
  }
  throw std::logic_error("there is no setting type " + std::to_string(static_cast<int>(type)));
}

Settings& Settings::set(std::string name, SettingValue value) {
  fields_.insert_or_assign(std::move(name), std::move(value));
  return *this;
}

const SettingValue* Settings::find(std::string_view name) const {
  const auto found = fields_.find(name);
  return found == fields_.end() ? nullptr : &found->second;
}

Settings Settings::overlaid_with(const Settings& higher) const {
  Settings merged = *this;
  for (const auto& [name, value] : higher.fields_) merged.set(name, value);
  return merged;
}

template <typename T>
const T& setting(const Settings& settings, std::string_view name) {
  const SettingValue* const value = settings.find(name);
  if (value == nullptr) {
    throw std::logic_error("setting `" + std::string(name) + "` is absent: complete the settings");
  }
  const T* const typed = std::get_if<T>(value);
  if (typed == nullptr) {
    throw std::logic_error("setting `" + std::string(name) + "` was asked for as another type");
  }
  return *typed;
}

template const bool& setting<bool>(const Settings&, std::string_view);
template const std::int64_t& setting<std::int64_t>(const Settings&, std::string_view);
template const double& setting<double>(const Settings&, std::string_view);
template const std::string& setting<std::string>(const Settings&, std::string_view);
template const std::vector<std::string>& setting<std::vector<std::string>>(const Settings&,
                                                                           std::string_view);
template const std::map<std::string, std::string>& setting<std::map<std::string, std::string>>(
    const Settings&, std::string_view);

std::chrono::milliseconds setting_duration(const Settings& settings, std::string_view name) {
  // Up, so that a duration over 0 stays over 0; and within what milliseconds hold.
  constexpr double kMillisecondsPerSecond = 1000;
  constexpr double kLargest = 1e15;
  const double milliseconds = std::ceil(setting<double>(settings, name) * kMillisecondsPerSecond);
  return std::chrono::milliseconds(
      static_cast<std::int64_t>(std::clamp(milliseconds, -kLargest, kLargest)));
}

bool is_environment_name(std::string_view name) {
  // By hand and not by isalnum, which follows the locale.
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace sandproof
