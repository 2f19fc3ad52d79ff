// SPDX-License-Identifier: Apache-2.0
// Merges the layers of settings (settings_layers.h). Any thread.
#include "settings_layers.h"

#include <string>

#include "sandproof/errors.h"

namespace sandproof {
namespace {

Settings checked_layer(const SettingsDescription& description, const Settings& layer,
                       const std::string& owner) {
  try {
    return description.checked(layer);
  } catch (const InvalidArgumentError& error) {
    throw InvalidArgumentError("in the settings of the " + owner + ", " + error.what());
  }
}

}  // namespace

Settings effective_settings(const SettingsDescription& description, const Settings& component,
                            const std::optional<Settings>& step, const Settings& override) {
  const Settings base = step ? checked_layer(description, *step, "step")
                             : checked_layer(description, component, "component");
  return description.completed(base.overlaid_with(description.checked(override)));
}

}  // namespace sandproof
