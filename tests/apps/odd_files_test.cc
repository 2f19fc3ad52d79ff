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

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

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

TEST_F(OddFiles, AReportThatCannotBeWrittenLosesNoneOfTheOthers) {
  const std::string log = "--event-log run.jsonl ";
  const std::string outputs = "--report json:/dev/full --report junit:ok.xml --report md:/dev/full";
  for (const std::string& command :
       {kRun + log + outputs, "sandproof report convert run.jsonl " + outputs,
        "sandproof report merge run.jsonl " + outputs}) {
    SCOPED_TRACE(command);
    const BinaryResult result =
        run_shell("cd '" + directory_.path().string() + "'; rm -f ok.xml; " + command +
                  "; code=$?; grep -q '</testsuites>' ok.xml || exit 98; exit $code");
    EXPECT_EQ(result.code, 5) << result.err;
    EXPECT_EQ(count_of(result.err, "the report /dev/full cannot be written: No space left"), 2U)
        << result.err;
  }
}

TEST_F(OddFiles, AReportWhoseReaderWentAwayLeavesNoLogBehind) {
  // The reader has gone after the first byte; a page is more than what a pipe holds.
  const BinaryResult result =
      run_here("mkdir temporary; (TMPDIR=$PWD/temporary " + std::string(kRun) +
               "--report html:/dev/stdout; echo $? >code) | head -c 1 >/dev/null; ls temporary; "
               "exit $(cat code)");
  EXPECT_EQ(result.code, 5);
  EXPECT_THAT(result.err, HasSubstr("the report /dev/stdout cannot be written: Broken pipe"));
  EXPECT_THAT(result.out, IsEmpty());
}

TEST_F(OddFiles, ALimitOfTheSizeOfFilesIsToldAndLeavesNothingBehind) {
  // In units of 512 bytes: enough for what the preparations write, not for the log of the suite.
  const BinaryResult result =
      run_here("mkdir temporary; (ulimit -f 40; TMPDIR=$PWD/temporary " + std::string(kRun) +
               "--report json:report.json) >/dev/null; code=$?; ls -A temporary; "
               "ls -A | grep report; exit $code");
  EXPECT_EQ(result.code, 5);
  EXPECT_THAT(result.err, AllOf(StartsWith("sandproof: "), HasSubstr("File too large")));
  EXPECT_THAT(result.out, IsEmpty());
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
