// SPDX-License-Identifier: Apache-2.0
// The words of a replay line, as a real shell takes them.
#include "conformance/report/shell_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/markup.h"
#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

using conformance::clean_text;
using conformance::shell_line;
using conformance::shell_word;

TEST(ShellLine, AShellTakesTheWordsFromIt) {
  const std::vector<std::string> words = {
      "plain",        "",           "two words",  "it's",         "a\nb",
      "ends\n\n",     "\n",         "'\n'",       "\x1b[31mred",  "tab\there\r",
      "100%\\n$HOME", "`id` $(id)", "\"double\"", "\xc2\x9bless", "gr\xc3\xbc\xc3\x9f",
      "\xe2\x80\xae", "\xff\xfe",   "\x01\x02",   "x\x7f",        "-n"};
  const std::string line = shell_line(words);
  // No report has to change anything in it.
  EXPECT_EQ(clean_text(line), line);
  const BinaryResult result =
      run_shell("for word in " + line + "; do printf '%s|' \"$word\"; done");
  EXPECT_EQ(result.code, 0) << result.err;
  std::string wanted;
  for (const std::string& word : words) wanted += word + "|";
  EXPECT_EQ(result.out, wanted);
}

TEST(ShellLine, WhatNeedsNoQuotesHasNone) {
  EXPECT_EQ(shell_word("drain_grace=2"), "drain_grace=2");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace sandproof::apps
