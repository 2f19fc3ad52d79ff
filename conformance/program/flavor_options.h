// SPDX-License-Identifier: Apache-2.0
// The options with which a person says what to run and how it is configured: --flavor, --stack,
// --sandbox, --config, --set. Shared by run, replay and exec.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/program/distinct_files.h"
#include "conformance/runner/suite.h"
#include "sandproof/flavor.h"

namespace CLI {
class App;
}

namespace sandproof::conformance {

struct FlavorOptions {
  std::vector<std::string> flavors;
  std::string stack;
  std::string sandbox;
  std::string config;
  std::vector<std::string> sets;

  /// `many`: --flavor may be given several times.
  void add_to(CLI::App& app, bool many);
  /// The configuring ones as they were given: for a replay line.
  std::vector<std::string> as_words() const;
  /// The files that are read.
  std::vector<NamedFile> inputs() const;
};

/// A flavor with its configuration.
struct ConfiguredFlavor {
  const Binding* binding = nullptr;
  /// Checked; a JSON object.
  std::string config_json;
  /// From the stack; empty without one.
  std::string component_id;
  /// The words that configure it so again, besides --flavor.
  std::vector<std::string> replay;
};

/// What the options say; without --flavor and --stack every binding that is not
/// test-only. Low to high: the stack's
/// config, --config, --set. Throws ProgramError (kUsage): unknown flavor or sandbox, unreadable
/// file, unknown field, bad value, or a field that is set twice.
std::vector<ConfiguredFlavor> configured_flavors(const Suite& suite, const FlavorOptions& options);

/// What a component of it is made with: the binding's own settings with the configuration on top.
/// `scratch` is as of Binding::base_settings.
Settings component_settings(const ConfiguredFlavor& configured,
                            const std::filesystem::path& scratch);

}  // namespace sandproof::conformance
