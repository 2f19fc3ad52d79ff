// SPDX-License-Identifier: Apache-2.0
// The syntax of rows files: what is read, what is written back, what is refused and where.
#include "tests/fidelity/rows_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sandproof::fidelity {
namespace {

using testing::HasSubstr;

Topic parse_shell(std::string_view text) { return parse_topic(text, "shell/x", "x.rows"); }

// The message of what parsing and checking refuse, or "".
std::string refusal(std::string_view text) {
  try {
    check_marks({parse_shell(text)});
  } catch (const BadRows& error) {
    return error.what();
  }
  return "";
}

TEST(RowsFile, ARowOfEverything) {
  const Topic topic = parse_shell(
      "# About.\n\n## Clause\n\n=== a name\n% differs busybox: why\necho 'a\n\nb'\n"
      "--- stdin\nin\\c\n--- stdout\na\n\\\nb\n--- stderr ~\nx.*\n--- status 2\n"
      "--- stdout busybox\nother\n\n");
  ASSERT_EQ(topic.rows.size(), 1u);
  const Row& row = topic.rows[0];
  EXPECT_EQ(row.id(), "shell/x/a name");
  EXPECT_EQ(row.heading, "Clause");
  EXPECT_EQ(row.script, "echo 'a\n\nb'");
  EXPECT_EQ(row.input, "in");
  EXPECT_EQ(row.reason, "why");
  EXPECT_EQ(row.expected("dash").out, "a\n\nb\n");
  EXPECT_EQ(row.expected("busybox").out, "other\n");
  EXPECT_EQ(row.expected("busybox").status, "2");
  EXPECT_EQ(row.expected("dash").err_rule, StderrRule::kPattern);
}

TEST(RowsFile, WhatIsWrittenIsReadAsTheSame) {
  const std::string text =
      "# About.\n\n## Clause\n\n=== a\n% only dash: why\ncat <<E\n  x\nE\n--- stdin\n\\x00\\c\n"
      "--- stdout\n\\x3d== a\n--- stderr some\n--- status signal 9\n\n=== b\n"
      "% differs busybox: why\necho\n--- stderr busybox\nm\n--- status busybox 1\n";
  EXPECT_EQ(format_topic(parse_shell(text)), text);
}

TEST(RowsFile, RefusalsNameFileAndLine) {
  EXPECT_THAT(refusal("=== a\necho\n--- stdot\nx\n"), HasSubstr("x.rows:4: '--- stdot'"));
  EXPECT_THAT(refusal("=== a\necho\n--- stdout\n\\q\n"), HasSubstr("escape"));
  EXPECT_THAT(refusal("=== a\n"), HasSubstr("no script"));
  EXPECT_THAT(refusal("=== a\n% only machine: x\necho\n"), HasSubstr("'machine' is no engine"));
  EXPECT_THAT(refusal("=== a\n% only dash:\necho\n"), HasSubstr("reason"));
  EXPECT_THAT(refusal("=== a\necho\n\n=== b\n\necho\nword\n## x\nstray\n"), HasSubstr("outside"));
}

TEST(RowsFile, MarksThatCannotBeTrueAreRefused) {
  EXPECT_THAT(refusal("=== a\n% differs busybox: why\necho\n"), HasSubstr("stale"));
  EXPECT_THAT(refusal("=== a\n% differs busybox: ?\necho\n--- status busybox 1\n"),
              HasSubstr("without a reason"));
  EXPECT_THAT(refusal("=== a\necho\n--- status busybox 1\n"), HasSubstr("no mark"));
  EXPECT_THAT(refusal("=== a\necho\n--- stderr busybox\n"), HasSubstr("says the same"));
  EXPECT_EQ(refusal("=== a\necho\n--- stderr busybox\nx\n"), "");
}

}  // namespace
}  // namespace sandproof::fidelity
