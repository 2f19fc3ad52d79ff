// SPDX-License-Identifier: Apache-2.0
// Settings: a value from field names to typed values, and the table that describes a flavor's.
// The table drives JSON, validation by name, merging, documentation and command-line flags; flavors
// have typed views over it. Values; any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sandproof {

using SettingValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>,
                                  std::map<std::string, std::string>>;

enum class SettingType {
  kBool,
  kInteger,   ///< std::int64_t
  kNumber,    ///< double; an integer is taken too
  kDuration,  ///< double, seconds; an integer is taken too
  kBytes,     ///< std::int64_t; text such as "512 MiB", "1g", "64k" is taken too
  kString,
  kStringList,
  kStringMap,   ///< names are environment names; replaced as a whole in a merge (SET-002)
  kBoolOrList,  ///< bool or a list of strings
};
std::string_view to_string(SettingType type);

/// The fields that were set, and nothing else: a field set to its default counts as set (SET-001).
class Settings {
 public:
  Settings& set(std::string name, SettingValue value);
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Null when the field was not set.
  const SettingValue* find(std::string_view name) const;
  const std::map<std::string, SettingValue, std::less<>>& fields() const { return fields_; }
  /// A copy in which the fields set in `higher` win, each as a whole.
  Settings overlaid_with(const Settings& higher) const;
  friend bool operator==(const Settings&, const Settings&) = default;

 private:
  std::map<std::string, SettingValue, std::less<>> fields_;
};

struct SettingField {
  std::string name;
  SettingType type;
  SettingValue default_value;
  std::string help;
  /// Bounds for numbers, durations (seconds) and bytes; inclusive.
  std::optional<double> least;
  std::optional<double> largest;
  /// For strings: the allowed values; empty means any.
  std::vector<std::string> choices;
};

class SettingsDescription {
 public:
  /// `own` are the flavor's fields; the fields that every flavor has (`environment`,
  /// `drain_grace`, `spill_limit`, `spill_dir`, `operation_timeout`) are added in front of them.
  /// Throws std::logic_error for a name that is there twice or a default of the wrong type.
  explicit SettingsDescription(std::vector<SettingField> own = {});

  const std::vector<SettingField>& fields() const { return fields_; }
  const SettingField* find(std::string_view name) const;

  /// Throws InvalidArgumentError that names the field and says what would be right: unknown name
  /// (with the nearest known ones), wrong type, out of bounds, bad environment name or a NUL.
  /// Returns the settings with values in their canonical types.
  Settings checked(const Settings& settings) const;
  /// Every field: what was set, else its default. `settings` must have passed checked().
  Settings completed(const Settings& settings) const;

  /// One JSON object; unknown names, wrong types and bad JSON throw InvalidArgumentError.
  Settings from_json(std::string_view json) const;
  /// One field from text, as a command line gives it ("k=v" split by the caller). Lists and maps
  /// are taken as JSON.
  Settings from_text(std::string_view name, std::string_view value) const;
  std::string to_json(const Settings& settings) const;

 private:
  std::vector<SettingField> fields_;
};

/// Typed access. Throws std::logic_error for a field that is absent or of another type: completed()
/// settings have every field of their description.
template <typename T>
const T& setting(const Settings& settings, std::string_view name);
std::chrono::milliseconds setting_duration(const Settings& settings, std::string_view name);

/// True for `[A-Za-z_][A-Za-z0-9_]*` (ENV-004).
bool is_environment_name(std::string_view name);

}  // namespace sandproof
