// SPDX-License-Identifier: Apache-2.0
// STREAM: output as lines of text. Cases; each used by one worker thread. How output flows when it
// is read late, by several threads or not at all is in stream_flow.cc.
#include <chrono>
#include <memory>
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
using testing::AllOf;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::Field;
using testing::IsEmpty;

/// The lines of a command's stdout.
std::vector<std::string> lines_of(CaseContext& ctx, const std::string& script) {
  const auto process = start_bounded(ctx, ctx.session(), script);
  return all_lines(process->out());
}

struct TextCase {
  const char* script;
  std::vector<std::string> lines;
};

// STREAM-001: Lines come in order, each with its terminator; a last line without one comes as it
// is; empty output gives no line; no line is invented after a final newline.
void LinesComeInOrderWithTheirTerminators(CaseContext& ctx) {
  const std::vector<TextCase> texts = {{R"(printf 'line1\nline2')", {"line1\n", "line2"}},
                                       {R"(printf '\n')", {"\n"}},
                                       {":", {}},
                                       {R"(printf 'a\n\nb\n')", {"a\n", "\n", "b\n"}},
                                       {R"(printf '\n\n')", {"\n", "\n"}},
                                       {"printf yes; exit 3", {"yes"}}};
  for (const auto& [script, lines] : texts) {
    EXPECT_THAT(lines_of(ctx, script), ElementsAreArray(lines)) << script;
  }
}

// STREAM-001: Lines come in order, each with its terminator; a last line without one comes as it
// is; empty output gives no line; no line is invented after a final newline.
void LinesOfStderrComeLikewise(CaseContext& ctx) {
  const auto process = start_bounded(ctx, ctx.session(), R"(printf 'a\n\nb' >&2)");
  EXPECT_THAT(all_lines(process->err()), ElementsAre("a\n", "\n", "b"));
}

// STREAM-001: Lines come in order.
void ThousandsOfLinesComeInOrder(CaseContext& ctx) {
  constexpr int kLines = 20'000;
  const auto process = start_bounded(ctx, ctx.session(), "seq 1 " + std::to_string(kLines));
  int next = 1;
  std::string first_wrong;
  for (const std::string& line : process->out()) {
    if (line != std::to_string(next) + "\n" && first_wrong.empty()) first_wrong = line;
    ++next;
  }
  EXPECT_EQ(first_wrong + ", " + std::to_string(next - 1) + " lines", ", 20000 lines");
}

// STREAM-002: A line is seen while the command still runs.
void ALineIsSeenWhileTheCommandRuns(CaseContext& ctx) {
  sh(ctx.session(), "mkfifo gate");
  // Without a deadline of its own, whose end would bring the line, too.
  const auto process = ctx.session().exec({"sh", "-c", "echo up; read x < gate; echo end"});
  std::string line;
  const bool in_time = finishes_within(
      ctx.bound(kAtOnce), [&] { line = next_line(process->out()); }, [&] { process->kill(); });
  EXPECT_EQ(in_time ? line : "too late", "up\n");
  process->kill();
}

// STREAM-003: stdout and stderr are kept apart.
void StdoutAndStderrAreKeptApart(CaseContext& ctx) {
  const auto process = start_bounded(ctx, ctx.session(), "echo o; echo e >&2; echo o2");
  const std::vector<std::vector<std::string>> streams = {all_lines(process->out()),
                                                         all_lines(process->err())};
  EXPECT_THAT(streams, ElementsAre(ElementsAre("o\n", "o2\n"), ElementsAre("e\n")));
}

// STREAM-003: stdout and stderr are kept apart.
void OutputThatLooksLikeAFrameIsOutput(CaseContext& ctx) {
  const Output output =
      raw_within(ctx.bound(kAtOnce), ctx.session(),
                 {"sh", "-c", R"(printf '\002\000\000\000\000\000\000\005hello\001')"});
  EXPECT_THAT(output, AllOf(Field(&Output::out, std::string("\2\0\0\0\0\0\0\5hello\1", 14)),
                            Field(&Output::err, "")));
}

// STREAM-004: The only line terminator is `\n`; `\r`, VT, FF, NEL, U+2028 stay inside the line.
void OnlyNewlineEndsALine(CaseContext& ctx) {
  EXPECT_THAT(
      lines_of(ctx, R"(printf 'a\rb\vc\fd\034e\302\205f\342\200\250g\342\200\251h\r\ni\r')"),
      ElementsAre("a\rb\vc\fd\034e\u0085f\u2028g\u2029h\r\n", "i\r"));
}

// STREAM-005: Text is UTF-8; each maximal invalid part becomes U+FFFD. … NUL is kept.
void InvalidBytesBecomeReplacementCharacters(CaseContext& ctx) {
  const std::vector<TextCase> texts = {
      {R"(printf 'a\377b\n')", {"a\uFFFDb\n"}},
      {R"(printf 'ab\342\202')", {"ab\uFFFD"}},
      {R"(printf '\360\200\200A')", {"\uFFFD\uFFFD\uFFFDA"}},
      {R"(printf '\355\240\200')", {"\uFFFD\uFFFD\uFFFD"}},
      {R"(printf '\300\257')", {"\uFFFD\uFFFD"}},
      {R"(printf '\324\n')", {"\uFFFD\n"}},
      {R"(printf '\361\200\200\302b')", {"\uFFFD\uFFFDb"}},
      {R"(printf 'gr\303\274n \360\237\230\200\n')", {"grün \U0001F600\n"}},
      {R"(printf 'x\000y\n')", {std::string("x\0y\n", 4)}}};
  for (const auto& [script, lines] : texts) {
    EXPECT_THAT(lines_of(ctx, script), ElementsAreArray(lines)) << script;
  }
}

