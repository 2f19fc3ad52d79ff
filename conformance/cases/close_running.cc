// SPDX-License-Identifier: Apache-2.0
// CLOSE: what close() does to commands that run, and to calls that are blocked. Cases; each used by
// one worker thread.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
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
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::MatchesRegex;
using testing::Pair;
using testing::StartsWith;

/// Asks to be asked more than once.
constexpr const char* kStubborn = "trap '' TERM; echo up; while :; do sleep 1; done";
/// Says the first line, then waits at its gate, says the second and ends with 7.
constexpr const char* kGated = "mkfifo $0; echo one; read x < $0; echo two; exit 7";

// CLOSE-004: `close()` does not stop the environment: it stays attachable, and a running command
// goes on to its end.
void ACommandRunsOnAfterClose(CaseContext& ctx) {
  const std::string id = ctx.session().id();
  const Started started =
      start(ctx.session(), "mkfifo gate back; echo up; read x < gate; echo done > f; echo > back");
  ctx.session().close();
  std::string out;
  const std::string error = error_of([&] {
    out = out_within(ctx.bound(kAtOnce), *ctx.sandbox().attach(id),
                     "echo go > gate; read y < back; cat f");
  });
  EXPECT_EQ(error + out, "done\n");
}

// CLOSE-005: where `outlives` is not claimed, `close()` ends every process of the session (TERM,
// grace, KILL; the whole tree), in parallel, bounded by one grace period however many there are,
// and removes the working directory.
void CloseEndsEveryProcess(CaseContext& ctx) {
  std::vector<Started> all;
  for (int i = 0; i < 3; ++i) all.push_back(start(ctx.session(), "echo up; sleep 30"));
  all.push_back(start(ctx.session(), kStubborn));
  ctx.session().close();
  std::vector<std::string> ends;
  for (const Started& one : all) ends.push_back(end_of(*one.process, kAtOnce));
  EXPECT_THAT(ends, Each(MatchesRegex("status [1-9][0-9]*")));
}

// CLOSE-005: … (TERM, grace, KILL …): who listens may end by itself.
void CloseAsksBeforeItKills(CaseContext& ctx) {
  constexpr int kTries = 3;  // The grace of a binding is short for a machine that is busy.
  std::string end;
  for (int i = 0; i < kTries && end != "status 9"; ++i) {
    const std::unique_ptr<Session> session = ctx.sandbox().create_session();
    // wait is interrupted by the signal; what it waits for may have ended by it before.
    const Started polite =
        start(*session, "trap 'exit 9' TERM; echo up; while :; do sleep 30 & wait; done");
    session->close();
    end = end_of(*polite.process, kAtOnce);
  }
  EXPECT_EQ(end, "status 9")
      << "Expected: close() sends TERM to the processes of the session, and KILL only after the "
         "grace; the command answers TERM by ending with status 9. Seen: in none of "
      << kTries << " sessions did it end so, but as above. (Status 137 is a KILL: no TERM came "
      << "before it, or the grace between the two is too short to answer.)";
}

// CLOSE-005: … the whole tree …
void CloseEndsTheWholeTree(CaseContext& ctx) {
  const std::string id = ctx.session().id();
  // The command itself ends at once: what it leaves is of the session all the same.
  const Started started =
      start(ctx.session(), "sleep 331 & setsid sleep 332 & (setsid sleep 333 &); echo up");
  const std::vector<std::string> wanted{"sleep 331", "sleep 332", "sleep 333"};
  std::vector<std::string> before;
  eventually(ctx.bound(kAtOnce), [&] {
    before = living_commands(ctx, id);
    return std::ranges::all_of(wanted,
                               [&](const auto& one) { return std::ranges::count(before, one); });
  });
  ctx.session().close();
  EXPECT_THAT(std::pair(before, living_commands(ctx, id)), Pair(IsSupersetOf(wanted), IsEmpty()));
}

milliseconds time_to_close(Sandbox& sandbox, int stubborn) {
  const std::unique_ptr<Session> session = sandbox.create_session();
  std::vector<Started> all;
  for (int i = 0; i < stubborn; ++i) all.push_back(start(*session, kStubborn));
  const auto begun = std::chrono::steady_clock::now();
  session->close();
  return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begun);
}

// CLOSE-005: … in parallel, bounded by one grace period however many there are …
void StubbornProcessesShareOneGrace(CaseContext& ctx) {
  const milliseconds one = time_to_close(ctx.sandbox(), 1);
  const milliseconds eight = time_to_close(ctx.sandbox(), 8);
  EXPECT_LE(eight.count(), (one + ctx.scaled(milliseconds(2000))).count());
}

