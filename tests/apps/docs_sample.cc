// SPDX-License-Identifier: Apache-2.0
// The C++ that the documentation shows, as it stands there: docs_test.cc compares each of its
// blocks with the part of this file between two marks. Here it is compiled, and tried.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "conformance/mutants/support.h"
#include "sandproof/conformance/binding.h"
#include "sandproof/errors.h"
#include "sandproof/flavor.h"
#include "sandproof/session.h"

namespace sandproof {
namespace {

// shown: docs/writing-a-flavor.md
class MyEnvironment : public SessionHooks {
 public:
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest& request) override {
    throw BackendError("do_exec is not written yet: " + request.argv.front());
  }
  void do_close() override {}
};

class MyBackend : public SandboxHooks {
 public:
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec&) override {
    return std::make_unique<MyEnvironment>();
  }
};

Flavor my_flavor() {
  return {.name = "mine",
          .documentation_url = "https://example.com/mine",
          .settings = SettingsDescription({{.name = "endpoint",
                                            .type = SettingType::kString,
                                            .default_value = std::string("/run/mine.sock"),
                                            .help = "the socket of the daemon",
                                            .least = {},
                                            .largest = {},
                                            .choices = {}}}),
          .capabilities = {},
          .make_hooks = [](const ComponentContext&) { return std::make_unique<MyBackend>(); }};
}
// shown: end

// shown: docs/writing-a-flavor.md
conformance::CheckResult daemon_is_there(const Settings& settings) {
  using conformance::CheckResult;
  const auto& endpoint = setting<std::string>(settings, "endpoint");
  if (std::filesystem::exists(endpoint)) return CheckResult::ok(endpoint);
  return CheckResult::failed(endpoint + " is not there", "start it: `systemctl start mine`");
}

conformance::Binding my_binding() {
  using conformance::Need;
  conformance::Binding binding;
  binding.flavor = my_flavor();
  // Why each capability is not claimed, and why each need is not provided: reports show it.
  binding.unclaimed = {{Capability::kSnapshot, "the service cannot capture a disk"}};
  binding.not_provided = {{Need::kProcessTable, "the service does not show processes"}};
  // What doctor looks at, with what to do where it is not so.
  binding.preconditions = {{"the daemon's socket is there", daemon_is_there}};
  // A rule that is known to be broken: expected to fail, and reported when it no longer does.
  binding.deviations = {{"SESSION-010", "the service retries pulls", "https://example.com/17"}};
  return binding;
}
// shown: end

TEST(DocsSample, TheFlavorGivesASessionThatRefusesToRun) {
  const auto session = make_sandbox(my_flavor())->create_session();
  EXPECT_THAT([&] { session->exec("true"); },
              testing::ThrowsMessage<BackendError>(testing::HasSubstr("not written yet: true")));
}

TEST(DocsSample, TheBindingChecksItsSettings) {
  const auto binding = my_binding();
  const auto& settings = binding.flavor.settings;
  const auto check = [&](const char* endpoint) {
    return binding.preconditions.front()
        .check(settings.completed(Settings().set("endpoint", std::string(endpoint))))
        .status;
  };
  EXPECT_EQ(check("/dev/null"), conformance::CheckStatus::kOk);
  EXPECT_EQ(check("/nonexistent"), conformance::CheckStatus::kFailed);
}

}  // namespace

namespace conformance {
namespace {

// shown: docs/mutants.md
/// A command that failed is told as one that did not.
class EveryStatusIsZero : public Faulty<ProcessWrapper> {
 public:
  using Faulty::Faulty;
  ExitStatus wait(Where where) override {
    const ExitStatus status = inner().wait(where);
    return status.integer() != 0 && fires() ? ExitStatus::exited(0) : status;
  }
};

Mutant every_status_is_zero() {
  return process_mutant<EveryStatusIsZero>("EveryStatusIsZero", "WAIT-001",
                                           "wait() gives 0 for every status.");
}
// shown: end

TEST(DocsSample, TheMutantIsARow) {
  const Mutant mutant = every_status_is_zero();
  EXPECT_EQ(mutant.rule, "WAIT-001");
  EXPECT_TRUE(mutant.wrap);
}

}  // namespace
}  // namespace conformance
}  // namespace sandproof
