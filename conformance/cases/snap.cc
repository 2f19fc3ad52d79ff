// SPDX-License-Identifier: Apache-2.0
// SNAP: captured state and what is made of it. Cases; each used by one worker thread.
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::SizeIs;
using testing::StartsWith;

/// What the script prints in a session restored from the snapshot, or what was thrown.
std::string restored(CaseContext& ctx, const Snapshot& snapshot, const std::string& script) {
  std::string out;
  const std::string error = error_of(
      [&] { out = out_within(ctx.bound(kAtOnce), *ctx.sandbox().restore(snapshot), script); });
  return error + out;
}

// SNAP-001: `create_snapshot` leaves the session running and usable.
void ASnapshotLeavesTheSessionRunning(CaseContext& ctx) {
  Session& session = ctx.session();
  // It asks for a file: whether a snapshot can hold a FIFO is another question.
  const Started started =
      start(session, "echo up; until test -e go; do sleep 0.02; done; echo two; exit 7");
  session.create_snapshot();
  std::vector<std::string> seen{error_of([&] { sh(session, "touch go"); }),
                                end_of(*started.process, ctx.bound(kAtOnce)),
                                next_line(started.process->out())};
  EXPECT_THAT(seen, ElementsAre("", "status 7", "two\n"));
}

// SNAP-002: `restore` gives a new session with a new id whose files are those at the time of the
// snapshot: later changes and later files are absent.
void RestoreGivesTheFilesOfThatTime(CaseContext& ctx) {
  Session& session = ctx.session();
  sh(session, "echo then > f; chmod 640 f; ln -s f link; mkdir d; echo kept > d/g");
  const Snapshot snapshot = session.create_snapshot();
  sh(session, "echo now > f; chmod 600 f; echo new > later; rm -r d");
  const std::unique_ptr<Session> restored = ctx.sandbox().restore(snapshot);
  const std::string out = out_within(ctx.bound(kAtOnce), *restored,
                                     "stat -c %a f; cat link d/g; test -e later || echo absent");
  const std::string id = restored->id() == session.id() ? "the same id" : "a new id";
  EXPECT_THAT(std::pair(id, out), Pair("a new id", "640\nthen\nkept\nabsent\n"));
}

// SNAP-002: over several generations.
void FiveRoundsOfSnapshotAndRestore(CaseContext& ctx) {
  Session* session = &ctx.session();
  std::unique_ptr<Session> restored;
  for (int round = 0; round < 5; ++round) {
    sh(*session, "echo " + std::to_string(round) + " >> f");
    const Snapshot snapshot = session->create_snapshot();
    sh(*session, "echo spoilt >> f");
    restored = ctx.sandbox().restore(snapshot);
    session = restored.get();
  }
  EXPECT_EQ(out_within(ctx.bound(kAtOnce), *session, "cat f"), "0\n1\n2\n3\n4\n");
}

// SNAP-003: The original is unaffected by what happens in the restored session, and two restores
// are independent of each other.
void RestoredSessionsAreIndependent(CaseContext& ctx) {
  Session& original = ctx.session();
  sh(original, "touch start");
  const Snapshot snapshot = original.create_snapshot();
  const std::unique_ptr<Session> first = ctx.sandbox().restore(snapshot);
  const std::unique_ptr<Session> second = ctx.sandbox().restore(snapshot);
  sh(*first, "touch first");
  sh(*second, "touch second");
  std::vector<std::string> seen;
  for (Session* session : {&original, first.get(), second.get()}) {
    seen.push_back(out_within(ctx.bound(kAtOnce), *session, "echo *"));
  }
  EXPECT_THAT(seen, ElementsAre("start\n", "first start\n", "second start\n"));
}

// SNAP-003: The original is unaffected by what happens in the restored session: its end, too.
void DestroyingARestoredSessionHurtsNobody(CaseContext& ctx) {
  Session& original = ctx.session();
  sh(original, "echo x > f");
  const Snapshot snapshot = original.create_snapshot();
  const std::unique_ptr<Session> other = ctx.sandbox().restore(snapshot);
  ctx.sandbox().restore(snapshot)->destroy();
  const std::vector<std::string> seen{out_within(ctx.bound(kAtOnce), original, "cat f"),
                                      out_within(ctx.bound(kAtOnce), *other, "cat f"),
                                      restored(ctx, snapshot, "cat f")};
  EXPECT_THAT(seen, Each("x\n"));
}