// CLOSE-005: … and removes the working directory.
void CloseRemovesTheWorkingDirectory(CaseContext& ctx) {
  const std::unique_ptr<Session> deep = ctx.sandbox().create_session();
  sh(*deep, "mkdir -p a/b; touch a/b/c; chmod 500 a/b");
  const std::unique_ptr<Session> busy = ctx.sandbox().create_session();
  const Started writer = start(*busy, "echo up; while :; do i=$((i+1)); echo x > f$i; done");
  busy->close();
  deep->close();
  EXPECT_THAT(ctx.probe().census(ctx.sandbox().component_id()), IsEmpty());
}

// CLOSE-007: `close()` returns bounded while another thread is blocked in a stream, `wait` or
// `collect`.
void CloseDoesNotWaitForBlockedCalls(CaseContext& ctx) {
  BlockedCalls calls(ctx.session(), "echo up; sleep 30");
  EXPECT_TRUE(finishes_within(
      ctx.bound(kAtOnce), [&] { ctx.session().close(); }, [&] { calls.unblock(); }));
}

// CLOSE-007: Where `outlives` is not claimed, the blocked call ends within the grace …
void BlockedCallsEndAtClose(CaseContext& ctx) {
  BlockedCalls calls(ctx.session(), "echo up; sleep 30");
  ctx.session().close();
  const auto ended = AnyOf(MatchesRegex("status [1-9][0-9]*"), StartsWith("SandboxLostError"),
                           StartsWith("SessionClosedError"));
  EXPECT_THAT(calls.results(ctx.bound(kAtOnce)),
              ElementsAre(AnyOf("end", StartsWith("SessionClosedError")), ended, ended));
}

// CLOSE-007: … where it is, the call goes on undisturbed to the command's real end.
void BlockedCallsGoOnAfterClose(CaseContext& ctx) {
  const std::string id = ctx.session().id();
  BlockedCalls calls(ctx.session(), kGated);
  ctx.session().close();
  const std::unique_ptr<Session> again = ctx.sandbox().attach(id);
  for (int i = 0; i < BlockedCalls::kCalls; ++i) {
    out_within(ctx.bound(kAtOnce), *again, "echo go > " + BlockedCalls::gate(i));
  }
  EXPECT_THAT(calls.results(ctx.bound(kAtOnce)),
              ElementsAre("line two", "status 7", "status 7, out two"));
}

// CLOSE-008: A process handle taken before `close()` stays usable (streams, wait, kill).
void AProcessHandleOutlivesClose(CaseContext& ctx) {
  const std::string id = ctx.session().id();
  const std::unique_ptr<Process> process = ctx.session().exec({"sh", "-c", kGated, "gate"});
  std::vector<std::string> seen{next_line(process->out())};
  ctx.session().close();
  out_within(ctx.bound(kAtOnce), *ctx.sandbox().attach(id), "echo go > gate");
  seen.push_back(next_line(process->out()));
  seen.push_back(end_of(*process, ctx.bound(kAtOnce)));
  EXPECT_THAT(seen, ElementsAre("one\n", "two\n", "status 7"));
}

// CLOSE-008.
void KillWorksAfterClose(CaseContext& ctx) {
  const Started started = start(ctx.session(), "echo up; exec sleep 30");
  ctx.session().close();
  started.process->kill();
  EXPECT_EQ(end_of(*started.process, ctx.bound(kAtOnce)), "status 137");
}

/// What is still to be read of a process, and how each way of reading ends.
std::vector<std::string> read_everything(Process& process) {
  std::vector<std::string> seen;
  const auto read = [&](const std::function<std::string()>& next) {
    const std::string error = error_of([&] {
      for (std::string text = next(); !text.empty(); text = next()) seen.push_back(text);
    });
    seen.push_back(error.empty() ? "end" : error);
  };
  read([&] { return next_line(process.out()); });
  read([&] { return next_line(process.err()); });
  read([&] {
    std::byte buffer[64];
    const std::size_t count = process.read_some(Stream::kOut, buffer);
    return std::string(reinterpret_cast<const char*>(buffer), count);
  });
  return seen;
}

// CLOSE-009: where `outlives` is not claimed, a stream read after `close()` ends or throws
// `SessionClosedError`; it never blocks.
void ReadsAfterCloseDoNotBlock(CaseContext& ctx) {
  const Started started =
      start(ctx.session(), "echo one; echo two; echo problem >&2; exec sleep 30");
  ctx.session().close();
  std::vector<std::string> seen;
  EXPECT_TRUE(finishes_within(
      ctx.bound(kAtOnce), [&] { seen = read_everything(*started.process); },
      [&] { started.process->kill(); }));
  EXPECT_THAT(seen, Each(AnyOf("two\n", "problem\n", "end", StartsWith("SessionClosedError: "))));
}

