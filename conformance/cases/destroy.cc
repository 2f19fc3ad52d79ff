// SPDX-License-Identifier: Apache-2.0
// DESTROY: the end of an environment. Cases; each used by one worker thread.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/blocked_calls.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::AnyOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::MatchesRegex;
using testing::Pair;
using testing::StartsWith;

// DESTROY-001: `destroy()` ends the environment and then closes the handle.
void DestroyEndsTheEnvironmentAndClosesTheHandle(CaseContext& ctx) {
  const std::unique_ptr<Session> session = ctx.sandbox().create_session();
  const Started started = start(*session, "echo up; exec sleep 30");
  session->destroy();
  const std::vector<std::string> seen{state_of(*session),
                                      error_of([&] { session->exec({"true"}); }),
                                      end_of(*started.process, ctx.bound(kAtOnce))};
  EXPECT_THAT(seen,
              ElementsAre("closed", StartsWith("SessionClosedError"),
                          AnyOf(MatchesRegex("status [1-9][0-9]*"), StartsWith("SandboxLost"))));
}

// DESTROY-001: `destroy()` ends the environment …
void DestroyLeavesNothing(CaseContext& ctx) {
  sh(ctx.session(), "echo x > f");
  ctx.session().destroy();
  EXPECT_THAT(census(ctx), IsEmpty());
}

// DESTROY-002: `destroy()` works on a closed handle and still ends the environment (close then
// destroy does not leak).
void DestroyWorksOnAClosedHandle(CaseContext& ctx) {
  sh(ctx.session(), "echo x > f");
  ctx.session().close();
  const std::string error = error_of([&] { ctx.session().destroy(); });
  EXPECT_EQ(error, "");
  EXPECT_THAT(census(ctx), IsEmpty());
}

// DESTROY-002.
void ACloseThenDestroyCannotBeAttached(CaseContext& ctx) {
  const std::unique_ptr<Session> session = ctx.sandbox().create_session();
  session->close();
  error_of([&] { session->destroy(); });
  EXPECT_THAT(error_of([&] { ctx.sandbox().attach(session->id()); }), StartsWith("NotFoundError"));
}

// DESTROY-003: `destroy()` is idempotent: again on the same handle …
void DestroyIsIdempotent(CaseContext& ctx) {
  const std::unique_ptr<Session> session = ctx.sandbox().create_session();
  std::vector<std::string> errors(6);
  for (int i = 0; i < 2; ++i) errors[i] = error_of([&] { session->destroy(); });
  Session& shared = ctx.session();
  in_parallel(4, [&](int i) { errors[i + 2] = error_of([&] { shared.destroy(); }); });
  EXPECT_THAT(errors, Each(IsEmpty()));
}

// DESTROY-003: … or on another handle …
void DestroyThroughTwoHandles(CaseContext& ctx) {
  const std::unique_ptr<Session> first = ctx.sandbox().create_session();
  const std::unique_ptr<Session> second = ctx.sandbox().attach(first->id());
  const std::vector<std::string> seen{error_of([&] { first->destroy(); }),
                                      error_of([&] { second->destroy(); }), state_of(*second)};
  EXPECT_THAT(seen, ElementsAre("", "", "closed"));
}

// DESTROY-003: … or when the environment is already gone.
void DestroyOfAStoppedEnvironment(CaseContext& ctx) {
  const std::unique_ptr<Session> session = ctx.sandbox().create_session();
  ctx.faults().stop_environment(session->id());
  EXPECT_EQ(error_of([&] { session->destroy(); }), "");
}

// DESTROY-003: … or when the environment is already gone.
void DestroyWithoutTheWorkingDirectory(CaseContext& ctx) {
  const std::unique_ptr<Session> session = ctx.sandbox().create_session();
  const std::string gone = sh(*session, "d=$(pwd); rm -rf \"$d\"; test -e \"$d\" || echo gone").out;
  EXPECT_EQ(gone + error_of([&] { session->destroy(); }), "gone\n");
}

