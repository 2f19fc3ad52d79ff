// SPDX-License-Identifier: Apache-2.0
// A description with a setting of every type, and a table of two flavors that cannot be started:
// what settings and stacks are read against. Values that are made once; one thread.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sandproof/flavor.h"

namespace sandproof::fuzz {

inline SettingField field(std::string name, SettingType type, SettingValue value) {
  SettingField made;
  made.name = std::move(name);
  made.type = type;
  made.default_value = std::move(value);
  made.help = "one of its type";
  return made;
}

inline const SettingsDescription& every_type() {
  static const SettingsDescription description = [] {
    SettingField bounded = field("bounded", SettingType::kNumber, 0.5);
    bounded.least = 0;
    bounded.largest = 1;
    SettingField choice = field("choice", SettingType::kString, std::string("red"));
    choice.choices = {"red", "green"};
    return SettingsDescription(
        {field("flag", SettingType::kBool, true),
         field("whole", SettingType::kInteger, std::int64_t{7}),
         field("number", SettingType::kNumber, 0.5), bounded,
         field("duration", SettingType::kDuration, 1.0),
         field("size", SettingType::kBytes, std::int64_t{1024}),
         field("text", SettingType::kString, std::string()), choice,
         field("list", SettingType::kStringList, std::vector<std::string>{}),
         field("map", SettingType::kStringMap, std::map<std::string, std::string>{}),
         field("some", SettingType::kBoolOrList, false)});
  }();
  return description;
}

inline const FlavorTable& two_flavors() {
  static const FlavorTable table({{.name = "every",
                                   .documentation_url = "",
                                   .settings = every_type(),
                                   .capabilities = {},
                                   .make_hooks = {}},
                                  {.name = "plain",
                                   .documentation_url = "",
                                   .settings = SettingsDescription(),
                                   .capabilities = {},
                                   .make_hooks = {}}});
  return table;
}

}  // namespace sandproof::fuzz
