// SPDX-License-Identifier: Apache-2.0
// Settings from JSON values that were parsed already, and the lookup that refuses by name.
// Pure functions; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "sandproof/settings.h"

namespace sandproof {

/// The field of that name. Throws InvalidArgumentError with the nearest known names.
[[nodiscard]] const SettingField& known_field(const SettingsDescription& description,
                                              std::string_view name);

/// Checked settings from a JSON object. Throws as SettingsDescription::checked, and for JSON that
/// no setting can hold (null, nested lists …).
[[nodiscard]] Settings settings_from_value(const SettingsDescription& description,
                                           const nlohmann::json& object);

}  // namespace sandproof
