// SPDX-License-Identifier: Apache-2.0
// ATTACH: a second handle to an environment. Cases; each used by one worker thread.
#include <memory>
#include <string>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::ContainsRegex;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// ATTACH-001: `attach(id)` gives an open handle with the same id to the same environment: files
// written before are there.
void AttachReachesTheSameEnvironment(CaseContext& ctx) {
  Session& session = ctx.session();
  sh(session, "echo before > f");
  const std::unique_ptr<Session> again = ctx.sandbox().attach(session.id());
  std::vector<std::string> seen{again->id(), state_of(*again)};
  seen.push_back(out_within(ctx.bound(kAtOnce), *again, "cat f; echo after > g"));
  seen.push_back(out_within(ctx.bound(kAtOnce), session, "cat g"));
  EXPECT_THAT(seen, ElementsAre(session.id(), "open", "before\n", "after\n"));
}

// ATTACH-002: Handles are independent: closing one leaves the other open.
void HandlesAreIndependent(CaseContext& ctx) {
  Session& session = ctx.session();
  const std::unique_ptr<Session> second = ctx.sandbox().attach(session.id());
  second->close();
  std::vector<std::string> seen{state_of(session),
                                out_within(ctx.bound(kAtOnce), session, "echo first")};
  const std::unique_ptr<Session> third = ctx.sandbox().attach(session.id());
  session.close();
  seen.push_back(state_of(*third));
  seen.push_back(out_within(ctx.bound(kAtOnce), *third, "echo third"));
  EXPECT_THAT(seen, ElementsAre("open", "first\n", "open", "third\n"));
}

// ATTACH-003: An unknown id throws `NotFoundError` that names the id …
void AnUnknownIdIsNotFound(CaseContext& ctx) {
  const std::string unknown = ctx.sandbox().flavor() + "-ffffffffffff";
  EXPECT_THAT(error_of([&] { ctx.sandbox().attach(unknown); }),
              AllOf(StartsWith("NotFoundError: "), HasSubstr(unknown)));
  EXPECT_THAT(error_of([&] { ctx.sandbox().attach("No such id/.."); }),
              AllOf(StartsWith("NotFoundError: "), HasSubstr("No such id/..")));
}

// ATTACH-003: … nothing is created or started.
void AttachingTheUnknownMakesNothing(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  error_of([&] { sandbox.attach(sandbox.flavor() + "-ffffffffffff"); });
  EXPECT_THAT(ctx.probe().census(sandbox.component_id()), IsEmpty());
}

// ATTACH-004: A session of another sandbox component throws `NotFoundError` that says so.
void AnotherComponentsSessionIsNotFound(CaseContext& ctx) {
  SandboxSpec spec;
  spec.component = "other";
  const std::unique_ptr<Sandbox> other = ctx.make_sandbox(spec);
  const std::string id = ctx.session().id();
  EXPECT_THAT(error_of([&] { other->attach(id); }),
              AllOf(StartsWith("NotFoundError: "), HasSubstr(id), HasSubstr("component")));
}

// ATTACH-005: Attach restores the session's own working directory and environment variables,
// per-session overrides included.
void AttachRestoresDirectoryAndEnvironment(CaseContext& ctx) {
  const auto session = ctx.sandbox().create_session(Settings().set(
      "environment", Environment{{"COLOR", "it's \"blue\"\nor $NOT"}, {"EMPTY", ""}}));
  const std::string script = "pwd; printf '<%s>' \"$COLOR\" \"${EMPTY-unset}\"";
  const std::string own = sh(*session, script).out;
  const std::unique_ptr<Sandbox> another_object = ctx.make_sandbox({});
  const std::vector<std::string> seen{
      out_within(ctx.bound(kAtOnce), *ctx.sandbox().attach(session->id()), script),
      out_within(ctx.bound(kAtOnce), *another_object->attach(session->id()), script)};
  EXPECT_THAT(seen, Each(own));
}

