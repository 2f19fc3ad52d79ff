// SPDX-License-Identifier: Apache-2.0
// Flavors that break SET: layers, refusals, secrets, numbers. Each mutation is used from any
// thread.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"
#include "sandproof/process.h"

namespace sandproof::conformance {
namespace {

using Variables = std::map<std::string, std::string>;
constexpr const char* kEnvironment = "environment";
/// What the cases put into their secret store.
constexpr const char* kSecret = "s3cr3t-value";

/// Creates with other overrides than the caller's.
template <typename Change>
class ChangedOverrides : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    Settings changed = overrides;
    if (fires()) Change()(changed);
    return inner().create_session(changed, on_exit, where);
  }
};

struct DropsEverything {
  void operator()(Settings& settings) const { settings = {}; }
};
struct DropsWhatIsEmpty {
  void operator()(Settings& settings) const {
    const SettingValue* value = settings.find(kEnvironment);
    if (value != nullptr && std::get<Variables>(*value).empty()) settings = {};
  }
};
/// As if the call had set every field.
struct CompletesWhatIsUnset {
  void operator()(Settings& settings) const {
    if (settings.fields().empty() || settings.has(kEnvironment)) return;
    settings.set(kEnvironment, Variables());
  }
};
/// As if B came from a lower layer.
struct MergesMaps {
  void operator()(Settings& settings) const {
    const SettingValue* value = settings.find(kEnvironment);
    if (value == nullptr) return;
    Variables merged = std::get<Variables>(*value);
    merged.emplace("B", "component");
    settings.set(kEnvironment, std::move(merged));
  }
};
struct DropsUnknownFields {
  void operator()(Settings& settings) const {
    if (settings.has("no_such_field")) settings = {};
  }
};
struct DropsBadNumbers {
  void operator()(Settings& settings) const {
    if (settings.has("operation_timeout")) settings = {};
  }
};
/// Every `{{` becomes a literal one.
struct LeavesReferences {
  void operator()(Settings& settings) const {
    const SettingValue* value = settings.find(kEnvironment);
    if (value == nullptr) return;
    Variables variables = std::get<Variables>(*value);
    for (auto& [name, text] : variables) {
      if (text.find("{{db.pw}}") == std::string::npos) continue;
      text.replace(text.find("{{"), 2, "{{{{");
    }
    settings.set(kEnvironment, std::move(variables));
  }
};

/// A reference in another field than `environment` becomes a literal one.
struct LeavesReferencesInFields {
  void operator()(Settings& settings) const {
    const SettingValue* const value = settings.find("spill_dir");
    if (value == nullptr) return;
    settings.set("spill_dir", "{{" + std::get<std::string>(*value));
  }
};

class TheStepIsIgnored : public Faulty<SandboxHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    SessionSpec changed = spec;
    if (!spec.step_id.empty() && fires()) {
      if (changed.env.contains("A") && changed.env["A"] == "step") {
        changed.env = {{"A", "component"}, {"B", "component"}};
        changed.settings.set(kEnvironment, changed.env);
      }
    }
    return std::make_unique<OwnEnvironment>(inner().do_create_session(changed), changed.env);
  }

 protected:
  /// The framework hands the session's variables in with each exec; these are taken instead.
  class OwnEnvironment : public SessionHookWrapper {
   public:
    OwnEnvironment(std::unique_ptr<SessionHooks> session, Environment env)
        : SessionHookWrapper(std::move(session)), env_(std::move(env)) {}
    std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
      ExecRequest changed = request;
      for (const auto& [name, value] : env_) changed.env[name] = value;
      return inner().do_exec(changed);
    }

   private:
    const Environment env_;
  };
};

/// What the step leaves unset is the component's.
class TheStepIsLaidOverTheComponent : public TheStepIsIgnored {
 public:
  using TheStepIsIgnored::TheStepIsIgnored;
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    SessionSpec changed = spec;
    if (!spec.step_id.empty() && spec.env.empty() && fires()) {
      changed.env = {{"A", "component"}};
      changed.settings.set(kEnvironment, changed.env);
    }
    return std::make_unique<OwnEnvironment>(inner().do_create_session(changed), changed.env);
  }
};