// DESTROY-004: If ending the environment fails, the error propagates, the handle stays open, `exec`
// still works, and `destroy()` can be tried again.
void AFailedDestroyCanBeTriedAgain(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  const std::unique_ptr<Sandbox> sandbox = sandbox_with(ctx, {}, faults);
  const std::unique_ptr<Session> session = sandbox->create_session();
  faults->fail_destroy = 1;
  std::vector<std::string> seen{error_of([&] { session->destroy(); }), state_of(*session)};
  seen.push_back(out_within(ctx.bound(kAtOnce), *session, "echo still"));
  seen.push_back(error_of([&] { session->destroy(); }));
  seen.push_back(state_of(*session));
  EXPECT_THAT(seen, ElementsAre(AllOf(StartsWith("BackendError"), HasSubstr("injected")), "open",
                                "still\n", "", "closed"));
}

// DESTROY-004: … and `destroy()` can be tried again.
void ARetriedDestroyReallyDestroys(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  const std::unique_ptr<Sandbox> sandbox = sandbox_with(ctx, {}, faults);
  const std::unique_ptr<Session> session = sandbox->create_session();
  faults->fail_destroy = 1;
  error_of([&] { session->destroy(); });
  error_of([&] { session->destroy(); });
  EXPECT_THAT(census(ctx), IsEmpty());
}

// DESTROY-005: Once `destroy()` has returned, `attach(id)` throws `NotFoundError`.
void ADestroyedSessionCannotBeAttached(CaseContext& ctx) {
  std::vector<std::string> errors;
  for (int round = 0; round < 5; ++round) {
    const std::unique_ptr<Session> session = ctx.sandbox().create_session();
    session->destroy();
    errors.push_back(error_of([&] { ctx.sandbox().attach(session->id()); }));
  }
  EXPECT_THAT(errors, Each(StartsWith("NotFoundError")));
}

// DESTROY-006: After `destroy()` through one handle, `exec` on another fails bounded with
// `SandboxLostError` or `ExecError`; it does not hang and does not succeed.
void ExecThroughAnotherHandleFailsAfterDestroy(CaseContext& ctx) {
  constexpr milliseconds kOperationTimeout{2000};
  const std::unique_ptr<Sandbox> sandbox =
      sandbox_with(ctx, Settings().set("operation_timeout", 2.0));
  const std::unique_ptr<Session> first = sandbox->create_session();
  const std::unique_ptr<Session> second = sandbox->attach(first->id());
  first->destroy();
  std::string error;
  EXPECT_TRUE(finishes_within(
      ctx.bound(kOperationTimeout), [&] { error = error_of([&] { second->exec({"true"}); }); },
      [&] { second->close(); }));
  EXPECT_THAT(error, AnyOf(StartsWith("SandboxLostError"), StartsWith("ExecError")));
}

// DESTROY-007: `destroy()` while a command runs: `wait`, `collect` and blocked readers end bounded,
// with `SandboxLostError` or a non-zero integer status (137 or 143 where the backend reports one).
void DestroyEndsWaitersAndReaders(CaseContext& ctx) {
  BlockedCalls calls(ctx.session(), "echo up; sleep 30");
  ctx.session().destroy();
  const auto ended = AnyOf(MatchesRegex("status [1-9][0-9]*"), StartsWith("SandboxLostError"));
  EXPECT_THAT(
      calls.results(ctx.bound(kAtOnce)),
      ElementsAre(AnyOf("end", StartsWith("SandboxLostError"), StartsWith("SessionClosedError")),
                  ended, ended));
}

// DESTROY-007: … a non-zero integer status (137 or 143 where the backend reports one).
void ADestroyedCommandReportsItsSignal(CaseContext& ctx) {
  BlockedCalls calls(ctx.session(), "echo up; exec sleep 30");
  ctx.session().destroy();
  const auto ended = AnyOf(MatchesRegex("status (137|143)"), StartsWith("SandboxLostError"));
  EXPECT_THAT(calls.results(ctx.bound(kAtOnce)), ElementsAre(testing::_, ended, ended));
}

