// SPDX-License-Identifier: Apache-2.0
// STREAM: how output flows when it is read late, raw, by several threads, or not at all. Cases;
// each used by one worker thread, which starts more where the rule speaks of threads.
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// What the harness may grow by (STREAM-007).
constexpr std::size_t kMemoryBound = 64 * kMebi;

/// Reads a stream to its end: how many bytes came, and the most memory that was used meanwhile.
struct Drained {
  std::size_t bytes = 0;
  std::size_t memory = 0;
};

Drained drain(Process& process, Stream stream) {
  Drained drained;
  std::array<std::byte, 64 * 1024> buffer;
  while (const std::size_t count = process.read_some(stream, buffer)) {
    // Sampled once in a mebibyte: it costs as much as the reading.
    if (drained.bytes / kMebi != (drained.bytes + count) / kMebi) {
      drained.memory = std::max(drained.memory, own_memory());
    }
    drained.bytes += count;
  }
  return drained;
}

/// "33554432, 33554432, status 0" for reading first one stream to its end, then the other.
std::string drained_in_turn(CaseContext& ctx, Process& process, Stream first) {
  std::string text;
  const std::string error = error_of([&] {
    for (const Stream stream : {first, first == Stream::kOut ? Stream::kErr : Stream::kOut}) {
      text += std::to_string(drain(process, stream).bytes) + ", ";
    }
  });
  return text + error + end_of(process, ctx.bound(kAtOnce));
}

/// 32 MiB on each stream, in turns.
constexpr const char* kMuchOnBoth =
    "for i in 1 2 3 4; do yes aaa | head -c 8388608; yes bbb | head -c 8388608 >&2; done";

// STREAM-007: Reading one stream to its end and then the other loses nothing and never deadlocks,
// with 32 MiB on each.
void StderrMayBeReadFirst(CaseContext& ctx) {
  const auto process = start_bounded(ctx, ctx.session(), kMuchOnBoth, seconds(5));
  EXPECT_EQ(drained_in_turn(ctx, *process, Stream::kErr), "33554432, 33554432, status 0");
}

// STREAM-007: Reading one stream to its end and then the other loses nothing and never deadlocks,
// with 32 MiB on each.
void StdoutMayBeReadFirst(CaseContext& ctx) {
  const auto process = start_bounded(ctx, ctx.session(), kMuchOnBoth, seconds(5));
  EXPECT_EQ(drained_in_turn(ctx, *process, Stream::kOut), "33554432, 33554432, status 0");
}

// STREAM-007: … the harness's memory stays bounded (64 MiB over its start).
void UnreadOutputDoesNotFillTheMemory(CaseContext& ctx) {
  ctx.session();
  const std::size_t before = own_memory();
  const auto process = start_bounded(
      ctx, ctx.session(), "head -c 100663296 /dev/zero; head -c 1048576 /dev/zero >&2", seconds(2));
  const std::size_t err = drain(*process, Stream::kErr).memory;
  const std::size_t out = drain(*process, Stream::kOut).memory;
  EXPECT_LE(std::max(err, out), before + kMemoryBound);
}

// STREAM-008: `wait()` without reading anything returns when the command ends, with 32 MiB (and up
// to `spill_limit`) unread, and the output can still be read after it.
void WaitNeedsNoReader(CaseContext& ctx) {
  const auto process = ctx.session().exec({"sh", "-c", "yes 0123456 | head -c 33554432"});
  const std::string end = end_of(*process, ctx.bound(seconds(2)));
  EXPECT_EQ(end + ", " + std::to_string(drain(*process, Stream::kOut).bytes) + " bytes",
            "status 0, 33554432 bytes");
}

// STREAM-008: … so does a command that nobody waits for.
void ACommandThatNobodyReadsRunsToItsEnd(CaseContext& ctx) {
  sh(ctx.session(), "mkfifo back");
  const auto process =
      ctx.session().exec({"sh", "-c", "yes | head -c 4194304; echo done > f; echo end > back"});
  EXPECT_EQ(out_within(ctx.bound(kAtOnce), ctx.session(), "read x < back; cat f"), "done\n");
  process->kill();
}