class ABadSettingIsNotNamed : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    try {
      return inner().create_session(overrides, on_exit, where);
    } catch (const InvalidArgumentError&) {
      if (!fires()) throw;
      throw InvalidArgumentError("bad settings");
    }
  }
};

class TheCallersSettingsAreEdited : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    auto session = inner().create_session(overrides, on_exit, where);
    // The fault itself: a caller's object is changed behind its back.
    if (fires()) const_cast<Settings&>(overrides).set("drain_grace", 1.0);  // NOLINT
    return session;
  }
};

class AMissingSecretIsEmpty : public Faulty<SandboxWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    try {
      return inner().create_session(overrides, on_exit, where);
    } catch (const InvalidArgumentError& error) {
      if (std::string(error.what()).find("no.key") == std::string::npos || !fires()) throw;
      return inner().create_session({}, on_exit, where);
    }
  }
};

std::string resolved(std::string text) {
  const std::string reference = "{{db.pw}}";
  for (std::size_t at = 0; (at = text.find(reference)) != std::string::npos;) {
    text.replace(at, reference.size(), kSecret);
  }
  return text;
}

template <bool kArgv>
class SecretsAreResolvedInCommands : public Faulty<SessionHookWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    ExecRequest changed = request;
    if (fires()) {
      if (kArgv) {
        for (std::string& word : changed.argv) word = resolved(word);
      } else {
        for (auto& [name, value] : changed.env) value = resolved(value);
        for (auto& [name, value] : changed.exec_env) value = resolved(value);
      }
    }
    return inner().do_exec(changed);
  }
};

class SecretsAreResolvedInInput : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    const std::string* const data = options.input.data();
    if (data != nullptr && fires()) options.input = Stdin::bytes(resolved(*data));
    return inner().exec(std::move(command), std::move(options), where);
  }
};

class ACallerSeesStars : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    Output output = inner().collect(options, where);
    const std::size_t at = output.out.find(kSecret);
    if (at != std::string::npos && fires()) {
      output.out.replace(at, std::string(kSecret).size(), "***");
    }
    return output;
  }
};

class AReaderSeesStars : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  LineStream& out() override { return out_; }

 private:
  HookedStream out_{inner().out(), [this](LineStream& healthy, std::string& line, Where where) {
                      if (!healthy.next(line, where)) return false;
                      const std::size_t at = line.find(kSecret);
                      if (at != std::string::npos && fires()) {
                        line.replace(at, std::string(kSecret).size(), "***");
                      }
                      return true;
                    }};
};

class SecretsAreSpelledOut : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    try {
      return inner().exec(std::move(command), std::move(options), where);
    } catch (const ExecError& error) {
      std::string text = error.what();
      const std::size_t at = text.find("***");
      if (at == std::string::npos || !fires()) throw;
      throw ExecError(error.why(), text.replace(at, 3, kSecret));
    }
  }
};

/// What a bad number is taken for.
class ANegativeCapIsZero : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  Output collect(const CollectOptions& options, Where where) override {
    if (options.max_chars >= 0 || !fires()) return inner().collect(options, where);
    return {};
  }
};
class ANegativeTimeoutIsZero : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(Where where) override { return inner().wait(where); }
  ExitStatus wait(std::chrono::milliseconds timeout, Where where) override {
    const bool negative = timeout.count() < 0 && fires();
    return inner().wait(negative ? std::chrono::milliseconds(0) : timeout, where);
  }
};
class AnOversizedTimeoutIsNone : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (options.timeout && *options.timeout > kLargestTimeout && fires()) options.timeout.reset();
    return inner().exec(std::move(command), std::move(options), where);
  }
};

class ANegativeExecTimeoutIsNone : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    if (options.timeout && options.timeout->count() < 0 && fires()) options.timeout.reset();
    return inner().exec(std::move(command), std::move(options), where);
  }
};

template <typename Change>
Mutant overrides(const char* name, const char* rule, const char* what) {
  return {
      .name = name, .rule = rule, .what = what, .wrap = the_sandbox<ChangedOverrides<Change>>()};
}

}  // namespace

