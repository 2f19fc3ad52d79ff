// SPDX-License-Identifier: Apache-2.0
// COLLECT: what collect() returns and what it keeps. How it ends (deadline, broken and held
// streams) is in collect_end.cc. Cases; each used by one worker thread.
#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::StartsWith;

/// Collects with a cap, and ends what would hang.
Output capped(CaseContext& ctx, std::string script, std::int64_t max_chars,
              std::chrono::milliseconds deadline = 2s) {
  CollectOptions options;
  options.max_chars = max_chars;
  options.timeout = ctx.bound(deadline);
  return ctx.session().exec({"sh", "-c", std::move(script)})->collect(options);
}

/// "text", or "text…" where the flag is set.
std::string seen(const std::string& text, bool truncated) { return text + (truncated ? "…" : ""); }
std::string out_of(const Output& output) { return seen(output.out, output.out_truncated); }
std::string err_of(const Output& output) { return seen(output.err, output.err_truncated); }

/// "200000 x", for texts of one character.
std::string size_of(const std::string& text) {
  const bool uniform = std::ranges::all_of(text, [&](char c) { return c == text.front(); });
  return std::to_string(text.size()) + (text.empty() ? "" : uniform ? text.substr(0, 1) : " mixed");
}

// COLLECT-001: `collect()` drains both streams at once: 1 MiB and more on each, in any
// interleaving, does not deadlock.
void CollectDrainsStderrAlone(CaseContext& ctx) {
  const Output output = capped(ctx, "head -c 200000 /dev/zero | tr '\\0' x >&2", kDefaultMaxChars);
  EXPECT_THAT((std::vector{size_of(output.out), size_of(output.err), output.status.to_string()}),
              ElementsAre("0", "200000x", "exited(0)"));
}

// COLLECT-001: … 1 MiB and more on each, in any interleaving …
void CollectDrainsBothAtOnce(CaseContext& ctx) {
  const std::string block = "head -c 1048575 /dev/zero | tr '\\0' x";
  const std::string turns =
      "i=0; while [ $i -lt 64 ]; do head -c 16384 /dev/zero; head -c 16384 /dev/zero >&2; "
      "i=$((i + 1)); done";
  std::vector<std::string> sizes;
  for (const std::string& script :
       {block + "; " + block + " >&2", block + " >&2; " + block, turns}) {
    // The turns start 128 programs, which takes its time on a busy machine.
    const Output output = capped(ctx, script, 2 * kDefaultMaxChars, 8s);
    sizes.push_back(size_of(output.out) + " " + size_of(output.err) + " " +
                    output.status.to_string());
  }
  const std::string whole = "1048575x 1048575x exited(0)";
  const std::string zeros = "1048576" + std::string(1, '\0');
  EXPECT_THAT(sizes, ElementsAre(whole, whole, zeros + " " + zeros + " exited(0)"));
}

// COLLECT-002: It returns stdout, stderr, status, and a truncation flag per stream.
void CollectReturnsEverything(CaseContext& ctx) {
  const Output output = capped(ctx, "printf 'o\\n'; printf 'e\\n' >&2; exit 3", 100);
  Output expected;
  expected.out = "o\n";
  expected.err = "e\n";
  expected.status = ExitStatus::exited(3);
  expected.out_bytes = 2;
  expected.err_bytes = 2;
  EXPECT_TRUE(output == expected) << "got: " << out_of(output) << err_of(output) << output.status
                                  << ", " << output.out_bytes << " and " << output.err_bytes
                                  << " bytes";
}

// COLLECT-003: `max_chars` counts code points per stream, terminators included … A line is kept if
// the total including it does not exceed the cap; exactly the cap fits.
void TheCapCountsCodePoints(CaseContext& ctx) {
  const auto kept = [&](const char* text, std::int64_t cap) {
    return out_of(capped(ctx, std::string("printf '") + text + "'", cap));
  };
  EXPECT_THAT((std::vector{kept("abc\\nde", 6), kept("abc\\nde", 5), kept("€€\\n", 3),
                           kept("€€\\n", 2), kept("hello world", 11), kept("hello world", 10)}),
              ElementsAre("abc\nde", "abc\n…", "€€\n", "…", "hello world", "…"));
}

