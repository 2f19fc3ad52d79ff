// SPDX-License-Identifier: Apache-2.0
// EXEC: when commands start, many at once, in the background, and with a deadline. Cases; each used
// by one worker thread, which starts more where the rule speaks of threads.
#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/harness_state.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;
using testing::AnyOf;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

/// Waits at a FIFO, leaves "done" in the file f; and what opens the gate and shows the file.
constexpr const char* kWaitsAtTheGate = "read x < gate; echo done > f; echo end > back";
constexpr const char* kOpensTheGate = "echo go > gate; read y < back; cat f";

std::string repeated(int times, const std::string& text) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// What is left of a bound that several calls share.
milliseconds left_until(std::chrono::steady_clock::time_point deadline) {
  const auto left = deadline - std::chrono::steady_clock::now();
  return std::max(std::chrono::ceil<milliseconds>(left), kAtOnce);
}

// EXEC-009: `exec` returns when the program has started, not when it has finished.
void ExecReturnsBeforeTheCommandEnds(CaseContext& ctx) {
  sh(ctx.session(), "mkfifo gate back");
  std::unique_ptr<Process> process;
  EXPECT_TRUE(finishes_within(
      ctx.bound(kAtOnce),
      [&] {
        process = ctx.session().exec({"sh", "-c", kWaitsAtTheGate});
      },
      [&] { out_within(ctx.bound(kAtOnce), ctx.session(), kOpensTheGate); }));
  process->kill();
}

// EXEC-009: `exec` returns when the program has started, not when it has finished.
void ACommandRunsWithoutBeingAsked(CaseContext& ctx) {
  sh(ctx.session(), "mkfifo gate back");
  const auto process = ctx.session().exec({"sh", "-c", kWaitsAtTheGate});
  EXPECT_EQ(out_within(ctx.bound(kAtOnce), ctx.session(), kOpensTheGate), "done\n");
}

constexpr int kCommands = 64;
constexpr int kThreads = 8;

/// What went wrong with the n-th command; empty for nothing.
std::string problem_of(int n, const Output& output) {
  const std::string number = std::to_string(n);
  if (output.out == repeated(20, "out " + number + "\n") &&
      output.err == repeated(20, "err " + number + "\n") &&
      output.status == ExitStatus::exited(n)) {
    return {};
  }
  return "command " + number + ": " + output.status.to_string() + ", " + output.out + output.err;
}

// EXEC-014: 64 commands of one session run at once, and neither output nor statuses mix.
void SixtyFourCommandsDoNotMix(CaseContext& ctx) {
  Session& session = ctx.session();
  // Keeps the gate open, so that nothing that is written to it gets lost.
  const Started holder = start(session, "mkfifo gate; exec 3<> gate; echo up; sleep 30");
  const std::string script =
      "read x < gate; i=0; while [ $i -lt 20 ]; do echo out $0; echo err $0 >&2; i=$((i+1)); done;"
      " exit $0";
  std::array<std::unique_ptr<Process>, kCommands> processes;
  std::array<std::string, kCommands> problems;
  in_parallel(kThreads, [&](int thread) {
    for (int n = thread; n < kCommands; n += kThreads) {
      problems[n] = error_of([&] {
        processes[n] = session.exec({"sh", "-c", script, std::to_string(n)});
      });
    }
  });
  // All run. One line for each.
  out_within(ctx.bound(kAtOnce), session, "seq 1 " + std::to_string(kCommands) + " > gate");
  const auto deadline = std::chrono::steady_clock::now() + ctx.bound(kAtOnce);
  in_parallel(kThreads, [&](int thread) {
    for (int n = kThreads - 1 - thread; n < kCommands; n += kThreads) {
      if (!problems[n].empty()) continue;
      problems[n] = error_of([&] {
                      problems[n] =
                          problem_of(n, processes[n]->collect({.timeout = left_until(deadline)}));
                    }) +
                    problems[n];
    }
  });
  holder.process->kill();
  EXPECT_THAT(problems, Each(IsEmpty()));
}

// EXEC-014: 64 commands of one session run at once …: none waits for the end of another one.
void SixtyFourCommandsRunAtOnce(CaseContext& ctx) {
  Session& session = ctx.session();
  std::array<std::unique_ptr<Process>, kCommands> processes;
  std::array<std::string, kCommands> seen;
  for (int n = 0; n < kCommands; ++n) {
    seen[n] = error_of([&] {
      processes[n] = session.exec({"sh", "-c", "echo up; exec sleep 30", std::to_string(n)});
    });
  }
  // They have started, and none of them ends by itself.
  finishes_within(
      ctx.bound(milliseconds(1000)),
      [&] {
        for (int n = 0; n < kCommands; ++n) {
          if (processes[n] == nullptr) continue;
          seen[n] = error_or([&] { return next_line(processes[n]->out()); });
        }
      },
      [&] { session.destroy(); });
  session.destroy();
  EXPECT_THAT(seen, Each("up\n"));
}