std::vector<Mutant> set_mutants() {
  return {
      overrides<DropsEverything>("TheComponentWins", "SET-001", "per-call settings are ignored"),
      overrides<DropsWhatIsEmpty>("ADefaultCountsAsUnset", "SET-001",
                                  "a field that is set to its default is dropped"),
      {.name = "TheStepIsIgnored",
       .rule = "SET-001",
       .what = "a step's settings do not stand in for the component's",
       .wrap_hooks = the_sandbox_hooks<TheStepIsIgnored>(),
       .without = {Capability::kOutlives}},
      {.name = "TheStepIsLaidOverTheComponent",
       .rule = "SET-001",
       .what = "a step's settings are laid over the component's",
       .wrap_hooks = the_sandbox_hooks<TheStepIsLaidOverTheComponent>(),
       .without = {Capability::kOutlives}},
      overrides<CompletesWhatIsUnset>("WhatIsUnsetCounts", "SET-001",
                                      "fields that the call did not set are at their defaults"),
      overrides<MergesMaps>("MapsAreMerged", "SET-002", "maps are merged key by key"),
      overrides<DropsUnknownFields>("UnknownFieldsAreIgnored", "SET-003",
                                    "an unknown field is dropped"),
      overrides<DropsBadNumbers>("BadValuesAreIgnored", "SET-003", "a bad value is dropped"),
      {.name = "ABadSettingIsNotNamed",
       .rule = "SET-003",
       .what = "the error does not name the field",
       .wrap = the_sandbox<ABadSettingIsNotNamed>()},
      {.name = "TheCallersSettingsAreEdited",
       .rule = "SET-004",
       .what = "the caller's object is changed",
       .wrap = the_sandbox<TheCallersSettingsAreEdited>()},
      overrides<LeavesReferences>("SecretsAreLeftAsTheyAre", "SET-005",
                                  "references are not resolved"),
      overrides<LeavesReferencesInFields>("FieldsAreLeftAsTheyAre", "SET-005",
                                          "references in other fields are not resolved"),
      {.name = "AMissingSecretIsEmpty",
       .rule = "SET-005",
       .what = "a secret that does not exist is nothing",
       .wrap = the_sandbox<AMissingSecretIsEmpty>()},
      {.name = "SecretsAreResolvedInArgv",
       .rule = "SET-005",
       .what = "references in arguments are resolved",
       .wrap_hooks = each_session_hooks<SecretsAreResolvedInCommands<true>>()},
      {.name = "SecretsAreResolvedInExecEnv",
       .rule = "SET-005",
       .what = "references in exec env are resolved",
       .wrap_hooks = each_session_hooks<SecretsAreResolvedInCommands<false>>()},
      {.name = "SecretsAreResolvedInInput",
       .rule = "SET-005",
       .what = "references in stdin are resolved",
       .wrap = each_session<SecretsAreResolvedInInput>(),
       .with = {Capability::kStdin}},
      {.name = "ACallerSeesStars",
       .rule = "SET-005",
       .what = "secrets are masked in what the caller gets",
       .wrap = each_process<ACallerSeesStars>()},
      {.name = "AReaderSeesStars",
       .rule = "SET-005",
       .what = "secrets are masked in the lines that a reader gets",
       .wrap = each_process<AReaderSeesStars>()},
      {.name = "SecretsAreSpelledOutInErrors",
       .rule = "SET-005",
       .what = "an error spells a secret out",
       .wrap = each_session<SecretsAreSpelledOut>()},
      {.name = "ANegativeCapIsZero",
       .rule = "SET-006",
       .what = "a negative cap is 0",
       .wrap = each_process<ANegativeCapIsZero>()},
      {.name = "ANegativeTimeoutIsZero",
       .rule = "SET-006",
       .what = "a negative timeout is 0",
       .wrap = each_process<ANegativeTimeoutIsZero>()},
      {.name = "AnOversizedTimeoutIsNone",
       .rule = "SET-006",
       .what = "an oversized timeout is none",
       .wrap = each_session<AnOversizedTimeoutIsNone>()},
      {.name = "ANegativeExecTimeoutIsNone",
       .rule = "SET-006",
       .what = "a negative timeout of a command is none",
       .wrap = each_session<ANegativeExecTimeoutIsNone>()},
  };
}

}  // namespace sandproof::conformance