// COLLECT-003: … default 1 048 576 …
void TheDefaultCapIsAMebi(CaseContext& ctx) {
  const auto collected = [&](const char* size) {
    auto process = ctx.session().exec(
        {"sh", "-c", std::string("head -c ") + size + " /dev/zero | tr '\\0' x"});
    const Output output = process->collect();
    return seen(size_of(output.out), output.out_truncated);
  };
  EXPECT_THAT((std::vector{collected("1048576"), collected("1048577")}),
              ElementsAre("1048576x", "0…"));
}

// COLLECT-004: From the first line that does not fit, that line and all later ones are dropped and
// the flag is set: the result is always whole lines, a prefix of the output …
void TheResultIsAPrefixOfWholeLines(CaseContext& ctx) {
  EXPECT_EQ(out_of(capped(ctx, "printf 'aaaa\\nbbbbbbbb\\nc\\n'", 8)), "aaaa\n…");
}

// COLLECT-004: … A single over-long first line gives empty text and the flag.
void AnOverlongFirstLineGivesNothing(CaseContext& ctx) {
  EXPECT_EQ(out_of(capped(ctx, "printf 'xxxxxxxxxx\\ny\\n'", 5)), "…");
}

// COLLECT-005: `max_chars = 0`: any output sets the flag; none does not.
void AZeroCapKeepsNothing(CaseContext& ctx) {
  const Output some = capped(ctx, "printf a; printf b >&2", 0);
  const Output none = capped(ctx, "true", 0);
  EXPECT_THAT((std::vector{out_of(some), err_of(some), out_of(none), err_of(none)}),
              ElementsAre("…", "…", "", ""));
}

// COLLECT-006: Past the cap the stream is still drained: the command is never blocked, and its exit
// status is its own.
void PastTheCapTheStreamIsDrained(CaseContext& ctx) {
  const Output output = capped(ctx, "yes | head -c 4194304; echo boom >&2; exit 3", 100);
  EXPECT_THAT(
      (std::vector{seen(std::to_string(output.out.size()), output.out_truncated), err_of(output),
                   output.status.to_string(), std::to_string(output.out_bytes)}),
      ElementsAre("100…", "boom\n", "exited(3)", "4194304"));
}

// COLLECT-007: The flags of the two streams are independent.
void TheFlagsAreIndependent(CaseContext& ctx) {
  const Output out_over = capped(ctx, "echo 12345678; echo ab >&2", 5);
  const Output err_over = capped(ctx, "echo abc; echo 12345678 >&2", 5);
  EXPECT_THAT((std::vector{out_of(out_over), err_of(out_over), out_of(err_over), err_of(err_over)}),
              ElementsAre("…", "ab\n", "abc\n", "…"));
}

// COLLECT-008: A second `collect()` throws `AlreadyCollectedError`, at once, whatever the first
// returned.
void ASecondCollectIsRefused(CaseContext& ctx) {
  std::vector<std::string> second;
  const auto collect_twice = [&](const char* script, const CollectOptions& options) {
    auto process = ctx.session().exec({"sh", "-c", script});
    process->collect(options);
    second.push_back(error_of([&] { process->collect(options); }));
  };
  CollectOptions small;
  small.max_chars = 1;
  CollectOptions brief;
  brief.timeout = ctx.scaled(50ms);
  collect_twice("echo hi", {});
  collect_twice("exit 3", {});
  collect_twice("echo hi", small);
  collect_twice("sleep 30", brief);
  EXPECT_THAT(second, testing::Each(StartsWith("AlreadyCollectedError: ")));
}

// COLLECT-008: A second `collect()` throws `AlreadyCollectedError`, at once …: while the first is
// still inside.
void ASecondCollectDoesNotWaitForTheFirst(CaseContext& ctx) {
  const Started started = start(ctx.session(), "echo up; sleep 30");
  std::atomic<int> refused = 0;
  const auto collect = [&] {
    const std::string error = error_of([&] { started.process->collect(); });
    if (error.starts_with("AlreadyCollectedError: ")) ++refused;
  };
  bool at_once = false;
  {
    // Whichever of the two comes later is the second.
    const std::jthread one(collect);
    const std::jthread other(collect);
    at_once = eventually(ctx.bound(kAtOnce), [&] { return refused == 1; });
    started.process->kill();
  }
  EXPECT_TRUE(at_once) << "nobody was refused while the command ran";
}

