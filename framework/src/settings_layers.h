// SPDX-License-Identifier: Apache-2.0
// The layers of a session's settings (CONTRACT.md, SET-001). A function over values; any thread.
#pragma once

#include <optional>

#include "sandproof/settings.h"

namespace sandproof {

/// Every field of the description: from `override` where it was set there, else from the base, else
/// its default. The base is `step` where the step has settings for the component, even if they set
/// nothing, else `component`. Each layer is checked before it takes part; throws as
/// SettingsDescription::checked, and says which layer is wrong where it is not `override`. Secret
/// references are left as they are.
[[nodiscard]] Settings effective_settings(const SettingsDescription& description,
                                          const Settings& component,
                                          const std::optional<Settings>& step,
                                          const Settings& override);

}  // namespace sandproof
