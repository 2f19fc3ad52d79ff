// SPDX-License-Identifier: Apache-2.0
// A flavor that cannot start is found out before the run, whatever it does instead.
#include "conformance/program/preflight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "conformance/program/program_error.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// An environment that is nothing at all.
class EmptySession : public SessionHooks {
 public:
  std::unique_ptr<ProcessHooks> do_exec(const ExecRequest&) override {
    throw BackendError("there are no commands");
  }
  void do_close() override {}
};

class Creating : public SandboxHooks {
 public:
  explicit Creating(std::function<void()> does) : does_(std::move(does)) {}
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec&) override {
    does_();
    return std::make_unique<EmptySession>();
  }

 private:
  std::function<void()> does_;
};

Binding binding_that(
    std::function<void(const ComponentContext&)> does, std::function<void()> creates = [] {}) {
  Binding binding;
  binding.flavor.name = "frail";
  binding.flavor.make_hooks =
      [does = std::move(does),
       creates](const ComponentContext& context) -> std::unique_ptr<SandboxHooks> {
    does(context);
    return std::make_unique<Creating>(creates);
  };
  return binding;
}

Binding binding_that_creates(std::function<void()> creates) {
  return binding_that([](const ComponentContext&) {}, std::move(creates));
}

std::optional<ProgramError> error_of(const Binding& binding, double time_scale = 1) {
  ConfiguredFlavor configured;
  configured.binding = &binding;
  try {
    check_starts(configured, "sandproof");
    check_gives_session(configured, "sandproof", time_scale);
  } catch (const ProgramError& error) {
    return error;
  }
  return std::nullopt;
}

TEST(Preflight, AHealthyOneStarts) {
  EXPECT_FALSE(error_of(binding_that([](const ComponentContext&) {})));
}

TEST(Preflight, GetsTheSettingsAndAScratchDirectoryOfItsOwn) {
  Binding binding = binding_that([](const ComponentContext& context) {
    const SettingValue* const limit = context.settings.find("spill_dir");
    if (limit == nullptr || !std::filesystem::is_directory(std::get<std::string>(*limit))) {
      throw BackendError("no directory");
    }
  });
  binding.base_settings = [](const std::filesystem::path& scratch) {
    return Settings().set("spill_dir", scratch.string());
  };
  EXPECT_FALSE(error_of(binding));
}

TEST(Preflight, AnErrorIsThree) {
  const auto error = error_of(
      binding_that([](const ComponentContext&) { throw BackendError("no daemon on socket x"); }));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ExitCode::kEnvironment);
  EXPECT_THAT(error->what(),
              AllOf(HasSubstr("`frail` cannot start"), HasSubstr("no daemon on socket x"),
                    HasSubstr("`sandproof doctor --flavor frail`")));
}

TEST(Preflight, RefusedSettingsAreTwo) {
  const auto error = error_of(
      binding_that([](const ComponentContext&) { throw InvalidArgumentError("`x` is no image"); }));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ExitCode::kUsage);
  EXPECT_THAT(error->what(), HasSubstr("`x` is no image"));
}

TEST(Preflight, ACrashIsToldNotShared) {
  const auto error = error_of(binding_that([](const ComponentContext&) { std::abort(); }));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ExitCode::kEnvironment);
  EXPECT_THAT(error->what(), HasSubstr("signaled(6)"));
}

TEST(Preflight, NoSessionIsThreeWithTheFlavorsOwnReason) {
  const std::vector<std::function<void()>> reasons = {
      [] { throw BackendError("the daemon is away"); },
      [] { throw NotFoundError("the daemon is away"); },
      [] { throw TimeoutError("the daemon is away"); },
      [] { throw std::runtime_error("the daemon is away"); }};
  for (const auto& reason : reasons) {
    const auto error = error_of(binding_that_creates(reason));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ExitCode::kEnvironment);
    EXPECT_THAT(error->what(), AllOf(HasSubstr("`frail` cannot start: no session"),
                                     HasSubstr("the daemon is away"),
                                     HasSubstr("`sandproof doctor --flavor frail`")));
  }
}

TEST(Preflight, SettingsThatASessionRefusesAreTwo) {
  const auto error =
      error_of(binding_that_creates([] { throw InvalidArgumentError("`x` is no image"); }));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ExitCode::kUsage);
}

/// Each is found by the cases, which tell more of it.
TEST(Preflight, AFaultOfTheFlavorIsNoMatterOfTheEnvironment) {
  EXPECT_FALSE(error_of(binding_that_creates([] { throw std::logic_error("a bug"); })));
  EXPECT_FALSE(error_of(binding_that_creates([] { throw 7; })));
  EXPECT_FALSE(error_of(binding_that_creates([] { std::abort(); })));
  EXPECT_FALSE(error_of(binding_that_creates([count = 0]() mutable {
    if (count++ % 2 == 0) throw BackendError("now and then");
  })));
  constexpr double kSoon = 0.01;
  EXPECT_FALSE(error_of(binding_that_creates([] {
                          while (true) ::pause();
                        }),
                        kSoon));
}

TEST(Preflight, WhatTheRunnerNeedsGrowsWithTheJobs) {
  const Binding binding = binding_that_creates([] {});
  ConfiguredFlavor configured;
  configured.binding = &binding;
  EXPECT_NO_THROW(check_machine_ready({configured}, 1, "sandproof"));
  // More than any machine gives.
  constexpr int kTooMany = 1'000'000'000;
  try {
    check_machine_ready({configured}, kTooMany, "sandproof");
    FAIL() << "there are enough descriptors";
  } catch (const ProgramError& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("`frail`"), HasSubstr("descriptors"), HasSubstr("ulimit -n"),
                      HasSubstr("`sandproof doctor --flavor frail`")));
  }
}

}  // namespace
}  // namespace sandproof::conformance