// COLLECT-009: Of two threads that collect at once, one gets the output and one
// `AlreadyCollectedError`.
void OfTwoCollectorsOneWins(CaseContext& ctx) {
  constexpr int kRounds = 20;
  std::vector<std::string> odd;
  for (int round = 0; round < kRounds; ++round) {
    auto process = ctx.session().exec({"seq", "1", "1000"});
    std::vector<std::string> got(2);
    in_parallel(2, [&](int i) {
      const std::string error = error_of([&] {
        const Output output = process->collect();
        got[i] = std::to_string(std::ranges::count(output.out, '\n')) + " lines";
      });
      if (!error.empty()) got[i] = error.substr(0, error.find(':'));
    });
    std::ranges::sort(got);
    if (got != std::vector<std::string>{"1000 lines", "AlreadyCollectedError"}) {
      odd.push_back(got[0] + " and " + got[1]);
    }
  }
  EXPECT_THAT(odd, testing::IsEmpty());
}

// COLLECT-010: `collect()` after the streams were read by hand returns what is left (possibly
// nothing) and the real status; it never hangs.
void CollectAfterReadingReturnsWhatIsLeft(CaseContext& ctx) {
  const auto collected = [&](int lines, bool wait) {
    auto process = ctx.session().exec({"sh", "-c", "printf 'a\\nb\\n'; exit 4"});
    for (int i = 0; i < lines; ++i) next_line(process->out());
    if (wait) process->wait(ctx.bound(0ms));
    Output output;
    const bool in_time = finishes_within(
        ctx.bound(0ms), [&] { output = process->collect(); }, [&] { process->kill(); });
    return output.out + output.status.to_string() + (in_time ? "" : " too late");
  };
  EXPECT_THAT((std::vector{error_or([&] { return collected(1, false); }),
                           error_or([&] { return collected(3, false); }),
                           error_or([&] { return collected(3, true); })}),
              ElementsAre("b\nexited(4)", "exited(4)", "exited(4)"));
}

}  // namespace

std::vector<Case> collect_cases() {
  std::vector<Case> cases = {
      {.name = "CollectDrainsStderrAlone",
       .rules = {"COLLECT-001"},
       .body = CollectDrainsStderrAlone},
      {.name = "CollectDrainsBothAtOnce",
       .rules = {"COLLECT-001"},
       .body = CollectDrainsBothAtOnce},
      {.name = "CollectReturnsEverything",
       .rules = {"COLLECT-002"},
       .body = CollectReturnsEverything,
       .smoke = true},
      {.name = "TheCapCountsCodePoints", .rules = {"COLLECT-003"}, .body = TheCapCountsCodePoints},
      {.name = "TheDefaultCapIsAMebi", .rules = {"COLLECT-003"}, .body = TheDefaultCapIsAMebi},
      {.name = "TheResultIsAPrefixOfWholeLines",
       .rules = {"COLLECT-004"},
       .body = TheResultIsAPrefixOfWholeLines},
      {.name = "AnOverlongFirstLineGivesNothing",
       .rules = {"COLLECT-004"},
       .body = AnOverlongFirstLineGivesNothing},
      {.name = "AZeroCapKeepsNothing", .rules = {"COLLECT-005"}, .body = AZeroCapKeepsNothing},
      {.name = "PastTheCapTheStreamIsDrained",
       .rules = {"COLLECT-006"},
       .body = PastTheCapTheStreamIsDrained},
      {.name = "TheFlagsAreIndependent", .rules = {"COLLECT-007"}, .body = TheFlagsAreIndependent},
      {.name = "ASecondCollectIsRefused",
       .rules = {"COLLECT-008"},
       .body = ASecondCollectIsRefused},
      {.name = "ASecondCollectDoesNotWaitForTheFirst",
       .rules = {"COLLECT-008"},
       .body = ASecondCollectDoesNotWaitForTheFirst},
      {.name = "OfTwoCollectorsOneWins", .rules = {"COLLECT-009"}, .body = OfTwoCollectorsOneWins},
      {.name = "CollectAfterReadingReturnsWhatIsLeft",
       .rules = {"COLLECT-010"},
       .body = CollectAfterReadingReturnsWhatIsLeft},
  };
  for (Case& row : collect_end_cases()) cases.push_back(std::move(row));
  return cases;
}

}  // namespace sandproof::conformance
