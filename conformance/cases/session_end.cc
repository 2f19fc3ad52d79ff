// SPDX-License-Identifier: Apache-2.0
// SESSION: what becomes of sessions without being asked. Cases; each used by one worker thread,
// which starts more where the rule speaks of threads.
#include <algorithm>
#include <array>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/blocked_calls.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"
#include "sandproof/errors.h"
#include "sandproof/log_stores.h"

namespace sandproof::conformance {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;

/// A command that says "up", waits at a FIFO and leaves `done` in the file `f`; and what opens the
/// gate and prints the file.
constexpr const char* kLeavesAFileAtTheGate =
    "mkfifo gate back; echo up; read x < gate; echo done > f; echo end > back";
constexpr const char* kOpensAndShows = "echo go > gate; read y < back; cat f";

// SESSION-006: Scope exit destroys the session if `destroy_on_exit`, else closes it.
void ScopeExitDestroysWhenAsked(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  with_session(sandbox, {}, OnExit::kDestroy, [](Session& session) { sh(session, "touch f"); });
  std::vector<std::string> left = ctx.probe().census(sandbox.component_id());
  sh(*sandbox.create_session({}, OnExit::kDestroy), "touch f");
  for (std::string& item : ctx.probe().census(sandbox.component_id())) {
    left.push_back(std::move(item));
  }
  EXPECT_THAT(left, IsEmpty());
}

// SESSION-006: … else closes it.
void ScopeExitClosesOtherwise(CaseContext& ctx) {
  std::string id;
  with_session(ctx.sandbox(), {}, OnExit::kClose, [&](Session& session) {
    id = session.id();
    sh(session, "echo x > f");
  });
  std::string out;
  const std::string error = error_of([&] { out = sh(*ctx.sandbox().attach(id), "cat f").out; });
  EXPECT_EQ(error + out, "x\n");
}

// SESSION-006: … on the exception path too, and the body's exception stays the one that is seen.
void TheBodysExceptionIsTheOneThatIsSeen(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  const std::unique_ptr<Sandbox> sandbox = sandbox_with(ctx, {}, faults);
  std::unique_ptr<Process> process;
  const auto throwing = [&](Session& session) {
    process = start(session, "echo up; sleep 30").process;
    throw std::runtime_error("body");
  };
  const std::string with_a_quiet_end =
      error_of([&] { with_session(*sandbox, {}, OnExit::kDestroy, throwing); });
  ASSERT_NE(process, nullptr) << with_a_quiet_end;
  std::string end;
  const std::string wait_error = error_of([&] {
    end = process->wait(ctx.bound(std::chrono::milliseconds(0))).success() ? "success" : "ended";
  });
  EXPECT_THAT(end + wait_error, AnyOf("ended", StartsWith("SandboxLostError")));
  faults->fail_close = 1;
  const std::string with_a_failing_end =
      error_of([&] { with_session(*sandbox, {}, OnExit::kDestroy, throwing); });
  EXPECT_THAT((std::vector{with_a_quiet_end, with_a_failing_end}), Each("std::exception: body"));
}

// SESSION-006: If the body did not throw, `with_session` throws the teardown error.
void ATeardownErrorIsThrownIfTheBodyDidNotThrow(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  const std::unique_ptr<Sandbox> sandbox = sandbox_with(ctx, {}, faults);
  faults->fail_close = 1;
  const std::string error =
      error_of([&] { with_session(*sandbox, {}, OnExit::kClose, [](Session&) {}); });
  EXPECT_THAT(error, testing::AllOf(StartsWith("BackendError"), HasSubstr("injected")));
}

// SESSION-006: … a destructor never throws, is bounded, and leaves the error in the log and with
// the sandbox.
void ADestructorLeavesTheErrorBehind(CaseContext& ctx) {
  SandboxSpec spec;
  spec.hook_faults = std::make_shared<HookFaults>();
  const auto diagnostics = std::make_shared<MemoryDiagnostics>();
  spec.diagnostics = diagnostics;
  const std::unique_ptr<Sandbox> sandbox = ctx.make_sandbox(spec);
  std::unique_ptr<Session> session = sandbox->create_session();
  spec.hook_faults->fail_close = 1;
  session.reset();
  const std::string left = error_of([&] {
    if (const std::exception_ptr error = sandbox->last_teardown_error()) {
      std::rethrow_exception(error);
    }
  });
  std::vector<std::string> reported;
  for (const LogRecord& record : diagnostics->records()) reported.push_back(record.text);
  EXPECT_THAT(std::pair(left, reported),
              Pair(HasSubstr("injected"), Contains(HasSubstr("injected"))));
}

// SESSION-006: Scope exit destroys the session if `destroy_on_exit` …: that it could not is a
// teardown error, too.
void AFailedDestroyIsATeardownError(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  const std::unique_ptr<Sandbox> sandbox = sandbox_with(ctx, {}, faults);
  faults->fail_destroy = 1;
  std::vector<std::string> errors{
      error_of([&] { with_session(*sandbox, {}, OnExit::kDestroy, [](Session&) {}); })};
  std::unique_ptr<Session> session = sandbox->create_session({}, OnExit::kDestroy);
  faults->fail_destroy = 1;
  session.reset();
  errors.push_back(error_of([&] {
    if (const std::exception_ptr error = sandbox->last_teardown_error()) {
      std::rethrow_exception(error);
    }
  }));
  EXPECT_THAT(errors,
              Each(testing::AllOf(StartsWith("BackendError"), HasSubstr("destroy refused"))));
}

// SESSION-006: … a destructor … is bounded: also with callers inside.
void ADestructorIsBounded(CaseContext& ctx) {
  std::unique_ptr<Session> session = ctx.sandbox().create_session();
  BlockedCalls calls(*session, "echo up; sleep 30");
  EXPECT_TRUE(finishes_within(
      ctx.bound(kAtOnce), [&] { session.reset(); }, [&] { calls.unblock(); }));
}

// SESSION-007: `destroy_on_exit` defaults to false …
void NothingIsDestroyedByDefault(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  const std::unique_ptr<Sandbox> sandbox = sandbox_with(ctx, {}, faults);
  sandbox->create_session().reset();
  EXPECT_EQ(faults->destroys, 0);
}

// SESSION-007: … an attached session has it false.
void AnAttachedHandleDoesNotDestroy(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  std::unique_ptr<Session> session = sandbox.create_session();
  const std::string id = session->id();
  sh(*session, "echo x > f");
  session.reset();
  std::string out;
  const std::string error = error_of([&] {
    sandbox.attach(id).reset();
    out = sh(*sandbox.attach(id), "cat f").out;
  });
  EXPECT_EQ(error + out, "x\n");
}

/// Starts a command that waits, lets `end` do away with handles, and asks by others whether the
/// command has gone on.
std::string goes_on_after(
    CaseContext& ctx,
    const std::function<void(std::unique_ptr<Sandbox>&, std::unique_ptr<Session>&)>& end) {
  std::unique_ptr<Sandbox> sandbox = ctx.make_sandbox({});
  std::unique_ptr<Session> session = sandbox->create_session();
  const std::string id = session->id();
  start(*session, kLeavesAFileAtTheGate);
  end(sandbox, session);
  return error_or(
      [&] { return out_within(ctx.bound(kAtOnce), *ctx.sandbox().attach(id), kOpensAndShows); });
}

// SESSION-008: Nothing destroys an environment implicitly: a closed or destructed handle leaves it
// running.
void AClosedHandleLeavesTheEnvironmentRunning(CaseContext& ctx) {
  EXPECT_EQ(goes_on_after(ctx, [](auto&, auto& session) { session->close(); }), "done\n");
}

// SESSION-008.
void ADroppedHandleLeavesTheEnvironmentRunning(CaseContext& ctx) {
  EXPECT_EQ(goes_on_after(ctx, [](auto&, auto& session) { session.reset(); }), "done\n");
}

// SESSION-008: Nothing destroys an environment implicitly …: nor does the end of its sandbox.
void ADroppedSandboxLeavesTheEnvironmentRunning(CaseContext& ctx) {
  EXPECT_EQ(goes_on_after(ctx,
                          [](auto& sandbox, auto& session) {
                            session.reset();
                            sandbox.reset();
                          }),
            "done\n");
}

/// The three handles, dropped in the order of `turns`, each on a thread of its own; what is left
/// has to work.
class Handles {
 public:
  explicit Handles(CaseContext& ctx)
      : sandbox_(ctx.make_sandbox({})), session_(sandbox_->create_session()) {
    process_ = session_->exec({"echo", "x"});
    process_->wait();
  }