// ATTACH-005: … the session's own … environment variables …: not those of who attaches.
void AttachKeepsTheSessionsOwnEnvironment(CaseContext& ctx) {
  const auto maker = sandbox_with(ctx, Settings().set("environment", Environment{{"A", "own"}}));
  const std::unique_ptr<Session> session = maker->create_session();
  const auto changed =
      sandbox_with(ctx, Settings().set("environment", Environment{{"A", "later"}, {"B", "later"}}));
  EXPECT_EQ(out_within(ctx.bound(kAtOnce), *changed->attach(session->id()), "echo $A ${B-unset}"),
            "own unset\n");
}

// ATTACH-005: … per-session overrides included: in another process, too.
void AttachRestoresTheEnvironmentElsewhere(CaseContext& ctx) {
  const auto session = ctx.sandbox().create_session(
      Settings().set("environment", Environment{{"COLOR", "red"}, {"EMPTY", ""}}));
  const std::string script = "pwd; echo \"$COLOR ${EMPTY-unset}\"";
  const std::string own = sh(*session, script).out;
  const ElsewhereResult there = ctx.attach_elsewhere(session->id(), {"sh", "-c", script});
  EXPECT_EQ(there.error + there.output.out, own);
}

// ATTACH-006: Attach works from another process that knows only the configuration and the id.
void AttachWorksFromAnotherProcess(CaseContext& ctx) {
  Session& session = ctx.session();
  sh(session, "echo x > f");
  const ElsewhereResult there = ctx.attach_elsewhere(session.id(), {"cat", "f"});
  const std::vector<std::string> seen{there.outcome, there.error, there.session_id,
                                      there.output.out,
                                      out_within(ctx.bound(kAtOnce), session, "echo still")};
  EXPECT_THAT(seen, ElementsAre("ok", "", session.id(), "x\n", "still\n"));
}

// ATTACH-007: An environment that has stopped (container exited, pod completed or terminating) is
// `NotFoundError`, with the state in the text.
void AStoppedEnvironmentIsNotFound(CaseContext& ctx) {
  const std::string id = ctx.session().id();
  ctx.faults().stop_environment(id);
  EXPECT_THAT(error_of([&] { ctx.sandbox().attach(id); }),
              AllOf(StartsWith("NotFoundError: "), HasSubstr(id),
                    ContainsRegex("stopped|exited|terminat|completed|not running")));
}

}  // namespace

std::vector<Case> attach_cases() {
  return {
      {.name = "AttachReachesTheSameEnvironment",
       .rules = {"ATTACH-001"},
       .body = AttachReachesTheSameEnvironment},
      {.name = "HandlesAreIndependent", .rules = {"ATTACH-002"}, .body = HandlesAreIndependent},
      {.name = "AnUnknownIdIsNotFound", .rules = {"ATTACH-003"}, .body = AnUnknownIdIsNotFound},
      {.name = "AttachingTheUnknownMakesNothing",
       .rules = {"ATTACH-003"},
       .body = AttachingTheUnknownMakesNothing,
       .needs = {Need::kLeakCensus}},
      {.name = "AnotherComponentsSessionIsNotFound",
       .rules = {"ATTACH-004"},
       .body = AnotherComponentsSessionIsNotFound},
      {.name = "AttachRestoresDirectoryAndEnvironment",
       .rules = {"ATTACH-005"},
       .body = AttachRestoresDirectoryAndEnvironment},
      {.name = "AttachKeepsTheSessionsOwnEnvironment",
       .rules = {"ATTACH-005"},
       .body = AttachKeepsTheSessionsOwnEnvironment},
      {.name = "AttachRestoresTheEnvironmentElsewhere",
       .rules = {"ATTACH-005"},
       .body = AttachRestoresTheEnvironmentElsewhere,
       .with = {Capability::kCrossProcess}},
      {.name = "AttachWorksFromAnotherProcess",
       .rules = {"ATTACH-006"},
       .body = AttachWorksFromAnotherProcess},
      {.name = "AStoppedEnvironmentIsNotFound",
       .rules = {"ATTACH-007"},
       .body = AStoppedEnvironmentIsNotFound},
  };
}

}  // namespace sandproof::conformance