// EXEC-014: … commands of one session run at once, and neither output nor statuses mix.
void ShortCommandsEndBesideALongOne(CaseContext& ctx) {
  constexpr int kRounds = 50;
  const Started long_one = start(ctx.session(), "echo up; sleep 30");
  std::string end = "status 5";
  int round = 0;
  for (; round < kRounds && end == "status 5"; ++round) {
    const auto process = ctx.session().exec({"sh", "-c", "exit 5"});
    end = end_of(*process, ctx.bound(kAtOnce));
  }
  long_one.process->kill();
  EXPECT_EQ(end, "status 5") << "in round " << round;
}

// EXEC-014: … neither output nor statuses mix.
void DescriptorsAboveAThousandWork(CaseContext& ctx) {
  const ManyDescriptors many(1100);
  EXPECT_EQ(out_within(ctx.bound(kAtOnce), ctx.session(), "echo hi"), "hi\n");
}

/// The sum of the lengths of `arguments` as a command sees them, or the error of exec.
std::string lengths_seen(CaseContext& ctx, const std::vector<std::string>& arguments) {
  std::vector<std::string> argv = {"sh", "-c", R"(for a in "$@"; do printf %s "$a"; done | wc -c)",
                                   "sh"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return trimmed(raw_within(ctx.bound(kAtOnce), ctx.session(), argv).out);
}

// EXEC-015: Arguments up to 128 KiB each, 1 MiB in all, work or are refused with `ExecError`; they
// are never cut.
void LongArgumentsAreNotCut(CaseContext& ctx) {
  // The largest that Linux takes is one byte short of 128 KiB.
  constexpr std::size_t kLong = 128 << 10;
  for (const std::size_t size : {kLong / 2 + 1, kLong - 1, kLong}) {
    EXPECT_THAT(lengths_seen(ctx, {std::string(size, 'x')}),
                AnyOf(std::to_string(size), StartsWith("ExecError")));
  }
}

// EXEC-015: Arguments up to … 1 MiB in all, work or are refused with `ExecError`; they are never
// cut.
void ManyLongArgumentsAreNotCut(CaseContext& ctx) {
  constexpr std::size_t kLong = (128 << 10) - 1;
  EXPECT_THAT(lengths_seen(ctx, std::vector<std::string>(8, std::string(kLong, 'x'))),
              AnyOf(std::to_string(8 * kLong), StartsWith("ExecError")));
}

// EXEC-016: A command is started at most once, whatever the transport does.
void ACommandIsStartedOnce(CaseContext& ctx) {
  for (int i = 0; i < 20; ++i) {
    const auto process =
        ctx.session().exec({"sh", "-c", "echo x >> log; exit " + std::to_string(i % 2)});
    end_of(*process, ctx.bound(kAtOnce));
    error_of([&] { process->collect(); });
  }
  EXPECT_EQ(trimmed(out_within(ctx.bound(kAtOnce), ctx.session(), "wc -l < log")), "20");
}

// EXEC-017: `exec_async` gives the same results.
void AsyncGivesTheSameResults(CaseContext& ctx) {
  Output output;
  const std::string error = error_of([&] {
    output = ctx.session().exec_async({"sh", "-c", "echo hi; exit 3"}).get()->collect();
  });
  const std::vector<std::string> seen = {error, output.out, output.status.to_string()};
  EXPECT_THAT(seen, ElementsAre("", "hi\n", "exited(3)"));
}

// EXEC-017: `exec_async` gives … the same errors.
void AsyncGivesTheSameErrors(CaseContext& ctx) {
  Session& session = ctx.session();
  const std::vector<std::string> errors = {
      error_of([&] { session.exec_async({"no-such-program-x"}).get(); }),
      error_of([&] { session.exec_async("").get(); })};
  EXPECT_THAT(errors, ElementsAre(StartsWith("ExecError"), StartsWith("InvalidArgumentError")));
}

// EXEC-017: … dropping its future neither blocks nor cancels.
void DroppingTheFutureDoesNotBlock(CaseContext& ctx) {
  sh(ctx.session(), "mkfifo gate back");
  EXPECT_TRUE(finishes_within(
      ctx.bound(kAtOnce),
      [&] {
        ctx.session().exec_async({"sh", "-c", kWaitsAtTheGate});
      },
      [&] { out_within(ctx.bound(kAtOnce), ctx.session(), kOpensTheGate); }));
}

// EXEC-017: … dropping its future neither blocks nor cancels.
void DroppingTheFutureDoesNotCancel(CaseContext& ctx) {
  sh(ctx.session(), "mkfifo gate back");
  ctx.session().exec_async({"sh", "-c", kWaitsAtTheGate});
  EXPECT_EQ(out_within(ctx.bound(kAtOnce), ctx.session(), kOpensTheGate), "done\n");
}

// EXEC-017: … `close()` fails what is still queued with `SessionClosedError`.
void CloseFailsWhatIsQueued(CaseContext& ctx) {
  std::vector<std::future<std::unique_ptr<Process>>> futures;
  for (int i = 0; i < kCommands; ++i) {
    futures.push_back(ctx.session().exec_async({"sh", "-c", "sleep 30"}));
  }
  ctx.session().close();
  const auto deadline = std::chrono::steady_clock::now() + ctx.bound(kAtOnce);
  std::vector<std::string> errors;
  for (auto& future : futures) {
    const bool ready = future.wait_until(deadline) == std::future_status::ready;
    errors.push_back(ready ? error_of([&] { future.get(); }) : "not ready");
  }
  ctx.session().destroy();
  EXPECT_THAT(errors, Each(AnyOf("", StartsWith("SessionClosedError"))));
}

ExecOptions ended_after(milliseconds timeout) {
  ExecOptions options;
  options.timeout = timeout;
  return options;
}

/// The integer and whether it says that the deadline ended it: "137, timed out".
std::string timed_end(Process& process, milliseconds bound) {
  std::string end;
  const std::string error = error_of([&] {
    const ExitStatus status = process.wait(bound);
    end = std::to_string(status.integer().value_or(-1)) +
          (status.timed_out() ? ", timed out" : ", by itself");
  });
  process.kill();
  return error + end;
}

// EXEC-021: `timeout` in the options ends the tree at the deadline; `wait` then gives integer
// status 137 and says timed out.
void ATimeoutEndsTheCommand(CaseContext& ctx) {
  const milliseconds timeout = ctx.scaled(milliseconds(300));
  std::vector<std::unique_ptr<Process>> processes;
  // Some shells execute the last command themselves, others start it.
  for (const char* const script :
       {"sleep 20", "sleep 20; true", "sleep 20 & wait", "(sleep 20)", "sleep 20 | cat"}) {
    processes.push_back(ctx.session().exec({"sh", "-c", script}, ended_after(timeout)));
  }
  const auto deadline = std::chrono::steady_clock::now() + ctx.bound(timeout);
  std::vector<std::string> ends;
  for (const auto& process : processes) ends.push_back(timed_end(*process, left_until(deadline)));
  EXPECT_THAT(ends, Each("137, timed out"));
}

// EXEC-021: `timeout` in the options ends the tree at the deadline.
void ATimeoutLeavesNoProcess(CaseContext& ctx) {
  const auto alive = [&] {
    const std::vector<std::string> commands = living_commands(ctx, ctx.session().id());
    return std::ranges::count_if(
        commands, [](const std::string& command) { return command.starts_with("sleep 35"); });
  };
  bool seen = false;
  bool gone = false;
  // The probe sees them first, so that it cannot pass for want of a tool. The deadline runs from
  // the start on: where it has passed before all were seen, there is more time in the next round.
  for (milliseconds timeout(500); timeout <= milliseconds(4000) && !seen; timeout *= 2) {
    const milliseconds deadline = ctx.scaled(timeout);
    const auto process = ctx.session().exec(
        {"sh", "-c", "sleep 351 & setsid sleep 352 & sleep 353; :"}, ended_after(deadline));
    seen = eventually(deadline, [&] { return alive() == 3; });
    end_of(*process, ctx.bound(deadline));
    gone = eventually(ctx.bound(kAtOnce), [&] { return alive() == 0; });
    if (!gone) break;
  }
  EXPECT_EQ(std::make_pair(seen, gone), std::make_pair(true, true));
}

// EXEC-021: `timeout` in the options ends the tree at the deadline.
void ATimeoutEndsNothingElse(CaseContext& ctx) {
  sh(ctx.session(), "mkfifo gate");
  const auto other = ctx.session().exec({"sh", "-c", "read x < gate; exit 3"});
  const auto ended = ctx.session().exec({"sleep", "20"}, ended_after(milliseconds(50)));
  const auto early = ctx.session().exec({"sh", "-c", "exit 4"}, ended_after(ctx.bound()));
  timed_end(*ended, ctx.bound(kAtOnce));
  std::vector<std::string> ends = {timed_end(*early, ctx.bound(kAtOnce))};
  out_within(ctx.bound(kAtOnce), ctx.session(), "echo go > gate");
  ends.push_back(timed_end(*other, ctx.bound(kAtOnce)));
  EXPECT_THAT(ends, ElementsAre("4, by itself", "3, by itself"));
}

// EXEC-021: `timeout` in the options ends the tree at the deadline …: also where nobody waits.
void ATimeoutNeedsNobodyToWait(CaseContext& ctx) {
  Session& session = ctx.session();
  const milliseconds timeout = ctx.scaled(milliseconds(300));
  // It stays: where the probe sees it and not the other, the other is over.
  const Started control = start(session, "echo up; exec sleep 355");
  const auto process = session.exec({"sh", "-c", "echo up; exec sleep 354"}, ended_after(timeout));
  next_line(process->out());
  std::vector<std::string> alive;
  eventually(ctx.bound(timeout), [&] {
    alive = living_commands(ctx, session.id());
    return alive == std::vector<std::string>{"sleep 355"};
  });
  control.process->kill();
  EXPECT_THAT(alive, ElementsAre("sleep 355"));
}

// EXEC-021: … at the deadline, and not before.
void ATimeoutIsNotEarly(CaseContext& ctx) {
  const auto process = ctx.session().exec({"sh", "-c", "sleep 0.3; exit 4"},
                                          ended_after(ctx.bound(milliseconds(300))));
  EXPECT_EQ(timed_end(*process, ctx.bound(milliseconds(300))), "4, by itself");
}

}  // namespace