// SNAP-004: A snapshot serialises to JSON and back to an equal value.
void ASnapshotSurvivesJson(CaseContext& ctx) {
  sh(ctx.session(), "echo x > f");
  const Snapshot snapshot = ctx.session().create_snapshot();
  Snapshot back;
  const std::string error = error_of([&] { back = snapshot_from_json(to_json(snapshot)); });
  const std::vector<std::string> seen{error, back == snapshot ? "equal" : "different",
                                      restored(ctx, back, "cat f")};
  EXPECT_THAT(seen, ElementsAre("", "equal", "x\n"));
}

// SNAP-005: A snapshot of another sandbox component is `InvalidArgumentError` that names both.
void AForeignSnapshotIsRefused(CaseContext& ctx) {
  SandboxSpec spec;
  spec.component = "other";
  const std::unique_ptr<Sandbox> other = ctx.make_sandbox(spec);
  const Snapshot snapshot = ctx.session().create_snapshot();
  const std::vector<std::string> errors{error_of([&] { other->restore(snapshot); }),
                                        error_of([&] { other->delete_snapshot(snapshot); })};
  EXPECT_THAT(errors, Each(AllOf(StartsWith("InvalidArgumentError: "),
                                 HasSubstr("'" + snapshot.component_id + "'"),
                                 HasSubstr("'" + other->component_id() + "'"))));
}

// SNAP-006: A snapshot that is gone is `NotFoundError`.
void AGoneSnapshotIsNotFound(CaseContext& ctx) {
  const Snapshot snapshot = ctx.session().create_snapshot();
  ctx.sandbox().delete_snapshot(snapshot);
  EXPECT_THAT(restored(ctx, snapshot, "echo restored"),
              AllOf(StartsWith("NotFoundError: "), HasSubstr(snapshot.ref)));
}

// SNAP-006.
void AMadeUpSnapshotIsNotFound(CaseContext& ctx) {
  const Snapshot snapshot{
      .component_id = ctx.sandbox().component_id(), .ref = "made-up", .metadata = {}};
  EXPECT_THAT(restored(ctx, snapshot, "echo restored"),
              AllOf(StartsWith("NotFoundError: "), HasSubstr("made-up")));
}

// SNAP-007: A snapshot outlives its session's `destroy()`.
void ASnapshotOutlivesItsSession(CaseContext& ctx) {
  const std::unique_ptr<Session> session = ctx.sandbox().create_session();
  sh(*session, "echo x > f");
  const Snapshot snapshot = session->create_snapshot();
  session->destroy();
  EXPECT_EQ(restored(ctx, snapshot, "cat f"), "x\n");
}

// SNAP-008: Two snapshots of one session have different refs.
void SnapshotsHaveDifferentRefs(CaseContext& ctx) {
  Session& session = ctx.session();
  std::mutex mutex;
  std::set<std::string> refs;
  const auto take = [&](int) {
    const std::string ref = session.create_snapshot().ref;
    const std::lock_guard lock(mutex);
    refs.insert(ref);
  };
  for (int i = 0; i < 5; ++i) take(i);
  in_parallel(4, take);
  EXPECT_THAT(refs, SizeIs(9));
}

// SNAP-009: Restore keeps the session's own working directory, environment and limits …
void RestoreKeepsDirectoryAndEnvironment(CaseContext& ctx) {
  const auto session = ctx.sandbox().create_session(Settings().set(
      "environment",
      Environment{{"PAIR", "b=c"}, {"EMPTY", ""}, {"WORD", "grün"}, {"LINES", "x\n'y'"}}));
  sh(*session, "touch here");
  const std::string script =
      "test -e here && printf '<%s>' \"$PAIR\" \"${EMPTY-unset}\" \"$WORD\" \"$LINES\"";
  const std::string own = sh(*session, script).out;
  EXPECT_EQ(restored(ctx, session->create_snapshot(), script), own);
}

// SNAP-009: … and accepts settings …
void RestoreTakesSettings(CaseContext& ctx) {
  const auto session = ctx.sandbox().create_session(
      Settings().set("environment", Environment{{"OLD", "old"}, {"BOTH", "old"}}));
  const Snapshot snapshot = session->create_snapshot();
  const std::unique_ptr<Session> restored = ctx.sandbox().restore(
      snapshot, Settings().set("environment", Environment{{"NEW", "new"}, {"BOTH", "new"}}));
  EXPECT_EQ(out_within(ctx.bound(kAtOnce), *restored, "echo ${OLD-unset} $BOTH $NEW"),
            "unset new new\n");
}

