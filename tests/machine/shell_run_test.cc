// SPDX-License-Identifier: Apache-2.0
// What the table of rows cannot show of the shell: small pipes, limits, other boxes, time. Here a
// box has no file system: what runs is the shell and its builtins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "fakes/machine/shell/sh.h"
#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

struct ShellRun {
  std::string out;
  std::string err;
  std::optional<WaitStatus> status;  // Nothing: it waits.
  std::uint64_t journal = 0;
};

/// A shell with its outputs.
class ShellWorld {
 public:
  explicit ShellWorld(BoxOptions box = {}, std::uint64_t seed = 1)
      : world({.seed = seed, .programs = shell_programs()}, std::move(box)) {}

  std::shared_ptr<const Launch> start(Strings argv, std::string input = "") {
    return start_in(world.box, std::move(argv), std::move(input));
  }
  std::shared_ptr<const Launch> start_in(Box& box, Strings argv, std::string input = "") {
    Start start;
    start.argv = std::move(argv);
    start.files = {open_text(std::move(input)), out, err};
    const auto launch = world.machine.start(box, std::move(start));
    EXPECT_EQ(launch.error(), Errno::kOk);
    return launch.value_or(nullptr);
  }
  ShellRun run(Strings argv, std::string input = "") {
    const auto launch = start(std::move(argv), std::move(input));
    world.machine.run_until_idle();
    return {out->text(), err->text(), launch->status(), world.machine.journal().digest()};
  }

  std::shared_ptr<Capture> out = std::make_shared<Capture>();
  std::shared_ptr<Capture> err = std::make_shared<Capture>();
  World world;
};

ShellRun run_shell(std::string script, BoxOptions box = {}) {
  return ShellWorld(std::move(box)).run({"sh", "-c", std::move(script)});
}

BoxOptions with_pipes_of(std::size_t bytes) {
  BoxOptions box;
  box.pipe_capacity = bytes;
  return box;
}

TEST(ShellRun, SaysHi) {
  const ShellRun run = run_shell("echo hi; exit 3");
  EXPECT_EQ(run.out, "hi\n");
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.status, WaitStatus::exited(3));
}

TEST(ShellRun, APipelineRunsAtOnceAlsoThroughOneByte) {
  ShellWorld shell(with_pipes_of(1));
  const ShellRun run = shell.run(
      {"sh", "-c", "while :; do echo yes; done | { read a; read b; echo $a $b; }; echo $?"});
  EXPECT_EQ(run.out, "yes yes\n0\n");
  EXPECT_EQ(run.status, WaitStatus::exited(0));
  EXPECT_TRUE(shell.world.machine.processes(shell.world.box).empty()) << "the writer lives on";
}

TEST(ShellRun, TheWriterOfAPipelineWithoutReaderEndsBySigpipe) {
  const ShellRun run = run_shell(
      "{ while :; do echo y; done; echo no >&2; } | :; trap '' PIPE; "
      "{ while echo y; do :; done; echo ended >&2; } | :",
      with_pipes_of(1));
  EXPECT_EQ(run.err, "sh: 1: echo: echo: I/O error\nended\n");
  EXPECT_EQ(run.status, WaitStatus::exited(0));
}

TEST(ShellRun, AHereDocumentMayBeLongerThanAPipe) {
  const std::string text(1000, 'x');
  const ShellRun run = run_shell("read line <<E\n" + text + "\nE\necho $line", with_pipes_of(3));
  EXPECT_EQ(run.out, text + "\n");
}

TEST(ShellRun, ASubstitutionMayBeLongerThanAPipe) {
  const ShellRun run = run_shell(
      "x=aaaaaaaaaa; x=$(echo $x$x$x$x; echo $x$x); echo \"$x\" | while read y; do echo ${#y}; "
      "done",
      with_pipes_of(2));
  EXPECT_EQ(run.out, "40\n20\n");
}

TEST(ShellRun, AScriptSharesItsInputWithItsCommands) {
  const ShellRun run =
      ShellWorld().run({"sh"}, "read x\nhello there\necho $x\n(read y; echo $y)\nlast");
  EXPECT_EQ(run.out, "hello there\nlast\n");
  EXPECT_EQ(run.status, WaitStatus::exited(0));
}

