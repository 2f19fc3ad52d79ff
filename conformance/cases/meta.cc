// SPDX-License-Identifier: Apache-2.0
// META: what a session publishes about itself. Cases; each used by one worker thread.
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/recording_step.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using testing::Contains;
using testing::Pair;

// META-001: On create, attach and restore, inside a step, `sandbox.<id>.flavor` is published …
void TheFlavorIsPublished(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  const auto session = sandbox->create_session();
  EXPECT_THAT(step.metadata().entries(),
              Contains(Pair("sandbox." + session->id() + ".flavor", sandbox->flavor())));
}

// META-001: … attach …
void TheFlavorIsPublishedAtAttach(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  const auto session = sandbox->create_session();
  const auto attached = sandbox->attach(session->id());
  EXPECT_THAT(step.metadata().entries(),
              Contains(Pair("sandbox." + session->id() + ".flavor", sandbox->flavor())).Times(2));
}

// META-001: … and restore …
void TheFlavorIsPublishedAtRestore(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  const Snapshot snapshot = sandbox->create_session()->create_snapshot();
  const auto restored = sandbox->restore(snapshot);
  sandbox->delete_snapshot(snapshot);
  EXPECT_THAT(step.metadata().entries(),
              Contains(Pair("sandbox." + restored->id() + ".flavor", sandbox->flavor())));
}

// META-001: … and `sandbox.<id>.dashboard_url` where the flavor has one.
void TheDashboardIsPublished(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  const auto session = sandbox->create_session();
  EXPECT_THAT(step.metadata().entries(),
              Contains(Pair("sandbox." + session->id() + ".dashboard_url",
                            session->dashboard_url().value_or("no URL"))));
}

// META-001: On create, attach and restore … `sandbox.<id>.dashboard_url` where the flavor has one.
void TheDashboardIsPublishedAgain(CaseContext& ctx) {
  const RecordingStep step;
  const auto sandbox = in_step(ctx, step);
  const auto session = sandbox->create_session();
  const auto attached = sandbox->attach(session->id());
  const Snapshot snapshot = session->create_snapshot();
  const auto restored = sandbox->restore(snapshot);
  sandbox->delete_snapshot(snapshot);
  const auto entry = [](const Session& of) {
    return Pair("sandbox." + of.id() + ".dashboard_url", of.dashboard_url().value_or("no URL"));
  };
  EXPECT_THAT(step.metadata().entries(),
              testing::AllOf(Contains(entry(*session)).Times(2), Contains(entry(*restored))));
}

class BadSink : public MetadataSink {
 public:
  void publish(const std::string&, const std::string&) override {
    throw std::runtime_error("injected: nothing is published");
  }
};

// META-002: A failing publisher … does not fail the session.
void AFailingPublisherFailsNothing(CaseContext& ctx) {
  SandboxSpec spec;
  spec.step = RecordingStep("failing-sink").context();
  spec.step->metadata = std::make_shared<BadSink>();
  const auto sandbox = ctx.make_sandbox(spec);
  EXPECT_EQ(error_or([&] { return run(*sandbox->create_session(), {"echo", "hi"}).out; }), "hi\n");
}

// META-002: … or a throwing dashboard hook does not fail the session.
void AThrowingDashboardFailsNothing(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  faults->throw_from_dashboard = true;
  const auto sandbox = sandbox_with(ctx, {}, faults);
  EXPECT_EQ(error_or([&] { return run(*sandbox->create_session(), {"echo", "hi"}).out; }), "hi\n");
}

}  // namespace

std::vector<Case> meta_cases() {
  using enum Capability;
  return {
      {.name = "TheFlavorIsPublished", .rules = {"META-001"}, .body = TheFlavorIsPublished},
      {.name = "TheFlavorIsPublishedAtAttach",
       .rules = {"META-001"},
       .body = TheFlavorIsPublishedAtAttach,
       .with = {kAttach}},
      {.name = "TheFlavorIsPublishedAtRestore",
       .rules = {"META-001"},
       .body = TheFlavorIsPublishedAtRestore,
       .with = {kSnapshot, kRestore}},
      {.name = "TheDashboardIsPublished",
       .rules = {"META-001"},
       .body = TheDashboardIsPublished,
       .with = {kDashboardUrl}},
      {.name = "TheDashboardIsPublishedAgain",
       .rules = {"META-001"},
       .body = TheDashboardIsPublishedAgain,
       .with = {kDashboardUrl, kAttach, kSnapshot, kRestore}},
      {.name = "AFailingPublisherFailsNothing",
       .rules = {"META-002"},
       .body = AFailingPublisherFailsNothing},
      {.name = "AThrowingDashboardFailsNothing",
       .rules = {"META-002"},
       .body = AThrowingDashboardFailsNothing},
  };
}

}  // namespace sandproof::conformance
