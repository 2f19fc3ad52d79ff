// SPDX-License-Identifier: Apache-2.0
// Cases that use a sandbox: what they leave in its backend, mutants, other processes.
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "sandproof/conformance/assertions.h"
#include "sandproof/conformance/context.h"
#include "sandproof/errors.h"
#include "tests/conformance/runner_fixture/fixture_cases.h"
#include "tests/conformance/runner_fixture/toy_flavor.h"

namespace sandproof::conformance::fixture {
namespace {

void echoes(CaseContext& context) {
  const Output output = run(context.session(), {"echo", "hello"});
  EXPECT_EQ(output.out, "hello\n");
  EXPECT_TRUE(output.status.success());
}

void leaves_sessions(CaseContext& context) {
  SandboxSpec spec;
  spec.component = "Other one";
  const auto other = context.make_sandbox(spec);
  EXPECT_NE(other->component_id(), context.sandbox().component_id());
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(context.sandbox().create_session()->id().empty());
    EXPECT_FALSE(other->create_session()->id().empty());
  }
}

void leaves_a_backend_thing(CaseContext& context) {
  EXPECT_EQ(1, 1);
  toy_leak(context.sandbox().component_id(), "volume");
}

void fails_and_leaves_a_backend_thing(CaseContext& context) {
  EXPECT_EQ(1, 2);
  toy_leak(context.sandbox().component_id(), "volume");
}

void uses_a_sandbox_from_threads(CaseContext& context) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { EXPECT_FALSE(context.sandbox().create_session()->id().empty()); });
  }
}

void injects_faults_that_nobody_has(CaseContext& context) {
  EXPECT_EQ(1, 1);
  context.faults();
}

void goes_elsewhere(CaseContext& context) {
  Session& session = context.session();
  EXPECT_TRUE(sh(session, "echo here > file").status.success());
  const ElsewhereResult attached = context.attach_elsewhere(session.id(), {"cat", "file"});
  EXPECT_EQ(attached.outcome, "ok") << attached.error;
  EXPECT_EQ(attached.output.out, "here\n");
  EXPECT_TRUE(attached.output.status.success());
  EXPECT_EQ(attached.session_id, session.id());

  const Snapshot snapshot = session.create_snapshot();
  const ElsewhereResult restored = context.restore_elsewhere(snapshot, {"cat", "file"});
  EXPECT_EQ(restored.outcome, "ok") << restored.error;
  EXPECT_EQ(restored.output.out, "here\n");
  EXPECT_NE(restored.session_id, session.id());

  const ElsewhereResult unknown = context.attach_elsewhere("detached-000000000000", {"true"});
  EXPECT_EQ(unknown.outcome, "NotFoundError") << unknown.error;

  const ElsewhereResult dead = context.die_elsewhere({"sh", "-c", "echo started > file; sleep 60"});
  EXPECT_EQ(dead.outcome, "ok") << dead.error;
  const auto again = context.sandbox().attach(dead.session_id);
  EXPECT_FALSE(again->closed());
}

}  // namespace

void add_sandbox_cases(std::vector<Case>& cases) {
  const std::vector<std::string_view> rules{"RUN-001"};
  cases.push_back({.name = "Echoes", .rules = rules, .body = echoes});
  cases.push_back({.name = "LeavesSessions", .rules = rules, .body = leaves_sessions});
  cases.push_back({.name = "LeavesABackendThing", .rules = rules, .body = leaves_a_backend_thing});
  cases.push_back({.name = "FailsAndLeavesABackendThing",
                   .rules = rules,
                   .body = fails_and_leaves_a_backend_thing});
  cases.push_back(
      {.name = "UsesASandboxFromThreads", .rules = rules, .body = uses_a_sandbox_from_threads});
  cases.push_back({.name = "InjectsFaultsThatNobodyHas",
                   .rules = rules,
                   .body = injects_faults_that_nobody_has});
  cases.push_back({.name = "GoesElsewhere", .rules = {"RUN-003"}, .body = goes_elsewhere});
  cases.push_back({.name = "NeedsAQuota", .rules = {"RUN-004"}, .body = echoes});
  cases.push_back({.name = "AppliesWithoutAttach", .rules = {"RUN-005"}, .body = echoes});
}

}  // namespace sandproof::conformance::fixture
