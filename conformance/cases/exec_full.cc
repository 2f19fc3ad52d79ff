// SPDX-License-Identifier: Apache-2.0
// EXEC: what becomes of a command for which the environment has no room. Cases; each used by one
// worker thread.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

// More than fit into an environment of which the binding says that it is small.
constexpr int kTooMany = 5000;

/// Commands that fill the environment, and the error of the one that did not fit.
struct Filled {
  std::vector<std::unique_ptr<Process>> sleepers;
  std::optional<ExecError> refusal;
};

Filled fill(Session& session) {
  Filled filled;
  for (int i = 0; i < kTooMany && !filled.refusal; ++i) {
    try {
      filled.sleepers.push_back(session.exec({"sleep", "347"}));
    } catch (const ExecError& error) {
      filled.refusal = error;
    }
  }
  return filled;
}

/// True once nothing of the environment runs any more.
bool is_emptied(CaseContext& ctx, Filled filled) {
  for (const auto& sleeper : filled.sleepers) sleeper->kill();
  return eventually(ctx.bound(kAtOnce), [&] { return living(ctx, ctx.session().id()).empty(); });
}

// EXEC-019: `exec` on a full backend … is `ExecError` with the system's reason.
void AFullEnvironmentIsAnExecErrorWithItsReason(CaseContext& ctx) {
  Filled filled = fill(ctx.session());
  ASSERT_TRUE(filled.refusal.has_value()) << "every command started";
  EXPECT_EQ(filled.refusal->why(), LaunchFailure::kNoResources);
  EXPECT_THAT(filled.refusal->what(),
              AllOf(HasSubstr("sleep"), ContainsRegex("unavailable|[Tt]oo many|memory")));
  EXPECT_TRUE(is_emptied(ctx, std::move(filled)));
}

// EXEC-019: … and nothing stays.
void ACommandThatDidNotFitLeavesNothing(CaseContext& ctx) {
  Filled filled = fill(ctx.session());
  const std::size_t room = filled.sleepers.size();
  EXPECT_EQ(living(ctx, ctx.session().id()).size(), room);
  EXPECT_TRUE(is_emptied(ctx, std::move(filled)));
  Filled again = fill(ctx.session());
  EXPECT_EQ(again.sleepers.size(), room);
  EXPECT_TRUE(is_emptied(ctx, std::move(again)));
}

}  // namespace

std::vector<Case> exec_full_cases() {
  return {
      {.name = "AFullEnvironmentIsAnExecErrorWithItsReason",
       .rules = {"EXEC-019"},
       .body = AFullEnvironmentIsAnExecErrorWithItsReason,
       .needs = {Need::kSmallPidSpace, Need::kProcessTable}},
      {.name = "ACommandThatDidNotFitLeavesNothing",
       .rules = {"EXEC-019"},
       .body = ACommandThatDidNotFitLeavesNothing,
       .needs = {Need::kSmallPidSpace, Need::kProcessTable}},
  };
}

}  // namespace sandproof::conformance
