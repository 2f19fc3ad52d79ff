// SPDX-License-Identifier: Apache-2.0
// KILL: ending a command and its tree. Cases; each used by one worker thread, which starts more
// where the rule speaks of threads.
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/blocked_calls.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"
#include "sandproof/log_stores.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;
using testing::AnyOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

/// Ends with 3 when the gate is opened; and what opens it, and does not wait for somebody who is
/// not there.
constexpr const char* kWaitsForTheGate = "mkfifo gate; exec 3<> gate; echo up; read x <&3; exit 3";
constexpr const char* kUnblocksTheGate = "echo go 1<> gate";

std::string killed_end(CaseContext& ctx, Process& process) {
  const std::string error = error_of([&] { process.kill(); });
  return error.empty() ? end_of(process, ctx.bound(kAtOnce)) : error;
}

// KILL-001: `kill()` on a running command makes `wait()` return bounded, integer status 137.
void KillEndsACommand(CaseContext& ctx) {
  const Started started = start(ctx.session(), "echo up; sleep 30");
  EXPECT_EQ(killed_end(ctx, *started.process), "status 137");
}

// KILL-002: `kill()` is idempotent.
void KillIsIdempotent(CaseContext& ctx) {
  const Started started = start(ctx.session(), "echo up; sleep 30");
  std::vector<std::string> seen;
  for (int i = 0; i < 3; ++i) seen.push_back(error_of([&] { started.process->kill(); }));
  seen.push_back(end_of(*started.process, ctx.bound(kAtOnce)));
  seen.push_back(killed_end(ctx, *started.process));
  EXPECT_THAT(seen, ElementsAre("", "", "", "status 137", "status 137"));
}

/// What the three ways to learn a status say: "status 4" thrice.
std::vector<std::string> said_by_all(CaseContext& ctx, Process& process) {
  const std::string waited = end_of(process, ctx.bound(kAtOnce));
  const auto text = [](const std::optional<ExitStatus>& status) {
    const std::optional<int> integer = status ? status->integer() : std::nullopt;
    return integer ? "status " + std::to_string(*integer) : std::string("no status");
  };
  std::string collected;
  const std::string error = error_of([&] { collected = text(process.collect().status); });
  return {waited, text(process.exit_status()), error + collected};
}

// KILL-002: `kill()` … does nothing after exit: the status stays.
void KillAfterTheExitLeavesTheStatus(CaseContext& ctx) {
  const auto process = ctx.session().exec({"sh", "-c", "exit 4"});
  end_of(*process, ctx.bound(kAtOnce));
  process->kill();
  EXPECT_THAT(said_by_all(ctx, *process), Each("status 4"));
}

// KILL-003: `kill()` does not touch other commands of the session.
void KillLeavesOtherCommandsAlone(CaseContext& ctx) {
  const Started victim = start(ctx.session(), "echo up; sleep 30");
  const Started other = start(ctx.session(), kWaitsForTheGate);
  killed_end(ctx, *victim.process);
  out_within(ctx.bound(kAtOnce), ctx.session(), kUnblocksTheGate);
  EXPECT_EQ(end_of(*other.process, ctx.bound(kAtOnce)), "status 3");
}

using Commands = std::set<std::string>;

/// The commands "sleep 36…" that are alive in the case's session.
Commands sleepers(CaseContext& ctx) {
  Commands commands;
  for (const ProcessEntry& entry : living(ctx, ctx.session().id(), "sleep 36")) {
    if (entry.command.starts_with("sleep 36")) commands.insert(entry.command);
  }
  return commands;
}

/// Kills a tree once the probe has seen all of it and of a command that is none of it; what is
/// alive then.
Commands left_of_tree(CaseContext& ctx, const std::string& script, const Commands& tree) {
  const Started control = start(ctx.session(), "echo up; exec sleep 369");
  const Started leader = start(ctx.session(), script);
  Commands all = tree;
  all.insert("sleep 369");
  if (!eventually(ctx.bound(kAtOnce), [&] { return sleepers(ctx) == all; })) {
    return {"the probe does not see the tree before the kill"};
  }
  killed_end(ctx, *leader.process);
  // A backend may need a moment to see that they are gone.
  eventually(ctx.scaled(milliseconds(1000)),
             [&] { return sleepers(ctx) == Commands{"sleep 369"}; });
  Commands left = sleepers(ctx);
  control.process->kill();
  return left;
}

