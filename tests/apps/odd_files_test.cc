// SPDX-License-Identifier: Apache-2.0
// What is named as a file and is a pipe or a device: it works where it can, and what would wait for
// ever is refused by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class OddFiles : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }
  /// In the directory, in which `pipe` is one that nobody has opened. What waits for ever is ended
  /// by run_shell()'s own limit, and has the code -1 then.
  BinaryResult run_here(const std::string& script) const {
    return run_shell("cd '" + directory_.path().string() + "' && mkfifo pipe gate || exit 99\n" +
                     script);
  }

  TemporaryDirectory directory_;
};

const char* const kRun = "sandproof run --flavor local --case KillIsIdempotent ";

TEST_F(OddFiles, APipeThatNobodyHasOpenedIsRefusedByName) {
  const char* const options[] = {"--event-log pipe", "--report json:pipe", "--config pipe",
                                 "--stack pipe", "--known-failures pipe"};
  for (const char* option : options) {
    SCOPED_TRACE(option);
    const BinaryResult result =
        run_here(kRun + std::string(option) + "; code=$?; rm pipe gate; exit $code");
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err,
                AllOf(StartsWith("sandproof: "), HasSubstr(" pipe"), HasSubstr("pipe ")));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  for (const char* command : {"report convert pipe", "report merge pipe", "verify pipe",
                              "diff pipe pipe", "explain KILL-001 --report pipe"}) {
    SCOPED_TRACE(command);
    const BinaryResult result =
        run_here("sandproof " + std::string(command) + "; code=$?; rm pipe gate; exit $code");
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("it is a pipe that nobody writes into"));
  }
}

TEST_F(OddFiles, WhatAnotherProgramWritesIsRead) {
  // The second half comes when the first was read, or not long before.
  const BinaryResult slow =
      run_here("(echo '{\"close_grace\":'; cat gate >/dev/null; echo '1}') | " + std::string(kRun) +
               "--config /dev/stdin &\necho > gate; wait $!");
  EXPECT_EQ(slow.code, 0) << slow.err;
}

TEST_F(OddFiles, WhatAnotherProgramReadsIsWritten) {
  const BinaryResult result = run_here("cat pipe > copy & exec 3>pipe; " + std::string(kRun) +
                                       "--report json:pipe >/dev/null; code=$?; exec 3>&-; wait; "
                                       "sandproof verify copy && exit $code");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("copy holds: 1 case"));
}

TEST_F(OddFiles, AReportThatCannotBeWrittenLeavesWhatIsPrinted) {
  const BinaryResult result = run_here(kRun + std::string("--report json:/dev/full"));
  EXPECT_EQ(result.code, 5);
  EXPECT_THAT(result.out, HasSubstr("local: conformant as declared."));
  EXPECT_THAT(result.err, HasSubstr("the report /dev/full cannot be written: No space left"));
}

TEST_F(OddFiles, AListThatIsAPipeIsNotRewritten) {
  const BinaryResult result = run_shell(
      "echo '[]' | sandproof run --flavor local --known-failures "
      "/dev/stdin --update-known-failures");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("/dev/stdin"), HasSubstr("cannot be rewritten")));
}

}  // namespace
}  // namespace sandproof::apps
