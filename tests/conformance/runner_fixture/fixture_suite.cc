// SPDX-License-Identifier: Apache-2.0
// The fixture's tables: bindings, rules, mutants; its cases come from the files beside this one.
#include <utility>

#include "sandproof/errors.h"
#include "sandproof/wrappers.h"
#include "tests/conformance/runner_fixture/fixture_cases.h"
#include "tests/conformance/runner_fixture/toy_flavor.h"
#include "tests/support/detached_flavor.h"

namespace sandproof::conformance::fixture {
namespace {

class ToyProbe : public Probe {
 public:
  std::vector<ProcessEntry> processes(const std::string&) override { return {}; }
  std::vector<std::string> census(const std::string& component) override {
    return toy_census(component);
  }
  std::vector<std::string> identity_command() override { return {"true"}; }
  std::string harness_identity() override { return "harness"; }
};

Binding toy_binding(Flavor flavor) {
  Binding binding;
  binding.flavor = std::move(flavor);
  for (const Capability capability : all_capabilities()) {
    if (!binding.flavor.capabilities.has(capability)) binding.unclaimed[capability] = "it is a toy";
  }
  binding.provides = {Need::kProcessTable, Need::kLeakCensus};
  binding.not_provided[Need::kQuota] = "there is nothing to limit";
  binding.make_probe = [](const Settings&) { return std::make_unique<ToyProbe>(); };
  binding.deviations = {{"RUN-002", "known", "https://example.com/2"}};
  return binding;
}

// Claims everything, on real processes and directories; no probe.
Binding detached_binding() {
  Binding binding;
  binding.flavor = detached::detached_flavor();
  binding.base_settings = [](const std::filesystem::path& scratch) {
    Settings settings;
    settings.set("base_dir", scratch.string());
    return settings;
  };
  return binding;
}

std::vector<Binding> bindings() {
  return {
      toy_binding(toy_flavor("toy", {Capability::kAttach, Capability::kOutlives})),
      // Claims nothing, and refuses all that it does not claim.
      toy_binding(toy_flavor("bare", {})),
      detached_binding(),
  };
}

class WrongEcho : public SessionHookWrapper {
 public:
  WrongEcho(std::unique_ptr<SessionHooks> inner, std::shared_ptr<Trigger> trigger)
      : SessionHookWrapper(std::move(inner)), trigger_(std::move(trigger)) {}
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    ExecRequest wrong = request;
    if (trigger_->fires()) wrong.argv = {"echo", "wrong"};
    return SessionHookWrapper::do_exec(wrong);
  }

 private:
  std::shared_ptr<Trigger> trigger_;
};

class WrongEchoSandbox : public SandboxHookWrapper {
 public:
  WrongEchoSandbox(std::unique_ptr<SandboxHooks> inner, std::shared_ptr<Trigger> trigger)
      : SandboxHookWrapper(std::move(inner)), trigger_(std::move(trigger)) {}
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    return std::make_unique<WrongEcho>(SandboxHookWrapper::do_create_session(spec), trigger_);
  }

 private:
  std::shared_ptr<Trigger> trigger_;
};

class CrashingSandbox : public SandboxWrapper {
 public:
  CrashingSandbox(std::unique_ptr<Sandbox> inner, std::shared_ptr<Trigger> trigger)
      : SandboxWrapper(std::move(inner)), trigger_(std::move(trigger)) {}
  std::unique_ptr<Session> create_session(const Settings& overrides, OnExit on_exit,
                                          Where where) override {
    if (trigger_->fires()) std::abort();
    return SandboxWrapper::create_session(overrides, on_exit, where);
  }

 private:
  std::shared_ptr<Trigger> trigger_;
};

// Does not claim attach and restore, and refuses them, but not as CAP-002 wants it.
class BadRefusals : public SandboxWrapper {
 public:
  BadRefusals(std::unique_ptr<Sandbox> inner, std::shared_ptr<Trigger> trigger)
      : SandboxWrapper(std::move(inner)), trigger_(std::move(trigger)) {}
  std::unique_ptr<Session> attach(std::string_view, Where) override {
    trigger_->fires();
    throw UnsupportedError("attach", "somebody");
  }
  std::unique_ptr<Session> restore(const Snapshot&, const Settings&, OnExit, Where) override {
    trigger_->fires();
    throw NotFoundError("no such snapshot");
  }

 private:
  std::shared_ptr<Trigger> trigger_;
};

std::vector<Mutant> mutants() {
  std::vector<Mutant> rows;
  Mutant echo{.name = "EchoesSomethingElse", .rule = "RUN-001", .what = "echo is wrong"};
  echo.wrap_hooks = [](std::unique_ptr<SandboxHooks> hooks, std::shared_ptr<Trigger> trigger) {
    return std::make_unique<WrongEchoSandbox>(std::move(hooks), std::move(trigger));
  };
  rows.push_back(std::move(echo));
  Mutant crash{.name = "CrashesInCreate", .rule = "RUN-001", .what = "create crashes"};
  crash.wrap = [](std::unique_ptr<Sandbox> sandbox, std::shared_ptr<Trigger> trigger) {
    return std::make_unique<CrashingSandbox>(std::move(sandbox), std::move(trigger));
  };
  crash.killed_by = KilledBy::kCrash;
  rows.push_back(std::move(crash));
  Mutant refusals{.name = "RefusesBadly", .rule = "RUN-001", .what = "refusals are wrong"};
  refusals.wrap = [](std::unique_ptr<Sandbox> sandbox, std::shared_ptr<Trigger> trigger) {
    return std::make_unique<BadRefusals>(std::move(sandbox), std::move(trigger));
  };
  rows.push_back(std::move(refusals));
  return rows;
}

Rule rule(std::string_view id, std::vector<Capability> capabilities = {},
          std::optional<Capability> unless = {}, std::vector<Need> needs = {}) {
  return {id,     Level::kMust,     "A sentence.", "", std::move(capabilities),
          unless, std::move(needs), "0.1",         {}};
}

Rule should(std::string_view id) {
  Rule row = rule(id);
  row.level = Level::kShould;
  return row;
}

}  // namespace

Suite fixture_suite() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> rows;
    add_outcome_cases(rows);
    add_hostile_cases(rows);
    add_process_cases(rows);
    add_sandbox_cases(rows);
    return rows;
  }();
  static const std::vector<Mutant> mutant_rows = mutants();
  static const std::vector<Rule> rules{
      rule("RUN-001"),
      rule("RUN-002"),
      rule("RUN-003", {Capability::kAttach, Capability::kCrossProcess}),
      rule("RUN-004", {}, {}, {Need::kQuota}),
      rule("RUN-005", {}, Capability::kAttach),
      should("RUN-006"),
  };
  Suite suite;
  suite.bindings = bindings();
  suite.cases = &cases;
  suite.mutants = &mutant_rows;
  suite.rules = &rules;
  return suite;
}

}  // namespace sandproof::conformance::fixture
