// SPDX-License-Identifier: Apache-2.0
// From options to configured flavors; see flavor_options.h.
#include "conformance/program/flavor_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <optional>

#include "conformance/program/case_filter.h"
#include "conformance/program/program_error.h"
#include "conformance/program/value_checks.h"
#include "conformance/report/files.h"
#include "sandproof/errors.h"
#include "sandproof/stack.h"
#include "sandproof/words.h"

namespace sandproof::conformance {
namespace {

std::string read_config(const std::string& path) {
  try {
    return read_whole_file(path, "the config file");
  } catch (const std::runtime_error& error) {
    throw usage_error(error.what());
  }
}

Settings parsed(const Flavor& flavor, const std::string& json, const std::string& source) {
  try {
    return flavor.settings.from_json(json);
  } catch (const InvalidArgumentError& error) {
    throw usage_error(
        fmt::format("{} does not suit the flavor `{}`: {}", source, flavor.name, error.what()));
  }
}

Settings parsed_set(const Flavor& flavor, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw usage_error(fmt::format("--set takes NAME=VALUE, not `{}`", word));
  }
  if (!is_utf8(word)) {
    throw usage_error(
        fmt::format("--set {} is not UTF-8, as settings have to be; write it in UTF-8 (a path that "
                    "is not can be reached through a link)",
                    word.substr(0, equals)));
  }
  try {
    return flavor.settings.from_text(word.substr(0, equals), word.substr(equals + 1));
  } catch (const InvalidArgumentError& error) {
    throw usage_error(fmt::format("--set {} does not suit the flavor `{}`: {}",
                                  word.substr(0, equals), flavor.name, error.what()));
  }
}

/// The last one would win, and nobody would see that another was meant.
void check_set_once(const std::vector<std::string>& words) {
  std::map<std::string, std::string> values;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    const auto [first, added] = values.emplace(word.substr(0, equals), word.substr(equals + 1));
    if (added) continue;
    throw usage_error(fmt::format("--set {} is given twice, as `{}` and as `{}`; give it once",
                                  first->first, first->second, word.substr(equals + 1)));
  }
}

ConfiguredFlavor configure(const Binding& binding, const StackEntry* entry,
                           const FlavorOptions& options, const std::optional<std::string>& config) {
  const Flavor& flavor = binding.flavor;
  Settings settings;
  if (entry != nullptr) settings = entry->config;
  if (config) {
    settings = settings.overlaid_with(
        parsed(flavor, *config, fmt::format("the config file {}", options.config)));
  }
  for (const std::string& word : options.sets) {
    settings = settings.overlaid_with(parsed_set(flavor, word));
  }
  return {&binding, settings.fields().empty() ? std::string() : flavor.settings.to_json(settings),
          entry == nullptr ? std::string() : entry->id, options.as_words()};
}

Stack read_stack(const Suite& suite, const std::string& path) {
  std::vector<Flavor> flavors;
  for (const Binding& binding : suite.bindings) flavors.push_back(binding.flavor);
  return load_stack(path, FlavorTable(std::move(flavors)));
}

/// Every flavor that is not for tests of the suite alone; all of them where there are no others.
std::vector<std::string> default_names(const Suite& suite) {
  std::vector<std::string> names;
  for (const Binding& binding : suite.bindings) {
    if (!binding.test_only) names.push_back(binding.name());
  }
  return names.empty() ? binding_names(suite) : names;
}

/// The first of a flavor.
const StackEntry& entry_of(const Stack& stack, const std::string& path, std::string_view flavor) {
  std::string known;
  for (const StackEntry& entry : stack.entries()) {
    if (entry.flavor == flavor) return entry;
    known += (known.empty() ? "" : ", ") + entry.flavor;
  }
  throw usage_error(fmt::format("the stack file {} has no sandbox of the flavor `{}`; it has {}",
                                path, flavor, known));
}

}  // namespace

void FlavorOptions::add_to(CLI::App& app, bool many) {
  auto* const flavor = app.add_option("--flavor", flavors, "The flavor, by its name")
                           ->type_name("NAME")
                           ->allow_extra_args(false);
  if (many) {
    flavor->description(
        "A flavor to run against; may be repeated (default: all that are not test-only)");
  } else {
    flavor->expected(1);
  }
  app.add_option("--stack", stack, "A file that names sandboxes with their flavors and configs")
      ->type_name("FILE");
  app.add_option("--sandbox", sandbox, "The sandbox of the stack (default: its first)")
      ->type_name("NAME")
      ->needs("--stack");
  app.add_option("--config", config, "A JSON file with the flavor's settings")->type_name("FILE");
  app.add_option("--set", sets, "One setting of the flavor; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

std::vector<std::string> FlavorOptions::as_words() const {
  std::vector<std::string> words;
  const auto add = [&words](const char* option, const std::string& value) {
    if (value.empty()) return;
    words.emplace_back(option);
    words.push_back(value);
  };
  add("--stack", stack);
  add("--sandbox", sandbox);
  add("--config", config);
  for (const std::string& word : sets) add("--set", word);
  return words;
}

std::vector<NamedFile> FlavorOptions::inputs() const {
  return {{"--stack " + stack, stack}, {"--config " + config, config}};
}

std::vector<ConfiguredFlavor> configured_flavors(const Suite& suite, const FlavorOptions& options) {
  check_set_once(options.sets);
  std::optional<std::string> config;
  if (!options.config.empty()) config = read_config(options.config);
  std::vector<ConfiguredFlavor> configured;
  if (options.stack.empty()) {
    const std::vector<std::string> names =
        options.flavors.empty() ? default_names(suite) : options.flavors;
    for (const std::string& name : names) {
      const Binding& binding = binding_named(suite, name);
      const bool twice =
          std::any_of(configured.begin(), configured.end(),
                      [&](const ConfiguredFlavor& other) { return other.binding == &binding; });
      if (twice) throw usage_error(fmt::format("--flavor {} is given twice", name));
      configured.push_back(configure(binding, nullptr, options, config));
    }
    return configured;
  }
  const Stack stack = read_stack(suite, options.stack);
  if (options.flavors.empty() || !options.sandbox.empty()) {
    const StackEntry& entry =
        options.sandbox.empty() ? stack.default_entry() : stack.at(options.sandbox);
    for (const std::string& name : options.flavors) {
      if (name == entry.flavor) continue;
      throw usage_error(fmt::format("the sandbox `{}` of {} is of the flavor `{}`, not `{}`",
                                    entry.name, options.stack, entry.flavor, name));
    }
    return {configure(binding_named(suite, entry.flavor), &entry, options, config)};
  }
  for (const std::string& name : options.flavors) {
    const Binding& binding = binding_named(suite, name);
    configured.push_back(
        configure(binding, &entry_of(stack, options.stack, name), options, config));
  }
  return configured;
}

Settings component_settings(const ConfiguredFlavor& configured,
                            const std::filesystem::path& scratch) {
  const Binding& binding = *configured.binding;
  Settings settings;
  if (binding.base_settings) settings = binding.base_settings(scratch);
  if (configured.config_json.empty()) return settings;
  return settings.overlaid_with(binding.flavor.settings.from_json(configured.config_json));
}

}  // namespace sandproof::conformance
