// SPDX-License-Identifier: Apache-2.0
// CLOSE: what close() does to the handle. What it does to commands and blocked calls is in
// close_running.cc. Cases; each used by one worker thread.
#include <memory>
#include <string>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"
#include "sandproof/log_stores.h"

namespace sandproof::conformance {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// What each of the five verbs throws.
std::vector<std::string> errors_of_use(CaseContext& ctx, Session& session) {
  const std::filesystem::path missing = ctx.scratch() / "missing";
  return {error_of([&] { session.exec({"true"}); }),
          error_of([&] { session.exec_async({"true"}).get(); }),
          error_of([&] { session.create_snapshot(); }),
          error_of([&] { session.upload_file(missing, "f"); }),
          error_of([&] { session.download_file("f", ctx.scratch() / "target"); })};
}

// CLOSE-001: After `close()`: `exec`, `exec_async`, `create_snapshot`, `upload_file`,
// `download_file` throw `SessionClosedError` with the id in its text, contact nothing, and win over
// `UnsupportedError`.
void UseAfterCloseIsRefusedWithTheId(CaseContext& ctx) {
  Session& session = ctx.session();
  session.close();
  EXPECT_THAT(errors_of_use(ctx, session),
              Each(AllOf(StartsWith("SessionClosedError: "), HasSubstr(session.id()))));
}

// CLOSE-001: … contact nothing …
void UseAfterCloseContactsNothing(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  const std::unique_ptr<Sandbox> sandbox = sandbox_with(ctx, {}, faults);
  const std::unique_ptr<Session> session = sandbox->create_session();
  session->close();
  errors_of_use(ctx, *session);
  EXPECT_EQ(faults->execs + faults->transfers + faults->snapshots, 0);
}

// CLOSE-002: `close()` is idempotent; the second call does nothing …
void CloseIsIdempotent(CaseContext& ctx) {
  ctx.session().close();
  EXPECT_EQ(error_of([&] { ctx.session().close(); }), "");
}

// CLOSE-002: … from any thread.
void ConcurrentClosesAreOne(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  const std::unique_ptr<Sandbox> sandbox = sandbox_with(ctx, {}, faults);
  const std::unique_ptr<Session> session = sandbox->create_session();
  std::vector<std::string> errors(8);
  in_parallel(8, [&](int i) { errors[i] = error_of([&] { session->close(); }); });
  EXPECT_THAT(errors, Each(IsEmpty()));
  EXPECT_EQ(faults->closes, 1);
}

// CLOSE-003: `closed()` is false before, true after.
void ClosedTellsTheState(CaseContext& ctx) {
  const std::unique_ptr<Session> session = ctx.sandbox().create_session();
  std::vector<bool> seen{session->closed()};
  run(*session, {"true"});
  seen.push_back(session->closed());
  session->close();
  seen.push_back(session->closed());
  EXPECT_THAT(seen, ElementsAre(false, false, true));
}

// CLOSE-006: If the flavor's close hook fails, the error propagates once, the session is closed,
// the log source has ended.
void AFailingCloseIsReportedOnce(CaseContext& ctx) {
  const auto logs = std::make_shared<MemoryLogStore>();
  SandboxSpec spec;
  spec.hook_faults = std::make_shared<HookFaults>();
  spec.step = StepContext{.run_id = "run",
                          .step_id = "step",
                          .logs = logs,
                          .metadata = nullptr,
                          .settings = std::nullopt};
  const std::unique_ptr<Sandbox> sandbox = ctx.make_sandbox(spec);
  const std::unique_ptr<Session> session = sandbox->create_session();
  run(*session, {"true"});
  spec.hook_faults->fail_close = 1;
  const std::vector<std::string> seen{
      error_of([&] { session->close(); }), session->closed() ? "closed" : "open",
      error_of([&] { session->close(); }), error_of([&] { session->exec({"true"}); })};
  EXPECT_THAT(seen, ElementsAre(AllOf(StartsWith("BackendError"), HasSubstr("injected")), "closed",
                                "", StartsWith("SessionClosedError")));
  EXPECT_THAT(logs->ended(), ElementsAre("sandbox:" + session->id()));
}

}  // namespace

std::vector<Case> close_cases() {
  std::vector<Case> cases{
      {.name = "UseAfterCloseIsRefusedWithTheId",
       .rules = {"CLOSE-001"},
       .body = UseAfterCloseIsRefusedWithTheId},
      {.name = "UseAfterCloseContactsNothing",
       .rules = {"CLOSE-001"},
       .body = UseAfterCloseContactsNothing},
      {.name = "CloseIsIdempotent",
       .rules = {"CLOSE-002"},
       .body = CloseIsIdempotent,
       .smoke = true},
      {.name = "ConcurrentClosesAreOne", .rules = {"CLOSE-002"}, .body = ConcurrentClosesAreOne},
      {.name = "ClosedTellsTheState", .rules = {"CLOSE-003"}, .body = ClosedTellsTheState},
      {.name = "AFailingCloseIsReportedOnce",
       .rules = {"CLOSE-006"},
       .body = AFailingCloseIsReportedOnce},
  };
  for (Case& row : close_running_cases()) cases.push_back(std::move(row));
  return cases;
}

}  // namespace sandproof::conformance