// STREAM-005: Text is UTF-8; each maximal invalid part becomes U+FFFD. … NUL is kept.: what
// collect() returns, as well.
void CollectedTextIsUtf8(CaseContext& ctx) {
  const auto process = start_bounded(ctx, ctx.session(),
                                     R"(printf 'a\377b\342\202\nx\000y'; printf 'c\300\257' >&2)");
  const Output output = process->collect();
  EXPECT_THAT((std::vector<std::string>{output.out, output.err}),
              ElementsAre(std::string("a\uFFFDb\uFFFD\nx\0y", 12), "c\uFFFD\uFFFD"));
}

/// Writes the bytes of "é≤😀\n" one by one, each for a line that comes through the gate.
constexpr const char* kDripping =
    "exec 3<> gate; for b in 303 251 342 211 244 360 237 230 200 012; do read x <&3;"
    R"( printf "\\$b"; done)";

// STREAM-005: … a character split over any two chunks is whole.
void ACharacterThatComesInPiecesIsWhole(CaseContext& ctx) {
  sh(ctx.session(), "mkfifo gate");
  for (const std::string redirection : {"", " >&2"}) {
    const auto process = start_bounded(ctx, ctx.session(), kDripping + redirection);
    LineStream& stream = redirection.empty() ? process->out() : process->err();
    std::string line;
    {
      // Somebody reads each byte as it comes.
      const std::jthread reader([&] { line = next_line(stream); });
      for (int byte = 0; byte < 10; ++byte) {
        out_within(ctx.bound(kAtOnce), ctx.session(), "echo go > gate");
      }
    }
    EXPECT_EQ(line, "é≤\U0001F600\n");
  }
}

/// The lengths of the lines of a command that writes one line of `size` times "x".
std::vector<std::size_t> long_line(CaseContext& ctx, std::size_t size) {
  const auto process = start_bounded(
      ctx, ctx.session(), "head -c " + std::to_string(size) + R"( /dev/zero | tr '\0' x; echo)",
      std::chrono::seconds(5));
  std::vector<std::size_t> lengths;
  for (std::string line; process->out().next(line);) lengths.push_back(line.size());
  return lengths;
}

// STREAM-006: A line of 8 MiB comes as one line.
void ALongLineIsOneLine(CaseContext& ctx) {
  EXPECT_THAT(long_line(ctx, 8 * kMebi), ElementsAre(8 * kMebi + 1));
}

// STREAM-006: A line of 8 MiB comes …, in time linear in its length.
void ALongLineTakesLinearTime(CaseContext& ctx) {
  const auto time_for = [&](std::size_t size) {
    const auto start = std::chrono::steady_clock::now();
    long_line(ctx, size);
    return std::chrono::steady_clock::now() - start;
  };
  const auto one = time_for(kMebi);
  // The second is for a machine that does other things as well.
  EXPECT_LE(time_for(8 * kMebi), 8 * one + ctx.scaled(std::chrono::seconds(1)));
}

}  // namespace

std::vector<Case> stream_cases() {
  std::vector<Case> cases = {
      {.name = "LinesComeInOrderWithTheirTerminators",
       .rules = {"STREAM-001"},
       .body = LinesComeInOrderWithTheirTerminators,
       .smoke = true},
      {.name = "LinesOfStderrComeLikewise",
       .rules = {"STREAM-001"},
       .body = LinesOfStderrComeLikewise},
      {.name = "ThousandsOfLinesComeInOrder",
       .rules = {"STREAM-001"},
       .body = ThousandsOfLinesComeInOrder},
      {.name = "ALineIsSeenWhileTheCommandRuns",
       .rules = {"STREAM-002"},
       .body = ALineIsSeenWhileTheCommandRuns},
      {.name = "StdoutAndStderrAreKeptApart",
       .rules = {"STREAM-003"},
       .body = StdoutAndStderrAreKeptApart,
       .smoke = true},
      {.name = "OutputThatLooksLikeAFrameIsOutput",
       .rules = {"STREAM-003"},
       .body = OutputThatLooksLikeAFrameIsOutput},
      {.name = "OnlyNewlineEndsALine", .rules = {"STREAM-004"}, .body = OnlyNewlineEndsALine},
      {.name = "InvalidBytesBecomeReplacementCharacters",
       .rules = {"STREAM-005"},
       .body = InvalidBytesBecomeReplacementCharacters},
      {.name = "CollectedTextIsUtf8", .rules = {"STREAM-005"}, .body = CollectedTextIsUtf8},
      {.name = "ACharacterThatComesInPiecesIsWhole",
       .rules = {"STREAM-005"},
       .body = ACharacterThatComesInPiecesIsWhole},
      {.name = "ALongLineTakesLinearTime",
       .rules = {"STREAM-006"},
       .body = ALongLineTakesLinearTime},
      {.name = "ALongLineIsOneLine", .rules = {"STREAM-006"}, .body = ALongLineIsOneLine},
  };
  for (Case& row : stream_flow_cases()) cases.push_back(std::move(row));
  for (Case& row : stream_delivery_cases()) cases.push_back(std::move(row));
  return cases;
}

}  // namespace sandproof::conformance
