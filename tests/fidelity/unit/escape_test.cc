// SPDX-License-Identifier: Apache-2.0
// Any bytes survive being written into a rows file.
#include "tests/fidelity/escape.h"

#include <gtest/gtest.h>

#include <random>

namespace sandproof::fidelity {
namespace {

TEST(Escape, TextStandsForItself) { EXPECT_EQ(escape("a b\nc\n"), "a b\nc\n"); }

TEST(Escape, NothingIsNoLines) { EXPECT_EQ(escape(""), ""); }

TEST(Escape, WhatEditorsAndTheSyntaxWouldLose) {
  EXPECT_EQ(escape("a"), "a\\c\n");
  EXPECT_EQ(escape("\n\n"), "\\\n\\\n");
  EXPECT_EQ(escape("a \n"), "a\\x20\n");
  EXPECT_EQ(escape("=== x\n--- y\n## z\n#\n"), "\\x3d== x\n\\x2d-- y\n\\x23# z\n#\n");
  EXPECT_EQ(escape("\t\\\x01\xff\n"), "\\t\\\\\\x01\\xff\n");
}

TEST(Escape, AnyBytesComeBack) {
  std::mt19937 random(7);  // Seeded: a failure can be repeated.
  // Bytes that mean something come up often.
  const std::string alphabet("\n\n\\\\ac\t =-#\0\xff", 13);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (auto left = random() % 12; left > 0; --left) bytes += alphabet[random() % alphabet.size()];
    ASSERT_EQ(unescape(escape(bytes)), bytes) << escape(bytes);
  }
}

TEST(Escape, UnknownEscapesAreRefused) {
  for (const char* line : {"a\\n", "\\x1", "\\xzz", "\\x1g", "\\c a", "a\\"}) {
    EXPECT_THROW(unescape(line), std::runtime_error) << line;
  }
}

}  // namespace
}  // namespace sandproof::fidelity