// STREAM-009: A second iteration of an exhausted stream ends at once.
void AnExhaustedStreamEndsAtOnce(CaseContext& ctx) {
  const auto process = start_bounded(ctx, ctx.session(), "echo a; echo b");
  all_lines(process->out());
  std::vector<std::string> second;
  EXPECT_TRUE(finishes_within(
      ctx.bound(kAtOnce), [&] { second = all_lines(process->out()); }, [&] { process->kill(); }));
  EXPECT_THAT(second, ElementsAre());
}

/// "1\n" … as `seq 1 count` prints them.
std::vector<std::string> numbers(int count) {
  std::vector<std::string> lines;
  for (int i = 1; i <= count; ++i) lines.push_back(std::to_string(i) + "\n");
  return lines;
}

bool in_order(const std::vector<std::string>& numbers) {
  return std::is_sorted(numbers.begin(), numbers.end(),
                        [](const auto& a, const auto& b) { return std::stoi(a) < std::stoi(b); });
}

// STREAM-009: … two iterators of one stream never see the same line twice.
void TwoReadersNeverSeeTheSameLine(CaseContext& ctx) {
  constexpr int kLines = 5000;
  const auto process = start_bounded(ctx, ctx.session(), "seq 1 " + std::to_string(kLines));
  std::array<std::vector<std::string>, 2> seen;
  in_parallel(2, [&](int reader) { seen[reader] = all_lines(process->out()); });
  const bool ordered = in_order(seen[0]) && in_order(seen[1]);
  std::vector<std::string> all = std::move(seen[0]);
  all.insert(all.end(), seen[1].begin(), seen[1].end());
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return std::stoi(a) < std::stoi(b); });
  EXPECT_EQ(std::make_pair(ordered, all == numbers(kLines)), std::make_pair(true, true));
}

// STREAM-010: Both streams can be read from two threads at once.
void BothStreamsCanBeReadAtOnce(CaseContext& ctx) {
  const auto process = start_bounded(
      ctx, ctx.session(), "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); echo $i; echo $i >&2; done");
  std::array<std::vector<std::string>, 2> seen;
  in_parallel(2, [&](int reader) {
    seen[reader] = all_lines(reader == 0 ? process->out() : process->err());
  });
  const std::vector<std::string> expected = numbers(2000);
  EXPECT_EQ(std::make_pair(seen[0] == expected, seen[1] == expected), std::make_pair(true, true));
}

// STREAM-010: Both streams can be read from two threads at once.
void AReaderOfOneStreamDoesNotHoldUpTheOther(CaseContext& ctx) {
  sh(ctx.session(), "mkfifo gate");
  const auto process = ctx.session().exec(
      {"sh", "-c", "exec 3<> gate; echo first; read x <&3; echo e >&2; read x <&3"});
  next_line(process->out());
  const std::jthread reader = start_blocked([&] { error_of([&] { next_line(process->out()); }); });
  out_within(ctx.bound(kAtOnce), ctx.session(), "echo go > gate");
  std::string line;
  const bool in_time = finishes_within(
      ctx.bound(kAtOnce), [&] { line = next_line(process->err()); }, [&] { process->kill(); });
  EXPECT_EQ(in_time ? line : "too late", "e\n");
  process->kill();
}

// STREAM-011: If the transport breaks, what was received is delivered, then the read throws
// `SandboxLostError`; no text is invented on stderr.
void ABrokenTransportIsLostAfterTheBytes(CaseContext& ctx) {
  const auto faults = std::make_shared<HookFaults>();
  const auto sandbox = sandbox_with(ctx, {}, faults);
  const auto session = sandbox->create_session();
  faults->break_out_after = 10;
  const auto process =
      start_bounded(ctx, *session, R"(printf 'one\ntwo\nthree\nfour\n'; sleep 30)");
  faults->break_out_after = HookFaults::kNever;
  std::vector<std::string> seen;
  seen.push_back(error_of([&] {
    for (std::string line; process->out().next(line);) seen.push_back(line);
  }));
  process->kill();
  EXPECT_THAT(seen, ElementsAre("one\n", "two\n", "th", StartsWith("SandboxLostError")));
  EXPECT_THAT(all_lines(process->err()), ElementsAre());
}

