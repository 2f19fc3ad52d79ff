// SPDX-License-Identifier: Apache-2.0
// A flavor as a row, the table of rows that is passed in, and how a sandbox is made from a row.
// Values; any thread. There is no global registry: programs compose their table in one place.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sandproof/capabilities.h"
#include "sandproof/hooks.h"
#include "sandproof/id_source.h"
#include "sandproof/sandbox.h"
#include "sandproof/secret_store.h"
#include "sandproof/settings.h"
#include "sandproof/step.h"

namespace sandproof {

/// What a flavor's factory gets.
struct ComponentContext {
  std::string component_id;
  /// Complete, secrets resolved.
  Settings settings;
  std::shared_ptr<IdSource> ids;
  std::shared_ptr<Diagnostics> diagnostics;
};

struct Flavor {
  std::string name;
  std::string documentation_url;
  SettingsDescription settings;
  Capabilities capabilities;
  std::function<std::unique_ptr<SandboxHooks>(const ComponentContext&)> make_hooks;
};

class FlavorTable {
 public:
  /// Throws std::logic_error for a name that is there twice.
  explicit FlavorTable(std::vector<Flavor> rows);
  const std::vector<Flavor>& rows() const { return rows_; }
  /// Throws InvalidArgumentError that lists the known names.
  const Flavor& at(std::string_view name) const;

 private:
  std::vector<Flavor> rows_;
};

/// What a sandbox is built with besides its flavor. Every pointer may be null.
struct SandboxOptions {
  /// Stable: the same id in another process is the same component. Empty: derived from the
  /// flavor's name ("<flavor>-default").
  std::string component_id;
  /// The component's own config.
  Settings settings;
  std::shared_ptr<SecretStore> secrets;
  std::shared_ptr<IdSource> ids;
  std::shared_ptr<Diagnostics> diagnostics;
  /// Asked at each create, attach and restore; the session binds what it returns.
  std::function<std::optional<StepContext>()> current_step;
  /// Stands between the framework and the flavor's hooks; how a mutant of the hook layer gets in.
  std::function<std::unique_ptr<SandboxHooks>(std::unique_ptr<SandboxHooks>)> decorate_hooks;
};

/// Throws InvalidArgumentError for bad settings, and what the flavor's factory throws.
std::unique_ptr<Sandbox> make_sandbox(const Flavor& flavor, SandboxOptions options = {});

/// The scoped form that reports: runs `body`, then closes or destroys the session. Throws the
/// teardown error if the body did not throw; the body's own exception otherwise (SESSION-006).
void with_session(Sandbox& sandbox, const Settings& settings, OnExit on_exit,
                  const std::function<void(Session&)>& body);

}  // namespace sandproof
