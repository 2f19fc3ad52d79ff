// SPDX-License-Identifier: Apache-2.0
// A mutant that gets the environment of the settings wrong. Thread-safe where the wrapped sandbox
// is.
#pragma once

#include <memory>

#include "conformance/mutants/support.h"

namespace sandproof::conformance {

/// A sandbox whose sessions get the environment of their settings, where these have one, as
/// `Change` has altered it: Environment(Environment), a pure function; for
/// the_sandbox<ChangedSettingsEnvironment<…>>.
template <typename Change>
class ChangedSettingsEnvironment : public Faulty<SandboxWrapper> {
 public:
  using Faulty<SandboxWrapper>::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    if (!overrides.has("environment") || !fires()) {
      return inner().create_session(overrides, on_exit, where);
    }
    Settings changed = overrides;
    changed.set("environment", Change()(setting<Environment>(overrides, "environment")));
    return inner().create_session(changed, on_exit, where);
  }
};

}  // namespace sandproof::conformance
