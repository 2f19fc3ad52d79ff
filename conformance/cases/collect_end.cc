// SPDX-License-Identifier: Apache-2.0
// COLLECT: how collect() ends when draining fails, the deadline passes or a descendant holds the
// streams, and what it costs. Cases; each used by one worker thread.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using Clock = std::chrono::steady_clock;

std::string number_of(const std::optional<ExitStatus>& status) {
  if (!status) return "running";
  const std::optional<int> integer = status->integer();
  return integer ? std::to_string(*integer) : "none";
}

// COLLECT-011: If draining fails, the process is killed and waited for, then the drain's own error
// is thrown … A later `collect()` throws that same error again.
void AFailedDrainKillsAndRethrows(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  faults->break_out_after = 4;
  const auto sandbox = sandbox_with(ctx, {}, faults);
  const auto session = sandbox->create_session();
  auto process = session->exec({"sh", "-c", "echo one; sleep 30"});
  std::string first;
  const bool in_time = finishes_within(
      ctx.bound(0ms), [&] { first = error_of([&] { process->collect(); }); },
      [&] { process->kill(); });
  EXPECT_TRUE(in_time) << "collect() on a broken stream did not return";
  EXPECT_THAT(first, AllOf(StartsWith("SandboxLostError: "), HasSubstr("stdout")));
  EXPECT_NE(number_of(process->exit_status()), "running") << "the command was left running";
  EXPECT_EQ(error_of([&] { process->collect(); }), first);
}

// COLLECT-011: … stdout's wins over stderr's.
void OfTwoBrokenStreamsStdoutIsReported(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  faults->break_out_after = 2;
  faults->break_err_after = 2;
  const auto sandbox = sandbox_with(ctx, {}, faults);
  const auto session = sandbox->create_session();
  auto process = session->exec({"sh", "-c", "echo e >&2; echo o; sleep 30"});
  // Both have broken before anybody collects.
  EXPECT_THAT(error_of([&] { all_lines(process->err()); }), StartsWith("SandboxLostError: "));
  EXPECT_THAT(error_of([&] { all_lines(process->out()); }), StartsWith("SandboxLostError: "));
  EXPECT_THAT(error_of([&] { process->collect(); }), HasSubstr("stdout"));
}

// COLLECT-011: If draining fails, the process is killed and waited for, then the drain's own error
// is thrown: stderr's, where stdout is whole.
void ABrokenStderrFailsTheCollect(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  faults->break_err_after = 4;
  const auto session = sandbox_with(ctx, {}, faults)->create_session();
  const auto process = session->exec({"sh", "-c", "echo out; echo problem >&2; sleep 30"});
  std::string error;
  const bool in_time = finishes_within(
      ctx.bound(0ms), [&] { error = error_of([&] { process->collect(); }); },
      [&] { process->kill(); });
  EXPECT_TRUE(in_time) << "collect() on a broken stream did not return";
  EXPECT_THAT(error, AllOf(StartsWith("SandboxLostError: "), HasSubstr("stderr")));
  EXPECT_NE(number_of(process->exit_status()), "running") << "the command was left running";
}

/// What a collect with a deadline gives for a script that would run for a minute.
std::string timed_out(CaseContext& ctx, const std::string& script) {
  const auto timeout = ctx.scaled(200ms);
  CollectOptions options;
  options.timeout = timeout;
  const auto begin = Clock::now();
  std::string result;
  const std::string error = error_of([&] {
    const Output output = ctx.session().exec({"sh", "-c", script})->collect(options);
    result = output.out + number_of(output.status) + (output.timed_out ? " timed out" : "");
  });
  if (Clock::now() - begin > ctx.bound(timeout)) result += " too late";
  return error.empty() ? result : error;
}

// COLLECT-012: With a timeout: at the deadline the tree is killed, and the output so far is
// returned with `timed_out` and integer status 137; elapsed at most timeout + drain grace + 2 s.
void CollectTimesOutWithWhatItHas(CaseContext& ctx) {
  EXPECT_EQ(timed_out(ctx, "echo before; sleep 60"), "before\n137 timed out");
}

// COLLECT-012: … at the deadline the tree is killed … whatever the shell makes of the command.
void CollectTimesOutWhateverTheShape(CaseContext& ctx) {
  std::vector<std::string> results;
  for (const char* script : {"sleep 60", "sleep 60; true", "sleep 60 & wait", "(sleep 60)",
                             "sleep 60 | cat", "trap '' TERM; while :; do sleep 1; done"}) {
    results.push_back(timed_out(ctx, script));
  }
  EXPECT_THAT(results, testing::Each("137 timed out"));
}

