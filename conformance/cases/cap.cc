// SPDX-License-Identifier: Apache-2.0
// CAP: what a flavor declares, and that it keeps to it. Cases; each used by one worker thread.
#include <set>
#include <string>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Eq;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Ne;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::vector<std::string> names(const Capabilities& capabilities) {
  std::vector<std::string> names;
  for (const Capability capability : capabilities.list()) names.emplace_back(to_string(capability));
  return names;
}

testing::Matcher<std::string> is_refusal_of(const std::string& operation, Sandbox& sandbox) {
  return AllOf(StartsWith("UnsupportedError: "), HasSubstr(operation), HasSubstr(sandbox.flavor()));
}

/// A snapshot that the component could have made.
Snapshot made_up_snapshot(Sandbox& sandbox) {
  return {.component_id = sandbox.component_id(), .ref = "made-up", .metadata = {}};
}

// CAP-001: `capabilities()` is constant over the life of the sandbox and equals what the flavor's
// registration declares.
void CapabilitiesAreConstantAndAsDeclared(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  std::vector<std::vector<std::string>> seen{names(sandbox.capabilities())};
  const std::unique_ptr<Session> session = sandbox.create_session();
  run(*session, {"true"});
  session->destroy();
  seen.push_back(names(sandbox.capabilities()));
  seen.push_back(names(ctx.make_sandbox({})->capabilities()));
  EXPECT_THAT(seen, Each(names(ctx.declared())));
}

// CAP-002: An operation whose capability is not claimed throws `UnsupportedError` naming operation
// and flavor, and has no side effect.
void AttachIsRefusedByName(CaseContext& ctx) {
  const std::string error = error_of([&] { ctx.sandbox().attach("nothing-000000000000"); });
  EXPECT_THAT(error, is_refusal_of("attach", ctx.sandbox()));
}

// CAP-002.
void SnapshotIsRefusedByName(CaseContext& ctx) {
  EXPECT_THAT(error_of([&] { ctx.session().create_snapshot(); }),
              is_refusal_of("snapshot", ctx.sandbox()));
  EXPECT_THAT(error_of([&] { ctx.sandbox().delete_snapshot(made_up_snapshot(ctx.sandbox())); }),
              is_refusal_of("snapshot", ctx.sandbox()));
}

// CAP-002.
void RestoreIsRefusedByName(CaseContext& ctx) {
  const std::string error =
      error_of([&] { ctx.sandbox().restore(made_up_snapshot(ctx.sandbox())); });
  EXPECT_THAT(error, is_refusal_of("restore", ctx.sandbox()));
}

// CAP-002.
void UploadIsRefusedByName(CaseContext& ctx) {
  write_file(ctx.scratch() / "source", "x");
  const std::string error =
      error_of([&] { ctx.session().upload_file(ctx.scratch() / "source", "target"); });
  EXPECT_THAT(error, is_refusal_of("upload", ctx.sandbox()));
  EXPECT_EQ(sh(ctx.session(), "test -e target || echo absent").out, "absent\n");
}

// CAP-002.
void DownloadIsRefusedByName(CaseContext& ctx) {
  sh(ctx.session(), "echo x > source");
  const std::filesystem::path target = ctx.scratch() / "target";
  const std::string error = error_of([&] { ctx.session().download_file("source", target); });
  EXPECT_THAT(error, is_refusal_of("download", ctx.sandbox()));
  EXPECT_FALSE(std::filesystem::exists(target));
}

// CAP-002.
void StdinIsRefusedByName(CaseContext& ctx) {
  std::vector<std::string> errors;
  for (const Stdin& input : {Stdin::bytes("x"), Stdin::pipe()}) {
    ExecOptions options;
    options.input = input;
    errors.push_back(error_of([&] { ctx.session().exec({"touch", "ran"}, options)->wait(); }));
  }
  EXPECT_THAT(errors, Each(is_refusal_of("stdin", ctx.sandbox())));
  EXPECT_EQ(sh(ctx.session(), "test -e ran || echo absent").out, "absent\n");
}

// CAP-002.
void AsyncExecIsRefusedByName(CaseContext& ctx) {
  const std::string error = error_of([&] {
    ctx.session().exec_async({"touch", "ran"}).get()->wait();
  });
  EXPECT_THAT(error, is_refusal_of("exec_async", ctx.sandbox()));
  EXPECT_EQ(sh(ctx.session(), "test -e ran || echo absent").out, "absent\n");
}