// STREAM-012: All bytes written before exit are delivered, …, on a slow reader too.
void ALateReaderGetsEverything(CaseContext& ctx) {
  constexpr int kLines = 200'000;
  const auto process = start_bounded(ctx, ctx.session(), "seq 1 " + std::to_string(kLines));
  end_of(*process, ctx.bound(kAtOnce));
  std::string bytes;
  std::array<std::byte, 100> little;
  while (bytes.size() < 10'000) {
    const std::size_t count = process->read_some(Stream::kOut, little);
    if (count == 0) break;
    bytes.append(reinterpret_cast<const char*>(little.data()), count);
  }
  bytes += all_bytes(*process, Stream::kOut);
  std::string expected;
  for (int i = 1; i <= kLines; ++i) expected += std::to_string(i) + "\n";
  EXPECT_EQ(digest(bytes), digest(expected));
}

/// A session whose commands may leave a mebibyte unread.
std::unique_ptr<Session> with_little_room(CaseContext& ctx, const std::string& spill_dir = {}) {
  Settings settings;
  settings.set("spill_limit", std::int64_t{kMebi});
  if (!spill_dir.empty()) settings.set("spill_dir", spill_dir);
  return sandbox_with(ctx, settings)->create_session();
}

/// What wait() says about a command as soon as it says that it is held back, or after the bound.
std::string said_when_held_back(CaseContext& ctx, Process& process) {
  std::string said;
  eventually(ctx.bound(kAtOnce), [&] {
    said = error_of([&] { process.wait(milliseconds(20)); });
    return said.find("output") != std::string::npos || !said.starts_with("TimeoutError");
  });
  return said;
}

constexpr const char* kMuch = "head -c 16777216 /dev/zero";

// STREAM-013: A slow reader slows the command down or fills a bounded buffer or file; it never
// makes output disappear.
void ASlowReaderLosesNothing(CaseContext& ctx) {
  const auto session = with_little_room(ctx);
  const auto process = start_bounded(ctx, *session, "yes 0123456 | head -c 8388608", seconds(2));
  // The reader comes when the command does not get on any more.
  said_when_held_back(ctx, *process);
  std::string expected;
  while (expected.size() < 8 * kMebi) expected += "0123456\n";
  const std::string bytes = digest(all_bytes(*process, Stream::kOut));
  EXPECT_EQ(bytes + ", " + end_of(*process, ctx.bound(kAtOnce)), digest(expected) + ", status 0");
}

// STREAM-013: … At the bound … the command is held back, and a `TimeoutError` of `wait` says so.
void AtTheBoundTheCommandIsHeldBack(CaseContext& ctx) {
  const auto session = with_little_room(ctx);
  const auto process = start_bounded(ctx, *session, kMuch, seconds(2));
  EXPECT_THAT(said_when_held_back(ctx, *process),
              AllOf(StartsWith("TimeoutError"), HasSubstr("output")));
}

// STREAM-013: … it never makes output disappear. … or when the file cannot grow, the command is
// held back, and a `TimeoutError` of `wait` says so.
void AFileThatCannotGrowHoldsTheCommandBack(CaseContext& ctx) {
  const std::filesystem::path directory = ctx.scratch() / "spill";
  std::filesystem::create_directory(directory);
  Settings settings;
  settings.set("spill_dir", directory.string());
  const auto session = sandbox_with(ctx, settings)->create_session();
  std::filesystem::remove(directory);
  const auto process = start_bounded(ctx, *session, kMuch, seconds(5));
  EXPECT_THAT(said_when_held_back(ctx, *process),
              AllOf(StartsWith("TimeoutError"), HasSubstr("output")));
  const std::string bytes =
      error_or([&] { return std::to_string(drain(*process, Stream::kOut).bytes); });
  EXPECT_EQ(bytes + ", " + end_of(*process, ctx.bound(kAtOnce)), "16777216, status 0");
}