// DESTROY-008: No process of the tree is alive after `destroy()` (checked through the backend's own
// process table).
void NoProcessIsAliveAfterDestroy(CaseContext& ctx) {
  const std::unique_ptr<Session> session = ctx.sandbox().create_session();
  sh(*session,
     "sleep 341 >/dev/null 2>&1 & setsid sleep 342 >/dev/null 2>&1 &"
     " (setsid sh -c 'trap \"\" TERM INT; sleep 343' >/dev/null 2>&1 &)");
  const std::vector<std::string> wanted{"sleep 341", "sleep 342", "sleep 343"};
  std::vector<std::string> before;
  eventually(ctx.bound(kAtOnce), [&] {
    before = living_commands(ctx, session->id());
    return std::ranges::all_of(wanted,
                               [&](const auto& one) { return std::ranges::count(before, one); });
  });
  session->destroy();
  EXPECT_THAT(std::pair(before, living_commands(ctx, session->id())),
              Pair(IsSupersetOf(wanted), IsEmpty()));
}

}  // namespace

std::vector<Case> destroy_cases() {
  using enum Capability;
  return {
      {.name = "DestroyEndsTheEnvironmentAndClosesTheHandle",
       .rules = {"DESTROY-001"},
       .body = DestroyEndsTheEnvironmentAndClosesTheHandle,
       .smoke = true},
      {.name = "DestroyLeavesNothing",
       .rules = {"DESTROY-001"},
       .body = DestroyLeavesNothing,
       .needs = {Need::kLeakCensus}},
      {.name = "DestroyWorksOnAClosedHandle",
       .rules = {"DESTROY-002"},
       .body = DestroyWorksOnAClosedHandle,
       .needs = {Need::kLeakCensus}},
      {.name = "ACloseThenDestroyCannotBeAttached",
       .rules = {"DESTROY-002"},
       .body = ACloseThenDestroyCannotBeAttached,
       .with = {kAttach}},
      {.name = "DestroyIsIdempotent", .rules = {"DESTROY-003"}, .body = DestroyIsIdempotent},
      {.name = "DestroyThroughTwoHandles",
       .rules = {"DESTROY-003"},
       .body = DestroyThroughTwoHandles,
       .with = {kAttach}},
      {.name = "DestroyOfAStoppedEnvironment",
       .rules = {"DESTROY-003"},
       .body = DestroyOfAStoppedEnvironment,
       .needs = {Need::kStoppableEnvironment}},
      {.name = "DestroyWithoutTheWorkingDirectory",
       .rules = {"DESTROY-003"},
       .body = DestroyWithoutTheWorkingDirectory,
       .needs = {Need::kNoIsolation}},
      {.name = "AFailedDestroyCanBeTriedAgain",
       .rules = {"DESTROY-004"},
       .body = AFailedDestroyCanBeTriedAgain},
      {.name = "ARetriedDestroyReallyDestroys",
       .rules = {"DESTROY-004"},
       .body = ARetriedDestroyReallyDestroys,
       .needs = {Need::kLeakCensus}},
      {.name = "ADestroyedSessionCannotBeAttached",
       .rules = {"DESTROY-005"},
       .body = ADestroyedSessionCannotBeAttached},
      {.name = "ExecThroughAnotherHandleFailsAfterDestroy",
       .rules = {"DESTROY-006"},
       .body = ExecThroughAnotherHandleFailsAfterDestroy},
      {.name = "DestroyEndsWaitersAndReaders",
       .rules = {"DESTROY-007"},
       .body = DestroyEndsWaitersAndReaders},
      {.name = "ADestroyedCommandReportsItsSignal",
       .rules = {"DESTROY-007"},
       .body = ADestroyedCommandReportsItsSignal,
       .needs = {Need::kReportsSignals}},
      {.name = "NoProcessIsAliveAfterDestroy",
       .rules = {"DESTROY-008"},
       .body = NoProcessIsAliveAfterDestroy},
  };
}

}  // namespace sandproof::conformance