std::vector<Case> exec_running_cases() {
  return {
      {.name = "ExecReturnsBeforeTheCommandEnds",
       .rules = {"EXEC-009"},
       .body = ExecReturnsBeforeTheCommandEnds},
      {.name = "ACommandRunsWithoutBeingAsked",
       .rules = {"EXEC-009"},
       .body = ACommandRunsWithoutBeingAsked},
      {.name = "SixtyFourCommandsDoNotMix",
       .rules = {"EXEC-014"},
       .body = SixtyFourCommandsDoNotMix},
      {.name = "SixtyFourCommandsRunAtOnce",
       .rules = {"EXEC-014"},
       .body = SixtyFourCommandsRunAtOnce},
      {.name = "ShortCommandsEndBesideALongOne",
       .rules = {"EXEC-014"},
       .body = ShortCommandsEndBesideALongOne},
      {.name = "DescriptorsAboveAThousandWork",
       .rules = {"EXEC-014"},
       .body = DescriptorsAboveAThousandWork},
      {.name = "LongArgumentsAreNotCut", .rules = {"EXEC-015"}, .body = LongArgumentsAreNotCut},
      {.name = "ManyLongArgumentsAreNotCut",
       .rules = {"EXEC-015"},
       .body = ManyLongArgumentsAreNotCut},
      {.name = "ACommandIsStartedOnce", .rules = {"EXEC-016"}, .body = ACommandIsStartedOnce},
      {.name = "AsyncGivesTheSameResults", .rules = {"EXEC-017"}, .body = AsyncGivesTheSameResults},
      {.name = "AsyncGivesTheSameErrors", .rules = {"EXEC-017"}, .body = AsyncGivesTheSameErrors},
      {.name = "DroppingTheFutureDoesNotBlock",
       .rules = {"EXEC-017"},
       .body = DroppingTheFutureDoesNotBlock},
      {.name = "DroppingTheFutureDoesNotCancel",
       .rules = {"EXEC-017"},
       .body = DroppingTheFutureDoesNotCancel},
      {.name = "CloseFailsWhatIsQueued", .rules = {"EXEC-017"}, .body = CloseFailsWhatIsQueued},
      {.name = "ATimeoutEndsTheCommand", .rules = {"EXEC-021"}, .body = ATimeoutEndsTheCommand},
      {.name = "ATimeoutEndsNothingElse", .rules = {"EXEC-021"}, .body = ATimeoutEndsNothingElse},
      {.name = "ATimeoutNeedsNobodyToWait",
       .rules = {"EXEC-021"},
       .body = ATimeoutNeedsNobodyToWait,
       .needs = {Need::kProcessTable}},
      {.name = "ATimeoutIsNotEarly", .rules = {"EXEC-021"}, .body = ATimeoutIsNotEarly},
      {.name = "ATimeoutLeavesNoProcess",
       .rules = {"EXEC-021"},
       .body = ATimeoutLeavesNoProcess,
       .with = {Capability::kKillTree},
       .needs = {Need::kProcessTable}},
  };
}

}  // namespace sandproof::conformance