// COLLECT-012: … the tree is killed …
void CollectTimesOutTheWholeTree(CaseContext& ctx) {
  Session& session = ctx.session();
  const auto process = session.exec({"sh", "-c", "sleep 317 & setsid sleep 319 & sleep 321; :"});
  const std::vector<std::string> wanted{"sleep 317", "sleep 319", "sleep 321"};
  // The probe sees them first, so that it cannot pass for want of a tool; collect()'s time runs
  // from its call on.
  const bool seen_alive = eventually(ctx.bound(0ms), [&] {
    const std::vector<std::string> now = living_commands(ctx, session.id());
    return std::ranges::all_of(wanted,
                               [&](const auto& one) { return std::ranges::count(now, one) > 0; });
  });
  CollectOptions options;
  options.timeout = ctx.scaled(100ms);
  error_of([&] { process->collect(options); });
  const bool gone = eventually(ctx.bound(0ms), [&] { return living(ctx, session.id()).empty(); });
  EXPECT_EQ(std::make_pair(seen_alive, gone), std::make_pair(true, true))
      << testing::PrintToString(living_commands(ctx, session.id()));
}

// COLLECT-013: Memory is bounded by the caps, whatever the command writes (1 GiB at the default cap
// grows the harness by less than 64 MiB).
void MemoryIsBoundedByTheCap(CaseContext& ctx) {
  constexpr std::size_t kBound = 64 << 20;
  const std::size_t before = own_memory();
  const std::string line(79, '5');
  Output output;
  const std::size_t peak = peak_memory_of([&] {
    output = ctx.session().exec({"sh", "-c", "yes " + line + " | head -c 1073741824"})->collect();
  });
  EXPECT_EQ(output.out_bytes, 1073741824U);
  EXPECT_LT(peak, before + kBound);
}

// COLLECT-013: … whatever the command writes: a line without an end too.
void MemoryIsBoundedForAnEndlessLine(CaseContext& ctx) {
  constexpr std::size_t kBound = 64 << 20;
  const std::size_t before = own_memory();
  Output output;
  const std::size_t peak = peak_memory_of([&] {
    output = ctx.session().exec({"head", "-c", "268435456", "/dev/zero"})->collect();
  });
  EXPECT_EQ(std::to_string(output.out.size()) + (output.out_truncated ? "…" : ""), "0…");
  EXPECT_LT(peak, before + kBound);
}

std::string held(StreamEnd end) {
  switch (end) {
    case StreamEnd::kComplete:
      return "complete";
    case StreamEnd::kHeldByDescendant:
      return "held";
    case StreamEnd::kBroken:
      return "broken";
  }
  return "?";
}

// COLLECT-014: The exit status is the direct child's, also when a grandchild holds the streams
// open: `collect()` returns within the drain grace after exit and says *held by descendant*.
void AHeldStreamEndsByTheGrace(CaseContext& ctx) {
  const auto sandbox = sandbox_with(ctx, Settings().set("drain_grace", 0.2));
  const auto session = sandbox->create_session();
  std::vector<std::string> results;
  for (const char* script : {"echo out; sleep 30 & exit 3", "echo out; sleep 30 & exit 3",
                             "echo out; sleep 30 >/dev/null 2>&1 & exit 0"}) {
    if (!results.empty() && results.back().ends_with("too late")) break;
    const auto begin = Clock::now();
    const Output output = raw_within(ctx.bound(1s), *session, {"sh", "-c", script});
    results.push_back(output.out + output.status.to_string() + " " + held(output.out_end) + " " +
                      held(output.err_end) +
                      (Clock::now() - begin > ctx.scaled(2200ms) ? " too late" : ""));
  }
  EXPECT_THAT(results, ElementsAre("out\nexited(3) held held", "out\nexited(3) held held",
                                   "out\nexited(0) complete complete"));
}

}  // namespace

std::vector<Case> collect_end_cases() {
  return {
      {.name = "AFailedDrainKillsAndRethrows",
       .rules = {"COLLECT-011"},
       .body = AFailedDrainKillsAndRethrows},
      {.name = "OfTwoBrokenStreamsStdoutIsReported",
       .rules = {"COLLECT-011"},
       .body = OfTwoBrokenStreamsStdoutIsReported},
      {.name = "ABrokenStderrFailsTheCollect",
       .rules = {"COLLECT-011"},
       .body = ABrokenStderrFailsTheCollect},
      {.name = "CollectTimesOutWithWhatItHas",
       .rules = {"COLLECT-012"},
       .body = CollectTimesOutWithWhatItHas},
      {.name = "CollectTimesOutWhateverTheShape",
       .rules = {"COLLECT-012"},
       .body = CollectTimesOutWhateverTheShape},
      {.name = "CollectTimesOutTheWholeTree",
       .rules = {"COLLECT-012", "KILL-004"},
       .body = CollectTimesOutTheWholeTree,
       .with = {Capability::kKillTree},
       .needs = {Need::kProcessTable}},
      {.name = "MemoryIsBoundedByTheCap",
       .rules = {"COLLECT-013"},
       .body = MemoryIsBoundedByTheCap,
       .limit = std::chrono::seconds(60)},
      {.name = "MemoryIsBoundedForAnEndlessLine",
       .rules = {"COLLECT-013"},
       .body = MemoryIsBoundedForAnEndlessLine,
       .limit = std::chrono::seconds(60)},
      {.name = "AHeldStreamEndsByTheGrace",
       .rules = {"COLLECT-014"},
       .body = AHeldStreamEndsByTheGrace},
  };
}

}  // namespace sandproof::conformance
