// SPDX-License-Identifier: Apache-2.0
// The program of the suite over flavors that are broken on purpose, one for each way in which a
// case can end: what exit codes and outcomes are, seen from outside. Each is `detached` with one
// fault, and named after what `CreateGivesAnOpenSession` comes to on it.
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "sandproof/conformance/program.h"
#include "sandproof/errors.h"
#include "sandproof/wrappers.h"
#include "tests/support/detached_flavor.h"

namespace sandproof::apps {
namespace {

using conformance::Binding;
using conformance::Need;

/// Does something before every create_session().
class Faulty : public SandboxHookWrapper {
 public:
  Faulty(std::unique_ptr<SandboxHooks> inner, std::function<void()> fault)
      : SandboxHookWrapper(std::move(inner)), fault_(std::move(fault)) {}
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    fault_();
    return SandboxHookWrapper::do_create_session(spec);
  }

 private:
  std::function<void()> fault_;
};

/// Runs something else than it was told to.
class WrongCommand : public SessionHookWrapper {
 public:
  using SessionHookWrapper::SessionHookWrapper;
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    ExecRequest other = request;
    other.argv = {"sh", "-c", "echo wrong; exit 3"};
    return SessionHookWrapper::do_exec(other);
  }
};

class WrongCommands : public SandboxHookWrapper {
 public:
  using SandboxHookWrapper::SandboxHookWrapper;
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec& spec) override {
    return std::make_unique<WrongCommand>(SandboxHookWrapper::do_create_session(spec));
  }
};

using Decorate = std::function<std::unique_ptr<SandboxHooks>(std::unique_ptr<SandboxHooks>)>;

Binding broken(const std::string& name, const Decorate& decorate = nullptr) {
  Binding binding;
  binding.flavor = detached::detached_flavor();
  binding.flavor.name = name;
  binding.base_settings = [](const std::filesystem::path& scratch) {
    return Settings().set("base_dir", scratch.string());
  };
  for (const Need need : {Need::kProcessTable, Need::kLeakCensus, Need::kIdentity}) {
    binding.not_provided[need] = "nobody looks into the backend of a broken flavor";
  }
  if (decorate) {
    binding.flavor.make_hooks = [make = binding.flavor.make_hooks,
                                 decorate](const ComponentContext& context) {
      return decorate(make(context));
    };
  }
  return binding;
}

Binding faulty(const std::string& name, const std::function<void()>& fault) {
  return broken(name, [fault](std::unique_ptr<SandboxHooks> hooks) {
    return std::make_unique<Faulty>(std::move(hooks), fault);
  });
}

[[noreturn]] void refuse_to_start() {
  throw BackendError("the backend is down: connection refused");
}

/// Not the environment's fault: a fault of the flavor's own code.
[[noreturn]] void trip_over_itself() { throw std::logic_error("the table of sessions is broken"); }

std::vector<Binding> broken_flavors() {
  std::vector<Binding> bindings;
  bindings.push_back(broken("passed"));
  bindings.push_back(broken("failed", [](std::unique_ptr<SandboxHooks> hooks) {
    return std::make_unique<WrongCommands>(std::move(hooks));
  }));
  bindings.push_back(faulty("error", trip_over_itself));
  bindings.push_back(faulty("timeout", [] {
    while (true) ::pause();
  }));
  bindings.push_back(faulty("crashed", [] { std::abort(); }));
  bindings.push_back(faulty("expected-failure", trip_over_itself));
  bindings.back().deviations = {{"SESSION-001", "the table is broken", "https://example.com/17"}};
  bindings.push_back(broken("unexpected-pass"));
  bindings.back().deviations = {{"SESSION-001", "the table was broken", ""}};
  bindings.push_back(broken("unsupported"));
  Capabilities& claims = bindings.back().flavor.capabilities;
  claims = claims.without(Capability::kAttach);
  bindings.back().unclaimed[Capability::kAttach] = "it forgets its sessions";
  bindings.push_back(broken(
      "does-not-start",
      [](std::unique_ptr<SandboxHooks>) -> std::unique_ptr<SandboxHooks> { refuse_to_start(); }));
  bindings.push_back(faulty("no-sessions", refuse_to_start));
  bindings.push_back(broken("now-and-then", [](std::unique_ptr<SandboxHooks> hooks) {
    // Every second create fails, from the first on: also the first one of each worker.
    return std::make_unique<Faulty>(std::move(hooks), [count = 0]() mutable {
      if (count++ % 2 == 0) refuse_to_start();
    });
  }));
  return bindings;
}

}  // namespace
}  // namespace sandproof::apps

int main(int argc, char** argv) {
  return sandproof::conformance::run_program(argc, argv, sandproof::apps::broken_flavors());
}