// With AddressSanitizer a level takes many times the stack.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kDeepStack = false;
#else
constexpr bool kDeepStack = true;
#endif

TEST(ShellRun, FunctionsAreBounded) {
  if (!kDeepStack) GTEST_SKIP() << "AddressSanitizer's frames do not fit into a usual stack";
  const ShellRun run = run_shell("f() { if :; then f $(( $1 + 1 )); fi; }; f 0; echo no");
  EXPECT_EQ(run.err, "sh: 1: Maximum function recursion depth (1000) reached\n");
  EXPECT_EQ(run.status, WaitStatus::exited(2));
}

TEST(ShellRun, EveryOtherNestingIsBounded) {
  if (!kDeepStack) GTEST_SKIP() << "AddressSanitizer's frames do not fit into a usual stack";
  const ShellRun run = run_shell("x='eval \"$x\"'; eval \"$x\"; echo no");
  EXPECT_THAT(run.err, HasSubstr("Maximum recursion depth (6000) reached\n"));
  EXPECT_EQ(run.status, WaitStatus::exited(2));
}

TEST(ShellRun, AVariableIsBounded) {
  const ShellRun run = run_shell("x=aaaaaaaa; while :; do x=$x$x$x$x; done");
  EXPECT_EQ(run.err, "sh: 1: Out of space\n");
  EXPECT_EQ(run.status, WaitStatus::exited(2));
}

TEST(ShellRun, AllVariablesAreBoundedTogether) {
  const ShellRun run = run_shell(
      "x=aaaaaaaaaaaaaaaa; for i in 1 2 3 4 5 6 7 8 9 10; do x=$x$x$x$x; done 2>/dev/null");
  EXPECT_EQ(run.status, WaitStatus::exited(2));
  const ShellRun many = run_shell(
      "x=aaaaaaaaaaaaaaaa; for i in 1 2 3 4 5 6 7 8 9; do x=$x$x$x$x; done; "
      "i=0; while :; do i=$((i+1)); eval v$i=\\$x; done");
  EXPECT_THAT(many.err, EndsWith("Out of space\n"));
  EXPECT_EQ(many.status, WaitStatus::exited(2));
}

TEST(ShellRun, AnEndlessSubstitutionIsBounded) {
  const ShellRun run = run_shell(
      "x=$(while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done)");
  EXPECT_EQ(run.err, "sh: 1: Out of space\n");
  EXPECT_EQ(run.status, WaitStatus::exited(2));
}

/// A machine with a box in which `script` runs for ever: how many slices another box's shell takes.
std::size_t slices_beside(std::string script) {
  BoxOptions small;
  small.process_limit = 40;
  ShellWorld shell(small);
  const auto spinning = shell.start({"sh", "-c", std::move(script)});
  for (int step = 0; step < 1000; ++step) (void)shell.world.machine.step();
  EXPECT_FALSE(spinning->status());
  Box& other = shell.world.machine.make_box();
  const auto hi = shell.start_in(other, {"sh", "-c", "echo hi from $(echo beside)"});
  std::size_t slices = 0;
  while (!hi->status() && slices < 100000) {
    (void)shell.world.machine.step();
    ++slices;
  }
  EXPECT_EQ(hi->status(), WaitStatus::exited(0));
  EXPECT_THAT(shell.out->text(), EndsWith("hi from beside\n"));
  return slices;
}

TEST(ShellRun, ABusyBoxLeavesTheOtherOneItsTurns) {
  EXPECT_LT(slices_beside("while :; do :; done"), 100);
  EXPECT_LT(slices_beside("for i in 1; do continue; done; until false; do x=$((x+1)); done"), 100);
  EXPECT_LT(slices_beside("f() { f | f & while :; do :; done; }; f"), 100);
}