// KILL-004: After `kill()`, no process of the tree is alive in the environment, descendants that
// left the process group … included where the flavor can reach them; the probe first finds a live
// control process, so that it cannot pass for want of a tool.
void KillReachesTheWholeTree(CaseContext& ctx) {
  const std::string script =
      "sleep 361 & setsid sleep 362 & (sh -c 'sleep 363; :' &); "
      "sh -c 'trap \"\" TERM; sleep 364; :' & echo up; sleep 365";
  EXPECT_THAT(
      left_of_tree(ctx, script, {"sleep 361", "sleep 362", "sleep 363", "sleep 364", "sleep 365"}),
      ElementsAre("sleep 369"));
}

// KILL-004: After `kill()`, no process of the tree is alive in the environment, descendants that …
// closed their streams included.
void KillReachesWhatClosedItsStreams(CaseContext& ctx) {
  const std::string script =
      "setsid sh -c 'exec 0<&- 1>&- 2>&-; sleep 366; :' & echo up; sleep 367";
  EXPECT_THAT(left_of_tree(ctx, script, {"sleep 366", "sleep 367"}), ElementsAre("sleep 369"));
}

// KILL-005: `kill()` straight after `exec` works (no window in which it is lost).
void KillRightAfterExecWorks(CaseContext& ctx) {
  constexpr int kRounds = 20;
  int killed = 0;
  std::string end = "status 137";
  while (killed < kRounds && end == "status 137") {
    const auto process = ctx.session().exec({"sh", "-c", "sleep 30"});
    end = killed_end(ctx, *process);
    ++killed;
  }
  EXPECT_EQ(end, "status 137") << "in round " << killed;
}

// KILL-006: A command that ignores TERM and INT is killed all the same.
void KillCannotBeIgnored(CaseContext& ctx) {
  const Started started =
      start(ctx.session(), "trap '' TERM INT HUP; echo up; while :; do sleep 1; done");
  EXPECT_EQ(killed_end(ctx, *started.process), "status 137");
}

// KILL-006: A command that ignores TERM and INT is killed all the same. (One that is stopped
// notices no signal but this one.)
void AStoppedCommandIsKilled(CaseContext& ctx) {
  const Started started = start(ctx.session(), "echo $$; exec sleep 30");
  out_within(ctx.bound(kAtOnce), ctx.session(),
             "p=" + trimmed(started.first_line) +
                 "; kill -STOP $p; while ! grep -q '^State:.T' /proc/$p/status; do :; done");
  EXPECT_EQ(killed_end(ctx, *started.process), "status 137");
}

// KILL-007: `kill()` never signals a stranger: not after exit.
void KillAfterTheExitHitsNobody(CaseContext& ctx) {
  constexpr int kRounds = 5;
  std::string end = "status 3";
  for (int round = 0; round < kRounds && end == "status 3"; ++round) {
    const auto ended = ctx.session().exec({"sh", "-c", "exit 0"});
    end_of(*ended, ctx.bound(kAtOnce));
    const Started stranger = start(ctx.session(), kWaitsForTheGate);
    ended->kill();
    out_within(ctx.bound(kAtOnce), ctx.session(), std::string(kUnblocksTheGate) + "; rm gate");
    end = end_of(*stranger.process, ctx.bound(kAtOnce));
  }
  EXPECT_EQ(end, "status 3");
}

// KILL-008: Output written before the kill can still be read.
void OutputBeforeTheKillCanBeRead(CaseContext& ctx) {
  const auto process = ctx.session().exec({"sh", "-c", "seq 1 1000; echo up >&2; sleep 30"});
  next_line(process->err());
  killed_end(ctx, *process);
  std::string expected;
  for (int i = 1; i <= 1000; ++i) expected += std::to_string(i) + "\n";
  std::string out;
  for (const std::string& line : all_lines(process->out())) out += line;
  EXPECT_EQ(out, expected);
}

// KILL-009: `kill()` from another thread unblocks a blocked reader, `wait` and `collect`.
void KillFreesBlockedCallers(CaseContext& ctx) {
  BlockedCalls calls(ctx.session(), "echo one; sleep 30");
  calls.unblock();
  EXPECT_THAT(calls.results(ctx.bound(kAtOnce)), ElementsAre("end", "status 137", "status 137"));
}

