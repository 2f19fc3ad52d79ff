// SPDX-License-Identifier: Apache-2.0
// Flavors that break ENV: names and values that are to be refused. Each mutation is used from any
// thread.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/settings_environment.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

/// exec and create_session without what they refuse.
template <typename Repair>
class BadEnvironmentIsRepaired : public Faulty<SandboxWrapper> {
 public:
  using Faulty<SandboxWrapper>::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    try {
      return with_exec(inner().create_session(overrides, on_exit, where));
    } catch (const InvalidArgumentError&) {
      if (!fires()) throw;
      Settings changed = overrides;
      changed.set("environment", Repair()(setting<Environment>(overrides, "environment")));
      return with_exec(inner().create_session(changed, on_exit, where));
    }
  }

 private:
  class Repairs : public Faulty<SessionWrapper> {
   public:
    using Faulty<SessionWrapper>::Faulty;
    std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
      try {
        return inner().exec(command, options, where);
      } catch (const InvalidArgumentError&) {
        if (!fires()) throw;
        options.env = Repair()(options.env);
        return inner().exec(command, options, where);
      }
    }
  };
  std::unique_ptr<Session> with_exec(std::unique_ptr<Session> session) {
    return std::make_unique<Repairs>(std::move(session), trigger());
  }
};
struct DropsBadNames {
  Environment operator()(Environment env) const {
    std::erase_if(env, [](const auto& variable) { return !is_environment_name(variable.first); });
    return env;
  }
};
struct CutsAtANul {
  Environment operator()(Environment env) const {
    for (auto& [name, value] : env) value = value.substr(0, value.find('\0'));
    return env;
  }
};
bool has_bad_name(const Environment& env) {
  return std::ranges::any_of(
      env, [](const auto& variable) { return !is_environment_name(variable.first); });
}

class BadNamesAreExecErrors : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (has_bad_name(options.env) && fires()) {
      throw ExecError(LaunchFailure::kOther, "bad environment");
    }
    return inner().exec(std::move(command), std::move(options), where);
  }
};
class BadSettingsNamesAreBackendErrors : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    if (overrides.has("environment") &&
        has_bad_name(setting<Environment>(overrides, "environment")) && fires()) {
      throw BackendError("bad environment");
    }
    return inner().create_session(overrides, on_exit, where);
  }
};

/// Something is sent before the refusal; where a value is bad, or for all that is.
template <bool kForValuesAlone>
class BadVariablesAreTried : public Faulty<SessionWrapper> {
 public:
  using Faulty<SessionWrapper>::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    try {
      return inner().exec(command, options, where);
    } catch (const InvalidArgumentError&) {
      const bool meant = !kForValuesAlone || !has_bad_name(options.env);
      if (meant && fires()) inner().exec({"true"})->wait();
      throw;
    }
  }
};

}  // namespace

std::vector<Mutant> env_refused_mutants() {
  return {
      {.name = "BadNamesAreDropped",
       .rule = "ENV-004",
       .what = "Variables with bad names are left out.",
       .wrap = the_sandbox<BadEnvironmentIsRepaired<DropsBadNames>>()},
      {.name = "BadNamesAreExecErrors",
       .rule = "ENV-004",
       .what = "Variables with bad names are an ExecError.",
       .wrap = each_session<BadNamesAreExecErrors>()},
      {.name = "BadSettingsNamesAreBackendErrors",
       .rule = "ENV-004",
       .what = "Variables with bad names in the settings are a BackendError.",
       .wrap = the_sandbox<BadSettingsNamesAreBackendErrors>()},
      {.name = "BadSettingsNamesAreDropped",
       .rule = "ENV-004",
       .what = "Variables with bad names are left out of the settings.",
       .wrap = the_sandbox<ChangedSettingsEnvironment<DropsBadNames>>()},
      {.name = "ANulCutsTheValue",
       .rule = "ENV-004",
       .what = "A value ends at its first NUL.",
       .wrap = the_sandbox<BadEnvironmentIsRepaired<CutsAtANul>>()},
      {.name = "BadNamesAreTried",
       .rule = "ENV-004",
       .what = "The backend is asked before the names are looked at.",
       .wrap = each_session<BadVariablesAreTried<false>>()},
      {.name = "BadValuesAreTried",
       .rule = "ENV-004",
       .what = "The backend is asked before the values are looked at.",
       .wrap = each_session<BadVariablesAreTried<true>>()},
  };
}

}  // namespace sandproof::conformance
