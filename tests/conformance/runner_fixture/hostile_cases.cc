// SPDX-License-Identifier: Apache-2.0
// Cases that do not end, or take the worker with them.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "sandproof/conformance/assertions.h"
#include "sandproof/conformance/context.h"
#include "tests/conformance/runner_fixture/fixture_cases.h"

namespace sandproof::conformance::fixture {
namespace {

using namespace std::chrono_literals;

void hangs_quietly(CaseContext&) {
  EXPECT_EQ(1, 1);
  std::cout << "last words\n";
  while (true) ::pause();
}

void hangs_in_verb(CaseContext& context) {
  EXPECT_EQ(1, 1);
  const auto process = context.session().exec({"hang", "login:"});
  std::string line;
  EXPECT_TRUE(process->out().next(line));
  process->wait();
}

void sticks_in_create(CaseContext& context) {
  EXPECT_EQ(1, 1);
  stick_in_create();
  context.sandbox().create_session();
}

void sticks_in_exec(CaseContext& context) {
  EXPECT_EQ(1, 1);
  context.session().exec({"stuck-in-exec"});
}

void sticks_in_read(CaseContext& context) {
  EXPECT_EQ(1, 1);
  const auto process = context.session().exec({"stuck-in-read"});
  std::array<std::byte, 16> buffer;
  process->read_some(Stream::kOut, buffer);
}

void sticks_in_close(CaseContext& context) {
  EXPECT_EQ(1, 1);
  context.session().exec({"stuck-in-close"});
  context.session().close();
}

void is_quiet_for_a_while(CaseContext& context) {
  EXPECT_EQ(1, 1);
  std::this_thread::sleep_for(context.scaled(20s));  // sleep: being quiet is the case.
}

void reads_a_null_pointer(CaseContext&) {
  EXPECT_EQ(1, 1);
  ::raise(SIGSEGV);
}

void aborts(CaseContext&) {
  EXPECT_EQ(1, 1);
  std::fputs("assertion `world is sane' failed\n", stderr);
  std::abort();
}

void exits_with_success(CaseContext&) {
  EXPECT_EQ(1, 1);
  ::_exit(0);
}

// Further than any stack goes; not known to the compiler.
volatile int bottom = 1 << 30;

__attribute__((noinline)) int deeper(int depth) {
  volatile char frame[4096] = {};
  frame[depth % 4096] = 1;
  if (depth == bottom) return 0;
  return deeper(depth + 1) + frame[0];
}

void overflows_the_stack(CaseContext&) {
  EXPECT_EQ(1, 1);
  EXPECT_EQ(deeper(0), 0);
}

void throws_on_a_thread(CaseContext&) {
  EXPECT_EQ(1, 1);
  std::thread([] { throw std::runtime_error("on a thread"); }).join();
}

void prints_without_end(CaseContext&) {
  EXPECT_EQ(1, 1);
  while (true) std::cout << "all work and no play makes a dull case\n";
}

void prints_a_lot(CaseContext&) {
  EXPECT_EQ(1, 1);
  const std::string line(1000, 'y');
  for (int i = 0; i < 100'000; ++i) std::cout << line << '\n';
}

void writes_to_the_harness(CaseContext&) {
  // Descriptors 3 to 5 are the harness's; a body may hit them by mistake.
  const std::string garbage =
      "garbage\n{\"event\":\"done\"}\n{\"event\":5}\n[]\n{\"event\":\"note\",\"text\":{}}\n" +
      std::string(3'000'000, 'x') + "\n";
  for (std::size_t at = 0; at < garbage.size();) {
    const ssize_t written = ::write(4, garbage.data() + at, garbage.size() - at);
    ASSERT_GT(written, 0);
    at += static_cast<std::size_t>(written);
  }
}

void closes_all_descriptors(CaseContext&) {
  EXPECT_EQ(1, 1);
  ::close_range(0, ~0U, 0);
}

void stops_itself(CaseContext&) {
  EXPECT_EQ(1, 1);
  ::raise(SIGSTOP);
}

}  // namespace

void add_hostile_cases(std::vector<Case>& cases) {
  const auto add = [&](std::string_view name, void (*body)(CaseContext&),
                       std::chrono::milliseconds limit = 20s) {
    cases.push_back({.name = name, .rules = {"RUN-001"}, .body = body, .limit = limit});
  };
  add("HangsQuietly", hangs_quietly, 1s);
  add("HangsInVerb", hangs_in_verb, 1s);
  add("SticksInCreate", sticks_in_create, 1s);
  add("SticksInExec", sticks_in_exec, 1s);
  add("SticksInRead", sticks_in_read, 1s);
  add("SticksInClose", sticks_in_close, 1s);
  add("HangsInVerbForLong", hangs_in_verb, 60s);
  add("IsQuietForAWhile", is_quiet_for_a_while, 60s);
  add("ReadsANullPointer", reads_a_null_pointer);
  add("Aborts", aborts);
  add("ExitsWithSuccess", exits_with_success);
  add("OverflowsTheStack", overflows_the_stack);
  add("ThrowsOnAThread", throws_on_a_thread);
  add("PrintsWithoutEnd", prints_without_end, 1s);
  add("PrintsALot", prints_a_lot);
  add("WritesToTheHarness", writes_to_the_harness);
  add("ClosesAllDescriptors", closes_all_descriptors);
  add("StopsItself", stops_itself, 1s);
}

}  // namespace sandproof::conformance::fixture