TEST(ShellRun, TheSameSeedIsTheSameRun) {
  const std::string script =
      "i=0; while [ $i -lt 50 ]; do i=$((i+1)); { echo $i | { read x; echo $x; }; } & done; wait";
  const ShellRun first = ShellWorld({}, 7).run({"sh", "-c", script});
  EXPECT_EQ(first.status, WaitStatus::exited(0));
  for (int again = 0; again < 100; ++again) {
    const ShellRun run = ShellWorld({}, 7).run({"sh", "-c", script});
    ASSERT_EQ(run.journal, first.journal);
    ASSERT_EQ(run.out, first.out);
  }
  EXPECT_NE(ShellWorld({}, 8).run({"sh", "-c", script}).journal, first.journal);
}

TEST(ShellRun, ATrapRunsWhenItsSignalComesFromOutside) {
  ShellWorld shell;
  const auto launch =
      shell.start({"sh", "-c", "trap 'echo bye; exit 4' TERM; while :; do :; done"});
  for (int step = 0; step < 100; ++step) (void)shell.world.machine.step();
  ASSERT_FALSE(launch->status());
  EXPECT_TRUE(shell.world.machine.kill(shell.world.box, launch->pid(), Signal::kTerm));
  for (int step = 0; step < 100; ++step) (void)shell.world.machine.step();
  EXPECT_EQ(launch->status(), WaitStatus::exited(4));
  EXPECT_EQ(shell.out->text(), "bye\n");
}

TEST(ShellRun, ASignalAmidAWriteLosesNothingOfIt) {
  ShellWorld shell(with_pipes_of(4));
  const auto launch = shell.start(
      {"sh", "-c",
       "trap 'n=$((n+1))' USR1; { echo 0123456789abcdefghijklmnopqrstuvwxyz; echo $n >&2; } | "
       "while read x; do :; done; trap 'n=$((n+1))' USR1; "
       "(i=0; while [ $i -lt 9 ]; do i=$((i+1)); kill -USR1 $$; done) & "
       "x=$(echo a; echo b); wait; echo \"$x\" | { read y; echo $y; }; echo 0123456789abcdef"});
  shell.world.machine.run_until_idle();
  EXPECT_EQ(launch->status(), WaitStatus::exited(0));
  EXPECT_EQ(shell.out->text(), "a\n0123456789abcdef\n");
}

TEST(ShellRun, KillingAShellTakesItsFrames) {
  ShellWorld shell;
  const auto launch =
      shell.start({"sh", "-c", "f() { { (while :; do x=$(echo $(echo y)); done); }; }; f | f"});
  for (int step = 0; step < 1000; ++step) (void)shell.world.machine.step();
  ASSERT_FALSE(launch->status());
  EXPECT_TRUE(shell.world.machine.kill(shell.world.box, launch->pid(), Signal::kKill));
  EXPECT_EQ(launch->status(), WaitStatus::signaled(Signal::kKill));
  EXPECT_TRUE(shell.world.machine.processes(shell.world.box).empty()) << "PID 1 takes all with it";
}

TEST(ShellRun, AnInteractiveShellPromptsAndOutlivesItsErrors) {
  const ShellRun run = ShellWorld().run({"sh", "-i"}, "if :; then\necho x\nfi\n${x?bad}\nexit 3\n");
  EXPECT_THAT(run.err, HasSubstr("sh: 0: can't access tty; job control turned off\n# "));
  EXPECT_THAT(run.err, HasSubstr("x: bad\n# "));
  EXPECT_EQ(run.status, WaitStatus::exited(3));
}

TEST(ShellRun, WhatItTakes) {
  constexpr int kRuns = 2000;
  ShellWorld shell;
  Box& box = shell.world.machine.make_box({.init = Init::kSleeps});
  const auto begin = std::chrono::steady_clock::now();
  for (int at = 0; at < kRuns; ++at) {
    const auto launch = shell.start_in(box, {"sh", "-c", "echo hi"});
    shell.world.machine.run_until_idle();
    ASSERT_EQ(launch->status(), WaitStatus::exited(0));
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  std::printf("sh -c 'echo hi': %.1f us\n", took.count() / kRuns);
  EXPECT_EQ(shell.out->text().size(), 3U * kRuns);
}

}  // namespace
}  // namespace sandproof::machine