  std::string drop(const std::array<int, 3>& turns) {
    return error_of([&] {
      for (const int turn : turns) {
        std::jthread([this, turn] { drop(turn); }).join();
        if (session_ && sh(*session_, "echo hi").out != "hi\n") throw BackendError("echo is mute");
        if (process_ && process_->exit_status() != ExitStatus::exited(0)) {
          throw BackendError("the status is gone");
        }
      }
    });
  }

 private:
  void drop(int which) {
    if (which == 0) sandbox_.reset();
    if (which == 1) session_.reset();
    if (which == 2) process_.reset();
  }

  std::unique_ptr<Sandbox> sandbox_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Process> process_;
};

// SESSION-011: Handles of sandbox, session and process may be destroyed in any order and on any
// thread …
void HandlesAreDestroyedInAnyOrder(CaseContext& ctx) {
  std::array<int, 3> turns{0, 1, 2};
  std::vector<std::string> problems;
  do {
    problems.push_back(Handles(ctx).drop(turns));
  } while (std::next_permutation(turns.begin(), turns.end()));
  EXPECT_THAT(problems, Each(IsEmpty()));
}

// SESSION-011: … a process whose handle is gone runs on under its session.
void AProcessWhoseHandleIsGoneRunsOn(CaseContext& ctx) {
  start(ctx.session(), kLeavesAFileAtTheGate).process.reset();
  EXPECT_EQ(out_within(ctx.bound(std::chrono::milliseconds(0)), ctx.session(), kOpensAndShows),
            "done\n");
}

}  // namespace