// CAP-002: … and has no side effect.
void ARefusedOperationChangesNothing(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  Session& session = ctx.session();
  const std::vector<std::string> before = ctx.probe().census(sandbox.component_id());
  error_of([&] { sandbox.attach(session.id()); });
  error_of([&] { sandbox.restore(made_up_snapshot(sandbox)); });
  error_of([&] { session.create_snapshot(); });
  EXPECT_THAT(ctx.probe().census(sandbox.component_id()),
              testing::UnorderedElementsAreArray(before));
}

// CAP-003: An operation whose capability is claimed never throws `UnsupportedError`.
void ClaimedAttachIsNotRefused(CaseContext& ctx) {
  std::string out;
  const std::string error = error_of([&] {
    sh(ctx.session(), "echo x > f");
    out = sh(*ctx.sandbox().attach(ctx.session().id()), "cat f").out;
  });
  EXPECT_EQ(error + out, "x\n");
}

// CAP-003.
void ClaimedTransfersAreNotRefused(CaseContext& ctx) {
  write_file(ctx.scratch() / "source", "there and back");
  std::string back;
  const std::string error = error_of([&] {
    ctx.session().upload_file(ctx.scratch() / "source", "f");
    ctx.session().download_file("f", ctx.scratch() / "target");
    back = read_file(ctx.scratch() / "target");
  });
  EXPECT_EQ(error + back, "there and back");
}

// CAP-003.
void ClaimedSnapshotsAreNotRefused(CaseContext& ctx) {
  std::string out;
  const std::string error = error_of([&] {
    sh(ctx.session(), "echo x > f");
    const Snapshot snapshot = ctx.session().create_snapshot();
    out = sh(*ctx.sandbox().restore(snapshot), "cat f").out;
    ctx.sandbox().delete_snapshot(snapshot);
  });
  EXPECT_EQ(error + out, "x\n");
}

// CAP-003.
void ClaimedInputIsNotRefused(CaseContext& ctx) {
  ExecOptions options;
  options.input = Stdin::bytes("hi");
  std::string out;
  const std::string error =
      error_of([&] { out = ctx.session().exec({"cat"}, options)->collect().out; });
  EXPECT_EQ(error + out, "hi");
}

// CAP-003.
void ClaimedAsyncExecIsNotRefused(CaseContext& ctx) {
  std::string out;
  const std::string error = error_of([&] {
    out = ctx.session().exec_async({"echo", "hi"}).get()->collect().out;
  });
  EXPECT_EQ(error + out, "hi\n");
}

// CAP-003, and "`destroy()` is a verb of every flavor and never unsupported".
void DestroyIsNeverRefused(CaseContext& ctx) {
  const std::unique_ptr<Session> open = ctx.sandbox().create_session();
  const std::unique_ptr<Session> closed = ctx.sandbox().create_session();
  closed->close();
  const std::vector<std::string> errors{error_of([&] { open->destroy(); }),
                                        error_of([&] { closed->destroy(); })};
  EXPECT_THAT(errors, Each(IsEmpty()));
}

// CAP-004: An operation that works although unclaimed is reported as under-claimed.
void AttachIsNotUnderClaimed(CaseContext& ctx) {
  const std::string id = ctx.session().id();
  EXPECT_THAT(error_of([&] { ctx.sandbox().attach(id); }), Ne(""))
      << "attach works although it is not claimed";
}

// CAP-004.
void SnapshotIsNotUnderClaimed(CaseContext& ctx) {
  EXPECT_THAT(error_of([&] { ctx.session().create_snapshot(); }), Ne(""))
      << "create_snapshot works although it is not claimed";
}

// CAP-004.
void TransfersAreNotUnderClaimed(CaseContext& ctx) {
  write_file(ctx.scratch() / "source", "x");
  const std::string error = error_of([&] {
    ctx.session().upload_file(ctx.scratch() / "source", "f");
    ctx.session().download_file("f", ctx.scratch() / "target");
  });
  EXPECT_THAT(error, Ne("")) << "transfers work although they are not claimed";
}

// CAP-004.
void InputIsNotUnderClaimed(CaseContext& ctx) {
  ExecOptions options;
  options.input = Stdin::bytes("hi");
  std::string out;
  error_of([&] { out = ctx.session().exec({"cat"}, options)->collect().out; });
  EXPECT_THAT(out, Ne("hi")) << "an input arrives although `stdin` is not claimed";
}

// CAP-004.
void AsyncExecIsNotUnderClaimed(CaseContext& ctx) {
  EXPECT_THAT(error_of([&] { ctx.session().exec_async({"true"}).get()->wait(); }), Ne(""))
      << "exec_async works although it is not claimed";
}

