// SPDX-License-Identifier: Apache-2.0
// The table of a flavor's settings (sandproof/settings.h): lookup, checks, defaults. A value; any
// thread.
#include <stdexcept>
#include <utility>

#include "nearest_names.h"
#include "sandproof/errors.h"
#include "sandproof/settings.h"
#include "settings_fields.h"
#include "settings_json.h"

namespace sandproof {
namespace {

constexpr double kLargestDrainGraceSeconds = 3600;
// Not 0: nothing starts in no time. A day is longer than any start, close or transfer may take.
constexpr double kLeastOperationTimeoutSeconds = 0.001;
constexpr double kLargestOperationTimeoutSeconds = 86400;
constexpr std::int64_t kDefaultSpillLimit = std::int64_t{1} << 30;

std::vector<SettingField> common_fields() {
  return {
      {"environment",
       SettingType::kStringMap,
       std::map<std::string, std::string>{},
       "Variables of every command of the session; values may hold secret references.",
       {},
       {},
       {}},
      {"drain_grace",
       SettingType::kDuration,
       1.0,
       "How long output streams are read on after a command's exit while a descendant holds them.",
       0.0,
       kLargestDrainGraceSeconds,
       {}},
      {"spill_limit",
       SettingType::kBytes,
       kDefaultSpillLimit,
       "Bytes of unread output per stream that are kept in a file before the command is held back.",
       0.0,
       {},
       {}},
      {"spill_dir",
       SettingType::kString,
       std::string(),
       "Where that file is made; empty: $TMPDIR, or /tmp.",
       {},
       {},
       {}},
      {"operation_timeout",
       SettingType::kDuration,
       30.0,
       "The deadline of create, exec's start, transfers, snapshots, close and destroy.",
       kLeastOperationTimeoutSeconds,
       kLargestOperationTimeoutSeconds,
       {}},
  };
}

SettingValue checked_default(const SettingField& field) {
  try {
    return canonical_value(field, field.default_value);
  } catch (const InvalidArgumentError& error) {
    throw std::logic_error("the default of a described setting is wrong: " +
                           std::string(error.what()));
  }
}

}  // namespace

SettingsDescription::SettingsDescription(std::vector<SettingField> own) : fields_(common_fields()) {
  for (SettingField& field : own) {
    if (field.name.empty()) throw std::logic_error("a described setting has no name");
    if (find(field.name) != nullptr) {
      throw std::logic_error("the setting `" + field.name + "` is described twice");
    }
    fields_.push_back(std::move(field));
  }
  for (SettingField& field : fields_) field.default_value = checked_default(field);
}

const SettingField* SettingsDescription::find(std::string_view name) const {
  for (const SettingField& field : fields_) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

const SettingField& known_field(const SettingsDescription& description, std::string_view name) {
  if (const SettingField* const field = description.find(name)) return *field;
  std::vector<std::string> known;
  known.reserve(description.fields().size());
  for (const SettingField& field : description.fields()) known.push_back(field.name);
  throw InvalidArgumentError("there is no setting `" + shown(name) +
                             "`: " + suggestion(name, known, "settings"));
}

Settings SettingsDescription::checked(const Settings& settings) const {
  Settings canonical;
  for (const auto& [name, value] : settings.fields()) {
    canonical.set(name, canonical_value(known_field(*this, name), value));
  }
  return canonical;
}

Settings SettingsDescription::completed(const Settings& settings) const {
  Settings complete;
  for (const SettingField& field : fields_) complete.set(field.name, field.default_value);
  return complete.overlaid_with(settings);
}

}  // namespace sandproof
