// SPDX-License-Identifier: Apache-2.0
// WAIT: how a command's end is learned. Cases; each used by one worker thread, which starts more
// where the rule speaks of threads.
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::AnyOf;
using testing::Each;
using testing::ElementsAre;
using testing::Not;
using testing::StartsWith;

/// A command that waits at a gate, and is ended when nobody opens it.
std::unique_ptr<Process> start_gated(CaseContext& ctx, const std::string& after) {
  auto process = start_bounded(ctx, ctx.session(),
                               "mkfifo gate; exec 3<> gate; echo up; read x <&3; " + after);
  next_line(process->out());
  return process;
}

void open_gate(CaseContext& ctx) {
  // Opened both ways, it does not wait for somebody who is not there.
  out_within(ctx.bound(kAtOnce), ctx.session(), "echo go 1<> gate");
}

/// What exit_status() says: "exited(3)", "running" …
std::string state_of(const Process& process) {
  const std::optional<ExitStatus> status = process.exit_status();
  return status ? status->to_string() : "running";
}

// WAIT-001: `wait()` returns the status; again, and from several threads, the same.
void WaitSaysTheSameToAll(CaseContext& ctx) {
  constexpr int kWaiters = 8;
  const auto process = start_gated(ctx, "exit 3");
  std::array<std::string, kWaiters + 3> ends;
  in_parallel(kWaiters + 1, [&](int thread) {
    if (thread == kWaiters) {
      open_gate(ctx);
    } else {
      ends[thread] = end_of(*process, ctx.bound(seconds(3)));
    }
  });
  ends[kWaiters] = end_of(*process, ctx.bound(kAtOnce));
  ends[kWaiters + 1] = end_of(*process, ctx.bound(kAtOnce));
  ends[kWaiters + 2] =
      error_of([&] { ends[kWaiters + 2] = process->wait().to_string(); }) + ends[kWaiters + 2];
  EXPECT_THAT(ends, Each(AnyOf("status 3", "exited(3)")));
}

// WAIT-001: `wait()` returns the status; again, and from several threads, the same.
void AKilledCommandSaysTheSameToAll(CaseContext& ctx) {
  constexpr int kWaiters = 4;
  const Started started = start(ctx.session(), "echo up; sleep 30");
  std::array<std::string, kWaiters + 1> ends;
  in_parallel(kWaiters + 1, [&](int thread) {
    if (thread == kWaiters) {
      // By then the others wait.
      error_of([&] { started.process->wait(milliseconds(20)); });
      started.process->kill();
    }
    ends[thread] = end_of(*started.process, ctx.bound(seconds(3)));
  });
  EXPECT_THAT(ends, Each("status 137"));
}

// WAIT-002: `wait(timeout)` that expires throws `TimeoutError`; the command goes on and can be
// waited for again. `wait(0)` returns the status if the command has ended, else throws.
void AnExpiredWaitThrowsAndTheCommandGoesOn(CaseContext& ctx) {
  const auto process = start_gated(ctx, "exit 6");
  std::vector<std::string> seen = {error_of([&] { process->wait(milliseconds(30)); }),
                                   error_of([&] { process->wait(milliseconds(0)); }),
                                   state_of(*process)};
  open_gate(ctx);
  seen.push_back(end_of(*process, ctx.bound(kAtOnce)));
  seen.push_back(end_of(*process, milliseconds(0)));
  EXPECT_THAT(seen, ElementsAre(StartsWith("TimeoutError"), StartsWith("TimeoutError"), "running",
                                "status 6", "status 6"));
}

// WAIT-003: `exit_status()` is empty while running and set after, without any `wait()`.
void TheStatusIsThereWithoutAWait(CaseContext& ctx) {
  const auto process = start_gated(ctx, "exit 5");
  const std::string before = state_of(*process);
  open_gate(ctx);
  eventually(ctx.bound(kAtOnce), [&] { return process->exit_status().has_value(); });
  const std::vector<std::string> seen = {before, state_of(*process)};
  EXPECT_THAT(seen, ElementsAre("running", "exited(5)"));
}

// WAIT-003: `exit_status()` is empty while running and set after.
void TheStatusIsThereWhenAWaitHasReturned(CaseContext& ctx) {
  std::vector<std::string> seen;
  for (int i = 0; i < 20; ++i) {
    const auto process = ctx.session().exec({"sh", "-c", "exit 5"});
    end_of(*process, ctx.bound(kAtOnce));
    seen.push_back(state_of(*process));
  }
  EXPECT_THAT(seen, Each("exited(5)"));
}

// WAIT-004: `wait()` returns at the command's own exit, whatever its descendants hold open; the
// drain grace belongs to the streams and to `collect`.
void HeldStreamsDoNotHoldUpWait(CaseContext& ctx) {
  Settings settings;
  settings.set("drain_grace", 10.0);
  const auto session = sandbox_with(ctx, settings)->create_session();
  std::vector<std::string> ends;
  // The second one meets a session in which something is held already.
  for (const char* const script : {"sleep 30 & exit 3", "exec sleep 30 & exit 3"}) {
    const auto process = session->exec({"sh", "-c", script});
    ends.push_back(end_of(*process, ctx.bound(kAtOnce)));
    if (ends.back() != "status 3") break;
  }
  session->destroy();
  EXPECT_THAT(ends, Each("status 3"));
}