// SNAP-009: … and `destroy_on_exit`.
void RestoreTakesDestroyOnExit(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  const std::unique_ptr<Session> session = sandbox.create_session();
  const Snapshot snapshot = session->create_snapshot();
  sandbox.restore(snapshot, {}, OnExit::kDestroy).reset();
  session->destroy();
  sandbox.delete_snapshot(snapshot);
  EXPECT_THAT(ctx.probe().census(sandbox.component_id()), IsEmpty());
}

// SNAP-010: `delete_snapshot` removes it from the backend …
void DeleteSnapshotRemovesIt(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  const std::unique_ptr<Session> session = sandbox.create_session();
  const Snapshot snapshot = session->create_snapshot();
  session->destroy();
  const std::vector<std::string> before = ctx.probe().census(sandbox.component_id());
  sandbox.delete_snapshot(snapshot);
  EXPECT_THAT(std::pair(before, ctx.probe().census(sandbox.component_id())),
              Pair(Not(IsEmpty()), IsEmpty()));
}

// SNAP-010: … again does nothing.
void DeletingTwiceIsNothing(CaseContext& ctx) {
  const Snapshot snapshot = ctx.session().create_snapshot();
  ctx.sandbox().delete_snapshot(snapshot);
  EXPECT_EQ(error_of([&] { ctx.sandbox().delete_snapshot(snapshot); }), "");
}

// SNAP-011: A snapshot restores in another process.
void ASnapshotRestoresInAnotherProcess(CaseContext& ctx) {
  sh(ctx.session(), "echo x > f");
  const Snapshot snapshot = ctx.session().create_snapshot();
  const ElsewhereResult there = ctx.restore_elsewhere(snapshot, {"cat", "f"});
  EXPECT_THAT((std::vector{there.outcome, there.error, there.output.out}),
              ElementsAre("ok", "", "x\n"));
}

}  // namespace

std::vector<Case> snap_cases() {
  return {
      {.name = "ASnapshotLeavesTheSessionRunning",
       .rules = {"SNAP-001"},
       .body = ASnapshotLeavesTheSessionRunning},
      {.name = "RestoreGivesTheFilesOfThatTime",
       .rules = {"SNAP-002"},
       .body = RestoreGivesTheFilesOfThatTime},
      {.name = "FiveRoundsOfSnapshotAndRestore",
       .rules = {"SNAP-002"},
       .body = FiveRoundsOfSnapshotAndRestore},
      {.name = "RestoredSessionsAreIndependent",
       .rules = {"SNAP-003"},
       .body = RestoredSessionsAreIndependent},
      {.name = "DestroyingARestoredSessionHurtsNobody",
       .rules = {"SNAP-003"},
       .body = DestroyingARestoredSessionHurtsNobody},
      {.name = "ASnapshotSurvivesJson", .rules = {"SNAP-004"}, .body = ASnapshotSurvivesJson},
      {.name = "AForeignSnapshotIsRefused",
       .rules = {"SNAP-005"},
       .body = AForeignSnapshotIsRefused},
      {.name = "AGoneSnapshotIsNotFound", .rules = {"SNAP-006"}, .body = AGoneSnapshotIsNotFound},
      {.name = "AMadeUpSnapshotIsNotFound",
       .rules = {"SNAP-006"},
       .body = AMadeUpSnapshotIsNotFound},
      {.name = "ASnapshotOutlivesItsSession",
       .rules = {"SNAP-007"},
       .body = ASnapshotOutlivesItsSession},
      {.name = "SnapshotsHaveDifferentRefs",
       .rules = {"SNAP-008"},
       .body = SnapshotsHaveDifferentRefs},
      {.name = "RestoreKeepsDirectoryAndEnvironment",
       .rules = {"SNAP-009"},
       .body = RestoreKeepsDirectoryAndEnvironment},
      {.name = "RestoreTakesSettings", .rules = {"SNAP-009"}, .body = RestoreTakesSettings},
      {.name = "RestoreTakesDestroyOnExit",
       .rules = {"SNAP-009"},
       .body = RestoreTakesDestroyOnExit,
       .needs = {Need::kLeakCensus}},
      {.name = "DeleteSnapshotRemovesIt",
       .rules = {"SNAP-010"},
       .body = DeleteSnapshotRemovesIt,
       .needs = {Need::kLeakCensus}},
      {.name = "DeletingTwiceIsNothing", .rules = {"SNAP-010"}, .body = DeletingTwiceIsNothing},
      {.name = "ASnapshotRestoresInAnotherProcess",
       .rules = {"SNAP-011"},
       .body = ASnapshotRestoresInAnotherProcess},
  };
}

}  // namespace sandproof::conformance