// CAP-005: The flavor is really engaged: the identity mark that its binding names, seen from
// inside, differs from the harness's own and from another session's.
void TheFlavorIsReallyEngaged(CaseContext& ctx) {
  const std::unique_ptr<Session> other = ctx.sandbox().create_session();
  const std::vector<std::string> command = ctx.probe().identity_command();
  const std::set<std::string> marks{trimmed(run(ctx.session(), command).out),
                                    trimmed(run(*other, command).out),
                                    trimmed(ctx.probe().harness_identity())};
  EXPECT_THAT(marks, AllOf(SizeIs(3), Not(Contains(IsEmpty()))));
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table of rows.
std::vector<Case> cap_cases() {
  using enum Capability;
  return {
      {.name = "CapabilitiesAreConstantAndAsDeclared",
       .rules = {"CAP-001"},
       .body = CapabilitiesAreConstantAndAsDeclared},
      {.name = "AttachIsRefusedByName",
       .rules = {"CAP-002"},
       .body = AttachIsRefusedByName,
       .without = {kAttach}},
      {.name = "SnapshotIsRefusedByName",
       .rules = {"CAP-002"},
       .body = SnapshotIsRefusedByName,
       .without = {kSnapshot}},
      {.name = "RestoreIsRefusedByName",
       .rules = {"CAP-002"},
       .body = RestoreIsRefusedByName,
       .without = {kRestore}},
      {.name = "UploadIsRefusedByName",
       .rules = {"CAP-002"},
       .body = UploadIsRefusedByName,
       .without = {kUpload}},
      {.name = "DownloadIsRefusedByName",
       .rules = {"CAP-002"},
       .body = DownloadIsRefusedByName,
       .without = {kDownload}},
      {.name = "StdinIsRefusedByName",
       .rules = {"CAP-002"},
       .body = StdinIsRefusedByName,
       .without = {kStdin}},
      {.name = "AsyncExecIsRefusedByName",
       .rules = {"CAP-002"},
       .body = AsyncExecIsRefusedByName,
       .without = {kAsyncExec}},
      {.name = "ARefusedOperationChangesNothing",
       .rules = {"CAP-002"},
       .body = ARefusedOperationChangesNothing,
       .without = {kAttach},
       .needs = {Need::kLeakCensus}},
      {.name = "ClaimedAttachIsNotRefused",
       .rules = {"CAP-003"},
       .body = ClaimedAttachIsNotRefused,
       .with = {kAttach}},
      {.name = "ClaimedTransfersAreNotRefused",
       .rules = {"CAP-003"},
       .body = ClaimedTransfersAreNotRefused,
       .with = {kUpload, kDownload}},
      {.name = "ClaimedSnapshotsAreNotRefused",
       .rules = {"CAP-003"},
       .body = ClaimedSnapshotsAreNotRefused,
       .with = {kSnapshot, kRestore}},
      {.name = "ClaimedInputIsNotRefused",
       .rules = {"CAP-003"},
       .body = ClaimedInputIsNotRefused,
       .with = {kStdin}},
      {.name = "ClaimedAsyncExecIsNotRefused",
       .rules = {"CAP-003"},
       .body = ClaimedAsyncExecIsNotRefused,
       .with = {kAsyncExec}},
      {.name = "DestroyIsNeverRefused", .rules = {"CAP-003"}, .body = DestroyIsNeverRefused},
      {.name = "AttachIsNotUnderClaimed",
       .rules = {"CAP-004"},
       .body = AttachIsNotUnderClaimed,
       .without = {kAttach}},
      {.name = "SnapshotIsNotUnderClaimed",
       .rules = {"CAP-004"},
       .body = SnapshotIsNotUnderClaimed,
       .without = {kSnapshot}},
      {.name = "TransfersAreNotUnderClaimed",
       .rules = {"CAP-004"},
       .body = TransfersAreNotUnderClaimed,
       .without = {kUpload, kDownload}},
      {.name = "InputIsNotUnderClaimed",
       .rules = {"CAP-004"},
       .body = InputIsNotUnderClaimed,
       .without = {kStdin}},
      {.name = "AsyncExecIsNotUnderClaimed",
       .rules = {"CAP-004"},
       .body = AsyncExecIsNotUnderClaimed,
       .without = {kAsyncExec}},
      {.name = "TheFlavorIsReallyEngaged", .rules = {"CAP-005"}, .body = TheFlavorIsReallyEngaged},
  };
}

}  // namespace sandproof::conformance
