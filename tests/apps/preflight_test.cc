// SPDX-License-Identifier: Apache-2.0
// A flavor that cannot start is found out before the run, whatever it does instead.
#include "conformance/program/preflight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "conformance/program/program_error.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class NoHooks : public SandboxHooks {
 public:
  std::unique_ptr<SessionHooks> do_create_session(const SessionSpec&) override {
    throw BackendError("there are no sessions");
  }
};

Binding binding_that(std::function<void(const ComponentContext&)> does) {
  Binding binding;
  binding.flavor.name = "frail";
  binding.flavor.make_hooks =
      [does = std::move(does)](const ComponentContext& context) -> std::unique_ptr<SandboxHooks> {
    does(context);
    return std::make_unique<NoHooks>();
  };
  return binding;
}

std::optional<ProgramError> error_of(const Binding& binding) {
  ConfiguredFlavor configured;
  configured.binding = &binding;
  try {
    check_starts(configured, "sandproof");
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

}  // namespace
}  // namespace sandproof::conformance
