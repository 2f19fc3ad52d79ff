// SPDX-License-Identifier: Apache-2.0
// Flavors that break ATTACH: whose environment variables an attached handle has. Each mutation is
// used from any thread.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"

namespace sandproof::conformance {
namespace {

/// An attached handle has the variables of the sandbox that attached it.
class AttachTakesTheCallersEnvironment : public Faulty<SandboxHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<SessionHooks> do_attach(const SessionSpec& spec) override {
    return std::make_unique<WithTheCallers>(inner().do_attach(spec), trigger(), spec.env);
  }

 private:
  class WithTheCallers : public Faulty<SessionHookWrapper> {
   public:
    WithTheCallers(std::unique_ptr<SessionHooks> inner, std::shared_ptr<Trigger> trigger,
                   Environment env)
        : Faulty(std::move(inner), std::move(trigger)), env_(std::move(env)) {}
    std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
      if (env_.empty() || !fires()) return inner().do_exec(request);
      ExecRequest changed = request;
      for (const auto& [name, value] : env_) {
        changed.exec_env.try_emplace(name, value);
        changed.env.try_emplace(name, value);
      }
      return inner().do_exec(changed);
    }

   private:
    const Environment env_;
  };
};

/// The variables that sessions were created with, known to this process alone.
struct RememberedVariables {
  std::mutex mutex;
  std::map<std::string, Environment, std::less<>> of_session;
};

class VariablesAreOnlyKnownHere : public Faulty<SandboxWrapper> {
 public:
  VariablesAreOnlyKnownHere(std::unique_ptr<Sandbox> inner, std::shared_ptr<Trigger> trigger,
                            std::shared_ptr<RememberedVariables> known)
      : Faulty(std::move(inner), std::move(trigger)), known_(std::move(known)) {}
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    const SettingValue* const own = overrides.find("environment");
    if (own == nullptr || !fires()) return inner().create_session(overrides, on_exit, where);
    Settings rest;
    for (const auto& [name, value] : overrides.fields()) {
      if (name != "environment") rest.set(name, value);
    }
    const Environment env = std::get<Environment>(*own);
    auto session = inner().create_session(rest, on_exit, where);
    const std::lock_guard lock(known_->mutex);
    known_->of_session[session->id()] = env;
    return std::make_unique<Adds>(std::move(session), env);
  }
  std::unique_ptr<Session> attach(std::string_view id, Where where) override {
    auto session = inner().attach(id, where);
    const std::lock_guard lock(known_->mutex);
    const auto found = known_->of_session.find(id);
    if (found == known_->of_session.end()) return session;
    return std::make_unique<Adds>(std::move(session), found->second);
  }

 private:
  class Adds : public SessionWrapper {
   public:
    Adds(std::unique_ptr<Session> inner, Environment env)
        : SessionWrapper(std::move(inner)), env_(std::move(env)) {}
    std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
      for (const auto& [name, value] : env_) options.env.try_emplace(name, value);
      return inner().exec(std::move(command), std::move(options), where);
    }

   private:
    const Environment env_;
  };

  const std::shared_ptr<RememberedVariables> known_;
};

WrapSandbox variables_are_only_known_here() {
  return [known = std::make_shared<RememberedVariables>()](std::unique_ptr<Sandbox> inner,
                                                           std::shared_ptr<Trigger> trigger) {
    return std::make_unique<VariablesAreOnlyKnownHere>(std::move(inner), std::move(trigger), known);
  };
}

}  // namespace

// Every rule of the area needs the capability to attach: no row has to say it.
std::vector<Mutant> attach_environment_mutants() {
  return {
      {.name = "AttachTakesTheCallersEnvironment",
       .rule = "ATTACH-005",
       .what = "An attached handle has the variables of the sandbox that attached it.",
       .wrap_hooks = the_sandbox_hooks<AttachTakesTheCallersEnvironment>()},
      {.name = "VariablesAreOnlyKnownHere",
       .rule = "ATTACH-005",
       .what = "Per-session variables are in a table in memory that no other process has.",
       .wrap = variables_are_only_known_here(),
       .with = {Capability::kCrossProcess}},
  };
}

}  // namespace sandproof::conformance
