// SPDX-License-Identifier: Apache-2.0
// `sandproof doctor` as a person meets it: on a machine that has all, and on one that lacks
// something.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Doctor, FindsWhatTheFlavorsNeedHere) {
  const BinaryResult result = run_binary({"doctor"});
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_THAT(result.out,
              AllOf(StartsWith("this machine\n  ok    temporary files can be made: /"),
                    HasSubstr("\n  ok    /proc is mounted\n"), HasSubstr("\nlocal\n"),
                    Not(HasSubstr("\ndetached\n")),
                    HasSubstr("  ok    a session starts and has the"), Not(HasSubstr("FAIL"))));
}

TEST(Doctor, ATestOnlyFlavorIsLookedAtWhereItIsNamed) {
  const BinaryResult result = run_binary({"doctor", "--flavor", "detached"});
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_THAT(result.out, AllOf(HasSubstr("this machine\n"), HasSubstr("\ndetached\n"),
                                Not(HasSubstr("\nlocal\n")), Not(HasSubstr("FAIL"))));
}

TEST(Doctor, AsJsonItIsForPrograms) {
  const BinaryResult result = run_binary({"doctor", "--flavor", "local", "--format", "json"});
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["ready"], true);
  EXPECT_EQ(json["groups"][0]["of"], "this machine");
  EXPECT_EQ(json["groups"][1]["of"], "local");
  EXPECT_GE(json["groups"][1]["preconditions"].size(), 5U);
}

TEST(Doctor, TooFewDescriptorsAreThree) {
  const BinaryResult result = run_shell("ulimit -n 64; exec sandproof doctor --flavor local");
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, AllOf(HasSubstr("  FAIL  enough descriptors may be open: only 64"),
                                ContainsRegex("\n        fix: raise it: `ulimit -n [0-9]+`")));
}

TEST(Doctor, FewDescriptorsAreAWarning) {
  const BinaryResult result = run_shell("ulimit -n 1024; exec sandproof doctor --flavor local");
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("  warn  enough descriptors may be open: only 1024"));
}

TEST(Doctor, ADirectoryForTemporaryFilesThatIsNotThereIsThree) {
  const BinaryResult result =
      run_shell("TMPDIR=/nonexistent; export TMPDIR; exec sandproof doctor --flavor local");
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("  FAIL  temporary files can be made: /nonexistent: No such file"),
                    HasSubstr("        fix: set TMPDIR to a directory that can be written\n"),
                    HasSubstr("  ok    /proc is mounted")));
}

TEST(Doctor, ASettingThatDoesNotSuitTheMachineIsThree) {
  const BinaryResult result =
      run_binary({"doctor", "--flavor", "local", "--set", "base_dir=/nonexistent"});
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(
      result.out,
      AllOf(HasSubstr("  FAIL  sessions have a directory (base_dir): /nonexistent: No"),
            HasSubstr("fix: set base_dir to a directory"), HasSubstr("  FAIL  a session starts")));
}

TEST(Doctor, WithoutAShellNoCommandCanStart) {
  const BinaryResult result = run_shell(
      "program=$(command -v sandproof); PATH=/nonexistent; exec $program doctor --flavor "
      "local");
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, AllOf(HasSubstr("  FAIL  commands can be started: sh: No such file"),
                                HasSubstr("fix: install a POSIX shell")));
}

TEST(Doctor, LeavesNothingBehind) {
  const TemporaryDirectory directory;
  const BinaryResult result =
      run_shell("TMPDIR='" + directory.path().string() + "'; export TMPDIR; exec sandproof doctor");
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_EQ(directory.entries(), 0U);
}

}  // namespace
}  // namespace sandproof::apps
