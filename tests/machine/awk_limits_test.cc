// SPDX-License-Identifier: Apache-2.0
// A program of awk takes no more than its share: of time, of memory, of the stack.
#include <gtest/gtest.h>

#include "fakes/machine/programs/programs.h"
#include "sandproof/sanitized.h"
#include "tests/machine/awk_rows.h"
#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string refusal_of(const std::string& program) {
  const ProgramEnd end = run_on_machine(awk_row(program));
  EXPECT_EQ(end.status, "1");
  return end.err;
}

TEST(MachineAwk, LetsOthersRunDuringItsLoops) {
  for (const char* program :
       {"BEGIN { while (1) x++ }", "BEGIN { for (;;) ; }", "BEGIN { do ; while (1) }",
        "function f(n) { while (n < 9) f(n + 1) } BEGIN { f(0) }", "BEGIN { while (1) print 1 }"}) {
    SCOPED_TRACE(program);
    MachineOptions options;
    options.programs = programs::programs();
    World world(options);
    Start awk;
    awk.argv = {"awk", program};
    awk.files = {nullptr, nullptr, nullptr};
    const auto launched = world.machine.start(world.box, std::move(awk));
    ASSERT_TRUE(launched.ok());
    const auto other = world.start([](Process& self) -> Task<int> {
      for (int i = 0; i < 100; ++i) co_await self.yield_point();
      co_return 0;
    });
    world.machine.run_until_idle(1000);
    EXPECT_EQ(other->status(), WaitStatus::exited(0));
    EXPECT_EQ((*launched)->status(), std::nullopt);
    EXPECT_TRUE(world.machine.kill(world.box, (*launched)->pid(), Signal::kKill).ok());
    world.machine.run_until_idle(1000);
    EXPECT_TRUE((*launched)->status().has_value());
  }
}

TEST(MachineAwk, BoundsRecursionOfFunctions) {
  EXPECT_EQ(refusal_of("function f(n) { return f(n + 1) } BEGIN { f(0) }"),
            "awk: cmd. line:1: Function f is called more than 10000 deep; end its recursion\n");
}

TEST(MachineAwk, BoundsItsMemory) {
  const std::string held =
      "awk: cmd. line:1: The program holds more than 256 MiB; let it keep less\n";
  EXPECT_EQ(refusal_of("BEGIN { x = \"x\"; while (1) x = x x }"),
            "awk: cmd. line:1: A string is longer than awk may make one\n");
  const std::string megabyte = "x = sprintf(\"%1000000s\", \"\"); ";
  EXPECT_EQ(refusal_of("BEGIN { " + megabyte + "while (1) a[i++] = x }"), held);
  EXPECT_EQ(refusal_of("BEGIN { " + megabyte + "while (1) $(++i) = x }"), held);
  EXPECT_EQ(refusal_of("function f(a) { return a f(a) } BEGIN { " + megabyte + "f(x) }"), held);
  EXPECT_EQ(refusal_of("BEGIN { $9999999 = 1 }"),
            "awk: cmd. line:1: A record of more than 2097152 fields is not supported\n");
  EXPECT_EQ(refusal_of("BEGIN { " + megabyte + "x = x x x; split(x, a, \"\") }"),
            "awk: cmd. line:1: A text of more than 2097152 fields is not supported\n");
  // AddressSanitizer reads the whole text anew for each of the million matches.
  if (!kSanitized) {
    EXPECT_EQ(
        refusal_of("BEGIN { " + megabyte + "y = x; gsub(/ /, \"\\\\&\", y); sub(/.*/, y, x) }"),
        "awk: cmd. line:1: A string is longer than awk may make one\n");
  }
  EXPECT_EQ(refusal_of("BEGIN { printf \"%9999999d\", 1 }"),
            "awk: cmd. line:1: A width of printf beyond 1048576 is not supported\n");
}

// What is let go counts no more.
TEST(MachineAwk, ReusesItsMemory) {
  const ProgramEnd end = run_on_machine(awk_row(
      "function f(a,  b) { b = a; for (k in y) return b; return b }\n"
      "BEGIN { y[1]; x = sprintf(\"%1000000s\", \"\"); for (i = 0; i < 300; i++) { a[i % 3] = f(x);"
      " $(i % 3) = x; delete a; $0 = x; z = x \"\"; split(x, q, \",\") } print \"done\" }"));
  EXPECT_EQ(end.out, "done\n");
  EXPECT_EQ(end.status, "0");
}

TEST(MachineAwk, BoundsNesting) {
  const std::string nested =
      "awk: cmd. line:1: The program is nested more than 400 deep; take it apart\n";
  EXPECT_EQ(refusal_of("BEGIN { x = " + repeated("(", 2000) + "1"), nested);
  EXPECT_EQ(refusal_of("BEGIN " + repeated("{", 2000)), nested);
  EXPECT_EQ(refusal_of("BEGIN { x = " + repeated("- ", 2000) + "1 }"), nested);
  EXPECT_EQ(refusal_of("BEGIN { x = " + repeated("$", 2000) + "1 }"), nested);
  EXPECT_EQ(refusal_of("BEGIN { " + repeated("if (1) ", 2000) + "x }"), nested);
  EXPECT_EQ(
      refusal_of("BEGIN { x = 1" + repeated(" + 1", 20000) + " }"),
      "awk: cmd. line:1: An expression has more than 4000 operators in a row; take it apart\n");
}

}  // namespace
}  // namespace sandproof::machine