/// Four threads start commands until they are refused, and the session is closed as soon as the
/// first command runs.
struct Race {
  explicit Race(Session& session) {
    constexpr int kThreads = 4;
    constexpr int kMost = 16;  // Per thread; a close takes the time of a few starts.
    std::atomic<bool> running = false;
    in_parallel(kThreads + 1, [&](int thread) {
      if (thread == kThreads) {
        running.wait(false);
        keep(nullptr, error_of([&] { session.close(); }));
        return;
      }
      std::string error;
      for (int i = 0; i < kMost && error.empty(); ++i) {
        std::unique_ptr<Process> process;
        error = error_of([&] { process = session.exec({"sleep", "30"}); });
        keep(std::move(process), error);
        running = true;
        running.notify_all();
      }
    });
  }

  void keep(std::unique_ptr<Process> process, const std::string& error) {
    const std::lock_guard lock(mutex);
    if (process) started.push_back(std::move(process));
    if (!error.empty()) refusals.push_back(error);
  }

  std::mutex mutex;
  std::vector<std::unique_ptr<Process>> started;
  std::vector<std::string> refusals;
};

/// A window of a few microseconds is met in some of them.
constexpr int kRaces = 20;

// CLOSE-010: `exec` racing `close()` gives a process that `close` ended, or `SessionClosedError`;
// never a leak.
void ExecRacingCloseIsEndedOrRefused(CaseContext& ctx) {
  std::vector<std::string> wrong;
  for (int round = 0; round < kRaces && wrong.empty(); ++round) {
    const std::unique_ptr<Session> session = ctx.sandbox().create_session();
    const Race race(*session);
    for (const std::string& refusal : race.refusals) {
      if (!refusal.starts_with("SessionClosedError")) wrong.push_back(refusal);
    }
    for (const auto& process : race.started) {
      const std::string end = end_of(*process, ctx.bound(kAtOnce));
      if (!end.starts_with("status ") || end == "status 0") wrong.push_back(end);
    }
  }
  EXPECT_THAT(wrong, IsEmpty());
}

// CLOSE-010: … never a leak.
void ExecRacingCloseLeavesNothing(CaseContext& ctx) {
  Sandbox& sandbox = ctx.sandbox();
  std::vector<std::string> left;
  for (int round = 0; round < kRaces && left.empty(); ++round) {
    const std::unique_ptr<Session> session = sandbox.create_session();
    const Race race(*session);
    session->destroy();
    left = living_commands(ctx, session->id());
    for (std::string& item : ctx.probe().census(sandbox.component_id())) {
      left.push_back(std::move(item));
    }
  }
  EXPECT_THAT(left, IsEmpty());
}

}  // namespace

std::vector<Case> close_running_cases() {
  using enum Capability;
  return {
      {.name = "ACommandRunsOnAfterClose",
       .rules = {"CLOSE-004"},
       .body = ACommandRunsOnAfterClose,
       .with = {kAttach}},
      {.name = "CloseEndsEveryProcess", .rules = {"CLOSE-005"}, .body = CloseEndsEveryProcess},
      {.name = "CloseAsksBeforeItKills", .rules = {"CLOSE-005"}, .body = CloseAsksBeforeItKills},
      {.name = "CloseEndsTheWholeTree",
       .rules = {"CLOSE-005"},
       .body = CloseEndsTheWholeTree,
       .needs = {Need::kProcessTable}},
      {.name = "StubbornProcessesShareOneGrace",
       .rules = {"CLOSE-005"},
       .body = StubbornProcessesShareOneGrace},
      {.name = "CloseRemovesTheWorkingDirectory",
       .rules = {"CLOSE-005"},
       .body = CloseRemovesTheWorkingDirectory,
       .needs = {Need::kLeakCensus}},
      {.name = "CloseDoesNotWaitForBlockedCalls",
       .rules = {"CLOSE-007"},
       .body = CloseDoesNotWaitForBlockedCalls},
      {.name = "BlockedCallsEndAtClose",
       .rules = {"CLOSE-007"},
       .body = BlockedCallsEndAtClose,
       .without = {kOutlives}},
      {.name = "BlockedCallsGoOnAfterClose",
       .rules = {"CLOSE-007"},
       .body = BlockedCallsGoOnAfterClose,
       .with = {kOutlives, kAttach}},
      {.name = "AProcessHandleOutlivesClose",
       .rules = {"CLOSE-008"},
       .body = AProcessHandleOutlivesClose,
       .with = {kAttach}},
      {.name = "KillWorksAfterClose", .rules = {"CLOSE-008"}, .body = KillWorksAfterClose},
      {.name = "ReadsAfterCloseDoNotBlock",
       .rules = {"CLOSE-009"},
       .body = ReadsAfterCloseDoNotBlock},
      {.name = "ExecRacingCloseIsEndedOrRefused",
       .rules = {"CLOSE-010"},
       .body = ExecRacingCloseIsEndedOrRefused,
       .without = {kOutlives}},
      {.name = "ExecRacingCloseLeavesNothing",
       .rules = {"CLOSE-010"},
       .body = ExecRacingCloseLeavesNothing,
       .needs = {Need::kProcessTable, Need::kLeakCensus}},
  };
}

}  // namespace sandproof::conformance