/// A running command whose first kill() meets trouble, with what is reported.
struct FailingKill {
  std::shared_ptr<HookFaults> faults = std::make_shared<HookFaults>();
  std::shared_ptr<MemoryDiagnostics> diagnostics = std::make_shared<MemoryDiagnostics>();
  std::unique_ptr<Session> session;
  Started started;

  explicit FailingKill(CaseContext& ctx) {
    SandboxSpec spec;
    spec.hook_faults = faults;
    spec.diagnostics = diagnostics;
    session = ctx.make_sandbox(spec)->create_session();
    started = start(*session, "echo up; sleep 30");
    faults->fail_kill = 1;
  }
};

// KILL-010: Transport trouble in `kill()` is reported to the log …; it does not throw.
void TroubleInKillIsReportedAndNotThrown(CaseContext& ctx) {
  const FailingKill failing(ctx);
  EXPECT_EQ(error_of([&] { failing.started.process->kill(); }), "");
  std::vector<std::string> reported;
  for (const LogRecord& record : failing.diagnostics->records()) reported.push_back(record.text);
  EXPECT_THAT(reported, testing::Contains(HasSubstr("injected")));
}

// KILL-010: Transport trouble in `kill()` … shows in `wait()`.
void TroubleInKillShowsInWait(CaseContext& ctx) {
  const FailingKill failing(ctx);
  error_of([&] { failing.started.process->kill(); });
  EXPECT_THAT(error_of([&] { failing.started.process->wait(milliseconds(50)); }),
              HasSubstr("injected"));
}

// KILL-011: `kill()` racing a natural exit keeps whichever status came first.
void KillRacingAnExitKeepsTheFirst(CaseContext& ctx) {
  std::vector<std::set<std::string>> said;
  for (int i = 0; i < 20; ++i) {
    const auto process = ctx.session().exec({"sh", "-c", "exit 5"});
    // From before the exit to well after it.
    error_of([&] { process->wait(milliseconds(i % 5)); });
    process->kill();
    std::vector<std::string> all = said_by_all(ctx, *process);
    all.push_back(killed_end(ctx, *process));
    said.emplace_back(all.begin(), all.end());
  }
  EXPECT_THAT(said, Each(AnyOf(ElementsAre("status 5"), ElementsAre("status 137"))));
}

}  // namespace

std::vector<Case> kill_cases() {
  return {
      {.name = "KillEndsACommand", .rules = {"KILL-001"}, .body = KillEndsACommand, .smoke = true},
      {.name = "KillIsIdempotent", .rules = {"KILL-002"}, .body = KillIsIdempotent},
      {.name = "KillAfterTheExitLeavesTheStatus",
       .rules = {"KILL-002"},
       .body = KillAfterTheExitLeavesTheStatus},
      {.name = "KillLeavesOtherCommandsAlone",
       .rules = {"KILL-003"},
       .body = KillLeavesOtherCommandsAlone},
      {.name = "KillReachesTheWholeTree", .rules = {"KILL-004"}, .body = KillReachesTheWholeTree},
      {.name = "KillReachesWhatClosedItsStreams",
       .rules = {"KILL-004"},
       .body = KillReachesWhatClosedItsStreams},
      {.name = "KillRightAfterExecWorks", .rules = {"KILL-005"}, .body = KillRightAfterExecWorks},
      {.name = "KillCannotBeIgnored", .rules = {"KILL-006"}, .body = KillCannotBeIgnored},
      {.name = "AStoppedCommandIsKilled", .rules = {"KILL-006"}, .body = AStoppedCommandIsKilled},
      {.name = "KillAfterTheExitHitsNobody",
       .rules = {"KILL-007"},
       .body = KillAfterTheExitHitsNobody},
      {.name = "OutputBeforeTheKillCanBeRead",
       .rules = {"KILL-008"},
       .body = OutputBeforeTheKillCanBeRead},
      {.name = "KillFreesBlockedCallers", .rules = {"KILL-009"}, .body = KillFreesBlockedCallers},
      {.name = "TroubleInKillIsReportedAndNotThrown",
       .rules = {"KILL-010"},
       .body = TroubleInKillIsReportedAndNotThrown},
      {.name = "TroubleInKillShowsInWait", .rules = {"KILL-010"}, .body = TroubleInKillShowsInWait},
      {.name = "KillRacingAnExitKeepsTheFirst",
       .rules = {"KILL-011"},
       .body = KillRacingAnExitKeepsTheFirst},
  };
}

}  // namespace sandproof::conformance
