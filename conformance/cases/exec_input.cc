// SPDX-License-Identifier: Apache-2.0
// EXEC: a command's standard input. Cases; each used by one worker thread.
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/cases/areas.h"
#include "conformance/cases/harness_state.h"
#include "conformance/cases/support.h"
#include "sandproof/conformance/assertions.h"

namespace sandproof::conformance {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;

ExecOptions with_input(Stdin input) {
  ExecOptions options;
  options.input = std::move(input);
  return options;
}

/// With a pipe as input. The command is ended when it is still there after the bound.
std::unique_ptr<Process> with_pipe(CaseContext& ctx, const std::string& script) {
  ExecOptions options = with_input(Stdin::pipe());
  options.timeout = ctx.bound(kAtOnce);
  return ctx.session().exec({"sh", "-c", script}, options);
}

// EXEC-012: stdin is empty and at end of file unless given: `cat` ends at once.
void StdinIsAtItsEnd(CaseContext& ctx) {
  EXPECT_THAT(raw_within(ctx.bound(kAtOnce), ctx.session(), {"cat"}),
              AllOf(Field(&Output::out, ""), Field(&Output::status, ExitStatus::exited(0))));
}

// EXEC-012: stdin is empty and at end of file unless given: `cat` ends at once.
void StdinIsNotTheHarnesss(CaseContext& ctx) {
  ctx.session();
  const OpenStdin stray("stray\n");
  EXPECT_EQ(raw_within(ctx.bound(kAtOnce), ctx.session(), {"cat"}).out, "");
}

// EXEC-013: Bytes given as stdin arrive exactly; … closing it is seen as end of file.
void InputArrivesExactly(CaseContext& ctx) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{256}, std::size_t{65536}}) {
    const std::string bytes = random_bytes(ctx.random(), size);
    const Output output =
        raw_within(ctx.bound(kAtOnce), ctx.session(), {"cat"}, with_input(Stdin::bytes(bytes)));
    EXPECT_EQ(digest(output.out), digest(bytes));
  }
}

// EXEC-013: … 16 MiB while the command writes as much back (no deadlock).
void SixteenMebibytesComeBack(CaseContext& ctx) {
  std::string bytes;
  while (bytes.size() < 16 * kMebi) bytes += std::to_string(bytes.size()) + "\n";
  const Output output = raw_within(ctx.bound(std::chrono::seconds(10)), ctx.session(), {"cat"},
                                   with_input(Stdin::bytes(bytes)));
  EXPECT_EQ(digest(output.out), digest(bytes));
}

// EXEC-013: … exactly, 16 MiB while the command writes as much back (no deadlock): also piece by
// piece.
void WrittenInputComesBack(CaseContext& ctx) {
  // No divisor of what pipes and buffers hold.
  constexpr std::size_t kPiece = 99'991;
  const std::string block = random_bytes(ctx.random(), kMebi);
  std::string bytes;
  while (bytes.size() < 16 * kMebi) bytes += block;
  ExecOptions options = with_input(Stdin::pipe());
  options.timeout = ctx.bound(std::chrono::seconds(5));
  const std::unique_ptr<Process> process = ctx.session().exec({"cat"}, options);
  std::string error;
  std::jthread writer([&] {
    error = error_of([&] {
      StdinWriter& in = process->in();
      const std::string_view all = bytes;
      for (std::size_t at = 0; at < all.size(); at += kPiece) {
        if (!in.write(all.substr(at, kPiece))) break;
      }
      in.close();
    });
  });
  const std::string back = error_or([&] { return digest(all_bytes(*process, Stream::kOut)); });
  writer.join();
  EXPECT_EQ(error + back, digest(bytes));
}

// EXEC-013: … (no deadlock) … a command that exits early does not make the writer hang or crash.
void AnUnreadInputDoesNotHoldUpTheOutput(CaseContext& ctx) {
  const Output output =
      raw_within(ctx.bound(kAtOnce), ctx.session(), {"head", "-c", "1048576", "/dev/zero"},
                 with_input(Stdin::bytes(std::string(kMebi, ' '))));
  EXPECT_THAT(output, AllOf(Field(&Output::out_bytes, kMebi),
                            Field(&Output::status, ExitStatus::exited(0))));
}

// EXEC-013: … closing it is seen as end of file.
void ClosingTheInputIsEndOfFile(CaseContext& ctx) {
  const std::unique_ptr<Process> process = with_pipe(ctx, "cat");
  // Holds nothing of the other's input open.
  const Started sibling = start(ctx.session(), "echo up; sleep 30");
  process->in().write("a\n");
  const std::string while_open = next_line(process->out());
  process->in().close();
  const std::vector<std::string> seen = {while_open, next_line(process->out()),
                                         end_of(*process, ctx.bound(kAtOnce))};
  sibling.process->kill();
  EXPECT_THAT(seen, ElementsAre("a\n", "", "status 0"));
}

// EXEC-013: … a command that exits early does not make the writer hang or crash.
void AnEarlyExitFreesTheWriter(CaseContext& ctx) {
  const std::unique_ptr<Process> process = with_pipe(ctx, "exit 4");
  const std::string much(4 * kMebi, 'x');
  bool taken = true;
  std::string error;
  EXPECT_TRUE(finishes_within(
      ctx.bound(kAtOnce), [&] { error = error_of([&] { taken = process->in().write(much); }); },
      [&] { process->kill(); }));
  EXPECT_EQ(error + (taken ? "taken" : "not taken"), "not taken");
}

// EXEC-013: … closing it is seen as end of file.
void OutputAfterTheEndOfTheInputArrives(CaseContext& ctx) {
  const Output output =
      raw_within(ctx.bound(kAtOnce), ctx.session(), {"sh", "-c", "wc -c; echo late"},
                 with_input(Stdin::bytes("test")));
  EXPECT_EQ(output.out, "4\nlate\n");
}

}  // namespace

std::vector<Case> exec_input_cases() {
  return {
      {.name = "StdinIsAtItsEnd", .rules = {"EXEC-012"}, .body = StdinIsAtItsEnd, .smoke = true},
      {.name = "StdinIsNotTheHarnesss", .rules = {"EXEC-012"}, .body = StdinIsNotTheHarnesss},
      {.name = "OutputAfterTheEndOfTheInputArrives",
       .rules = {"EXEC-013"},
       .body = OutputAfterTheEndOfTheInputArrives},
      {.name = "InputArrivesExactly", .rules = {"EXEC-013"}, .body = InputArrivesExactly},
      {.name = "AnUnreadInputDoesNotHoldUpTheOutput",
       .rules = {"EXEC-013"},
       .body = AnUnreadInputDoesNotHoldUpTheOutput},
      {.name = "ClosingTheInputIsEndOfFile",
       .rules = {"EXEC-013"},
       .body = ClosingTheInputIsEndOfFile},
      {.name = "AnEarlyExitFreesTheWriter",
       .rules = {"EXEC-013"},
       .body = AnEarlyExitFreesTheWriter},
      {.name = "WrittenInputComesBack", .rules = {"EXEC-013"}, .body = WrittenInputComesBack},
      {.name = "SixteenMebibytesComeBack", .rules = {"EXEC-013"}, .body = SixteenMebibytesComeBack},
  };
}

}  // namespace sandproof::conformance