// WAIT-004: … the drain grace belongs to the streams ….
void HeldStreamsEndByTheDrainGrace(CaseContext& ctx) {
  const auto session = sandbox_with(ctx, Settings().set("drain_grace", 0.2))->create_session();
  const auto process = session->exec({"sh", "-c", "echo out; echo problem >&2; sleep 30 & exit 3"});
  std::string read;
  const bool in_time = finishes_within(
      ctx.bound(milliseconds(200)),
      [&] {
        read = error_of([&] {
                 for (const std::string& line : all_lines(process->out())) read += line;
               }) +
               read;
        read += error_or([&] { return all_bytes(*process, Stream::kErr); });
      },
      [&] { session->destroy(); });
  const std::vector<std::optional<StreamEnd>> ends = {process->out().end_state(),
                                                      process->err().end_state()};
  session->destroy();
  EXPECT_EQ(in_time ? read : read + "too late", "out\nproblem\n");
  EXPECT_THAT(ends, Each(testing::Optional(StreamEnd::kHeldByDescendant)));
}

// WAIT-005: A command killed by a signal from inside (`kill -TERM $$`) has integer status 143 on
// every flavor.
void ADeathBySignalIs128PlusItsNumber(CaseContext& ctx) {
  std::vector<std::string> ends;
  for (const char* const script : {"kill -TERM $$", "kill -ABRT $$", "kill -KILL $$"}) {
    const auto process = ctx.session().exec({"sh", "-c", script});
    ends.push_back(end_of(*process, ctx.bound(kAtOnce)));
  }
  EXPECT_THAT(ends, ElementsAre("status 143", "status 134", "status 137"));
}

// WAIT-005: A command killed by a signal from inside … (flavors whose backend tells a signal from
// an exit say so).
void TheSignalIsReported(CaseContext& ctx) {
  const auto process = ctx.session().exec({"sh", "-c", "kill -TERM $$"});
  end_of(*process, ctx.bound(kAtOnce));
  EXPECT_EQ(state_of(*process), "signaled(15)");
}

/// A command that has ended, and whose status got lost.
struct LostStatus {
  std::shared_ptr<HookFaults> faults = std::make_shared<HookFaults>();
  std::unique_ptr<Session> session;
  std::unique_ptr<Process> process;

  explicit LostStatus(CaseContext& ctx) {
    faults->lose_status = true;
    session = sandbox_with(ctx, {}, faults)->create_session();
    process = session->exec({"sh", "-c", "echo partial"});
  }
};

// WAIT-006: For a status that cannot be learned, `wait` and `collect` throw `SandboxLostError` …
// and `exit_status()` returns lost(why).
void AnUnknownStatusIsLost(CaseContext& ctx) {
  const LostStatus lost(ctx);
  const std::vector<std::string> seen = {error_of([&] { lost.process->wait(ctx.bound(kAtOnce)); }),
                                         state_of(*lost.process)};
  EXPECT_THAT(
      seen, ElementsAre(StartsWith("SandboxLostError"), AllOf(StartsWith("lost("), Not("lost()"))));
}

// WAIT-006: … `collect`'s carries the output so far.
void ALostCollectCarriesItsOutput(CaseContext& ctx) {
  const LostStatus lost(ctx);
  std::string partial = "no SandboxLostError";
  error_of([&] {
    try {
      lost.process->collect();
    } catch (const SandboxLostError& why) {
      partial = why.partial() == nullptr ? "nothing" : why.partial()->out;
    }
  });
  EXPECT_EQ(partial, "partial\n");
}

}  // namespace

std::vector<Case> wait_cases() {
  return {
      {.name = "WaitSaysTheSameToAll", .rules = {"WAIT-001"}, .body = WaitSaysTheSameToAll},
      {.name = "AKilledCommandSaysTheSameToAll",
       .rules = {"WAIT-001"},
       .body = AKilledCommandSaysTheSameToAll},
      {.name = "AnExpiredWaitThrowsAndTheCommandGoesOn",
       .rules = {"WAIT-002"},
       .body = AnExpiredWaitThrowsAndTheCommandGoesOn},
      {.name = "TheStatusIsThereWithoutAWait",
       .rules = {"WAIT-003"},
       .body = TheStatusIsThereWithoutAWait},
      {.name = "TheStatusIsThereWhenAWaitHasReturned",
       .rules = {"WAIT-003"},
       .body = TheStatusIsThereWhenAWaitHasReturned},
      {.name = "HeldStreamsDoNotHoldUpWait",
       .rules = {"WAIT-004"},
       .body = HeldStreamsDoNotHoldUpWait},
      {.name = "HeldStreamsEndByTheDrainGrace",
       .rules = {"WAIT-004"},
       .body = HeldStreamsEndByTheDrainGrace},
      {.name = "ADeathBySignalIs128PlusItsNumber",
       .rules = {"WAIT-005"},
       .body = ADeathBySignalIs128PlusItsNumber},
      {.name = "TheSignalIsReported",
       .rules = {"WAIT-005"},
       .body = TheSignalIsReported,
       .needs = {Need::kReportsSignals}},
      {.name = "AnUnknownStatusIsLost", .rules = {"WAIT-006"}, .body = AnUnknownStatusIsLost},
      {.name = "ALostCollectCarriesItsOutput",
       .rules = {"WAIT-006"},
       .body = ALostCollectCarriesItsOutput},
  };
}

}  // namespace sandproof::conformance