// STREAM-014: `read_some` gives the exact bytes, invalid UTF-8 too.
void ReadSomeGivesTheExactBytes(CaseContext& ctx) {
  std::string script = "printf '";
  std::string expected;
  for (int byte = 0; byte < 256; ++byte) {
    constexpr const char* kDigits = "01234567";
    script += std::string("\\") + kDigits[byte / 64] + kDigits[byte / 8 % 8] + kDigits[byte % 8];
    expected += static_cast<char>(byte);
  }
  const auto process = start_bounded(ctx, ctx.session(), script + "'");
  EXPECT_EQ(all_bytes(*process, Stream::kOut), expected);
}

/// What `read_some` gives of a command that waits at a gate in the middle of a line; then the gate
/// is opened. "too late" where it does not come at once: the command is killed then.
std::string read_some_before_the_gate(CaseContext& ctx, Process& process) {
  std::array<std::byte, 64> buffer;
  std::size_t count = 0;
  const bool at_once = finishes_within(
      ctx.bound(kAtOnce), [&] { count = process.read_some(Stream::kOut, buffer); },
      [&] { process.kill(); });
  if (at_once) out_within(ctx.bound(kAtOnce), ctx.session(), "echo go > gate");
  return at_once ? std::string(reinterpret_cast<const char*>(buffer.data()), count) : "too late";
}

// STREAM-014: `read_some` gives … a partial line as soon as it has arrived.
void ReadSomeGivesAPartialLine(CaseContext& ctx) {
  sh(ctx.session(), "mkfifo gate");
  const auto process =
      ctx.session().exec({"sh", "-c", "printf par; read x < gate; echo tial; echo next"});
  std::vector<std::string> seen = {read_some_before_the_gate(ctx, *process)};
  // The lines go on where the bytes ended.
  for (const std::string& line : all_lines(process->out())) seen.push_back(line);
  EXPECT_THAT(seen, ElementsAre("par", "tial\n", "next\n"));
}

// STREAM-014: `read_some` gives … a partial line as soon as it has arrived: beside a thread that is
// blocked in the same stream for the rest of that line, too.
void ReadSomeDoesNotWaitForAReaderOfLines(CaseContext& ctx) {
  sh(ctx.session(), "mkfifo gate");
  const auto process = ctx.session().exec({"sh", "-c", "printf par; read x < gate; echo tial"});
  std::string line;
  std::jthread reader = start_blocked([&] { error_of([&] { line = next_line(process->out()); }); });
  const std::string bytes = read_some_before_the_gate(ctx, *process);
  reader.join();
  EXPECT_THAT((std::vector{bytes, line}), ElementsAre("par", "tial\n"));
}

/// What comes of a command that closes one stream, waits at a gate, and goes on on the other.
std::vector<std::string> after_closing(CaseContext& ctx, const std::string& script, Stream closed) {
  sh(ctx.session(), "mkfifo gate");
  const auto process = ctx.session().exec({"sh", "-c", script});
  std::vector<std::string> seen;
  LineStream& ending = closed == Stream::kOut ? process->out() : process->err();
  LineStream& other = closed == Stream::kOut ? process->err() : process->out();
  const bool ended = finishes_within(
      ctx.bound(kAtOnce), [&] { seen = all_lines(ending); }, [&] { process->kill(); });
  if (!ended || process->exit_status()) return {"did not end while it runs"};
  out_within(ctx.bound(kAtOnce), ctx.session(), "echo go > gate");
  for (const std::string& line : all_lines(other)) seen.push_back(line);
  seen.push_back(end_of(*process, ctx.bound(kAtOnce)));
  return seen;
}