std::vector<Case> session_end_cases() {
  using enum Capability;
  return {
      {.name = "ScopeExitDestroysWhenAsked",
       .rules = {"SESSION-006"},
       .body = ScopeExitDestroysWhenAsked,
       .needs = {Need::kLeakCensus}},
      {.name = "ScopeExitClosesOtherwise",
       .rules = {"SESSION-006"},
       .body = ScopeExitClosesOtherwise,
       .with = {kAttach, kOutlives}},
      {.name = "TheBodysExceptionIsTheOneThatIsSeen",
       .rules = {"SESSION-006"},
       .body = TheBodysExceptionIsTheOneThatIsSeen},
      {.name = "ATeardownErrorIsThrownIfTheBodyDidNotThrow",
       .rules = {"SESSION-006"},
       .body = ATeardownErrorIsThrownIfTheBodyDidNotThrow},
      {.name = "ADestructorLeavesTheErrorBehind",
       .rules = {"SESSION-006"},
       .body = ADestructorLeavesTheErrorBehind},
      {.name = "AFailedDestroyIsATeardownError",
       .rules = {"SESSION-006"},
       .body = AFailedDestroyIsATeardownError},
      {.name = "ADestructorIsBounded", .rules = {"SESSION-006"}, .body = ADestructorIsBounded},
      {.name = "NothingIsDestroyedByDefault",
       .rules = {"SESSION-007"},
       .body = NothingIsDestroyedByDefault},
      {.name = "AnAttachedHandleDoesNotDestroy",
       .rules = {"SESSION-007"},
       .body = AnAttachedHandleDoesNotDestroy,
       .with = {kAttach, kOutlives}},
      {.name = "AClosedHandleLeavesTheEnvironmentRunning",
       .rules = {"SESSION-008"},
       .body = AClosedHandleLeavesTheEnvironmentRunning,
       .with = {kAttach}},
      {.name = "ADroppedHandleLeavesTheEnvironmentRunning",
       .rules = {"SESSION-008"},
       .body = ADroppedHandleLeavesTheEnvironmentRunning,
       .with = {kAttach}},
      {.name = "ADroppedSandboxLeavesTheEnvironmentRunning",
       .rules = {"SESSION-008"},
       .body = ADroppedSandboxLeavesTheEnvironmentRunning,
       .with = {kAttach}},
      {.name = "HandlesAreDestroyedInAnyOrder",
       .rules = {"SESSION-011"},
       .body = HandlesAreDestroyedInAnyOrder},
      {.name = "AProcessWhoseHandleIsGoneRunsOn",
       .rules = {"SESSION-011"},
       .body = AProcessWhoseHandleIsGoneRunsOn},
  };
}

}  // namespace sandproof::conformance
