// SPDX-License-Identifier: Apache-2.0
// Words of awk thrown together: each program is refused, or runs and can be ended; none takes the
// machine with it. The seed is fixed.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "fakes/machine/programs/programs.h"
#include "tests/machine/world.h"

namespace sandproof::machine {
namespace {

constexpr std::array<const char*, 84> kWords = {
    "BEGIN",   "END",     "function", "f",          "g",         "f(",     "g(",      "(",
    ")",       "{",       "}",        "[",          "]",         ";",      ";",       "\n",
    ",",       "$",       "$1",       "x",          "y",         "a[",     "a",       "NF",
    "NR",      "FS",      "1",        "0",          "2.5",       "\"s\"",  "\"%d\"",  "/r/",
    "/(b)*/",  "+",       "-",        "*",          "/",         "%",      "^",       "=",
    "+=",      "==",      "<",        ">",          "!",         "~",      "!~",      "&&",
    "||",      "?",       ":",        "++",         "--",        "in",     "if (x)",  "else",
    "while (", "for (",   "do",       "break",      "continue",  "next",   "exit",    "return",
    "delete",  "print",   "printf",   "getline",    "| getline", "length", "substr(", "split(",
    "gsub(",   "sub(",    "match(",   "sprintf(",   "index(",    "close(", "|",       ">>",
    "{ x = 1", "BEGIN {", "$(",       "(x, y) in a"};

std::string soup(std::mt19937& random) {
  std::string text = random() % 2 == 0 ? "BEGIN { " : "";
  for (unsigned count = 1 + random() % 12; count > 0; --count) {
    text += kWords[random() % kWords.size()];
    text += " ";
  }
  return random() % 2 == 0 ? text + "}" : text;
}

TEST(MachineAwk, SurvivesWordsThrownTogether) {
  constexpr int kSoups = 4000;
  std::mt19937 random(7);
  MachineOptions options;
  options.programs = programs::programs();
  World world(options);
  int ran = 0;
  for (int i = 0; i < kSoups; ++i) {
    const std::string program = soup(random);
    SCOPED_TRACE(program);
    Start awk;
    awk.argv = {"awk", program};
    awk.files = {open_text(""), nullptr, nullptr};
    const auto launched = world.machine.start(world.box, std::move(awk));
    ASSERT_TRUE(launched.ok());
    world.machine.run_until_idle(20);
    if (!(*launched)->status()) {
      EXPECT_TRUE(world.machine.kill(world.box, (*launched)->pid(), Signal::kKill).ok());
      world.machine.run_until_idle(20);
    }
    ASSERT_TRUE((*launched)->status().has_value());
    if ((*launched)->status() == WaitStatus::exited(0)) ++ran;
  }
  // Most are no programs; a test that refuses all tests nothing.
  EXPECT_GT(ran, kSoups / 100);
}

}  // namespace
}  // namespace sandproof::machine