// STREAM-015: A command that closes one stream and runs on: that stream ends, the other goes on.
void AfterStdoutIsClosedStderrGoesOn(CaseContext& ctx) {
  EXPECT_THAT(
      after_closing(ctx, "echo o; exec 1>&-; read x < gate; echo e >&2; exit 3", Stream::kOut),
      ElementsAre("o\n", "e\n", "status 3"));
}

// STREAM-015: A command that closes one stream and runs on: that stream ends, the other goes on.
void AfterStderrIsClosedStdoutGoesOn(CaseContext& ctx) {
  EXPECT_THAT(
      after_closing(ctx, "echo e >&2; exec 2>&-; read x < gate; echo o; exit 3", Stream::kErr),
      ElementsAre("e\n", "o\n", "status 3"));
}

}  // namespace

std::vector<Case> stream_flow_cases() {
  return {
      {.name = "StderrMayBeReadFirst", .rules = {"STREAM-007"}, .body = StderrMayBeReadFirst},
      {.name = "StdoutMayBeReadFirst", .rules = {"STREAM-007"}, .body = StdoutMayBeReadFirst},
      {.name = "UnreadOutputDoesNotFillTheMemory",
       .rules = {"STREAM-007"},
       .body = UnreadOutputDoesNotFillTheMemory},
      {.name = "ACommandThatNobodyReadsRunsToItsEnd",
       .rules = {"STREAM-008"},
       .body = ACommandThatNobodyReadsRunsToItsEnd},
      {.name = "WaitNeedsNoReader", .rules = {"STREAM-008"}, .body = WaitNeedsNoReader},
      {.name = "AnExhaustedStreamEndsAtOnce",
       .rules = {"STREAM-009"},
       .body = AnExhaustedStreamEndsAtOnce},
      {.name = "TwoReadersNeverSeeTheSameLine",
       .rules = {"STREAM-009"},
       .body = TwoReadersNeverSeeTheSameLine},
      {.name = "BothStreamsCanBeReadAtOnce",
       .rules = {"STREAM-010"},
       .body = BothStreamsCanBeReadAtOnce},
      {.name = "AReaderOfOneStreamDoesNotHoldUpTheOther",
       .rules = {"STREAM-010"},
       .body = AReaderOfOneStreamDoesNotHoldUpTheOther},
      {.name = "ABrokenTransportIsLostAfterTheBytes",
       .rules = {"STREAM-011"},
       .body = ABrokenTransportIsLostAfterTheBytes},
      {.name = "ALateReaderGetsEverything",
       .rules = {"STREAM-012"},
       .body = ALateReaderGetsEverything},
      {.name = "ASlowReaderLosesNothing", .rules = {"STREAM-013"}, .body = ASlowReaderLosesNothing},
      {.name = "AtTheBoundTheCommandIsHeldBack",
       .rules = {"STREAM-013"},
       .body = AtTheBoundTheCommandIsHeldBack},
      {.name = "AFileThatCannotGrowHoldsTheCommandBack",
       .rules = {"STREAM-013"},
       .body = AFileThatCannotGrowHoldsTheCommandBack},
      {.name = "ReadSomeGivesTheExactBytes",
       .rules = {"STREAM-014"},
       .body = ReadSomeGivesTheExactBytes},
      {.name = "ReadSomeGivesAPartialLine",
       .rules = {"STREAM-014"},
       .body = ReadSomeGivesAPartialLine},
      {.name = "ReadSomeDoesNotWaitForAReaderOfLines",
       .rules = {"STREAM-014"},
       .body = ReadSomeDoesNotWaitForAReaderOfLines},
      {.name = "AfterStdoutIsClosedStderrGoesOn",
       .rules = {"STREAM-015"},
       .body = AfterStdoutIsClosedStderrGoesOn},
      {.name = "AfterStderrIsClosedStdoutGoesOn",
       .rules = {"STREAM-015"},
       .body = AfterStderrIsClosedStdoutGoesOn},
  };
}

}  // namespace sandproof::conformance
