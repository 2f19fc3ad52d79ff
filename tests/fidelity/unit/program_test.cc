// SPDX-License-Identifier: Apache-2.0
// The program as people call it: what it finds in tables that are wrong on purpose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fidelity/launch.h"

namespace sandproof::fidelity {
namespace {

using testing::HasSubstr;

// A table of one file, and runs of the program over it.
class FidelityProgram : public testing::Test {
 public:
  ~FidelityProgram() override { std::filesystem::remove_all(folder_); }

 protected:
  FidelityProgram() {
    std::string name = (std::filesystem::temp_directory_path() / "fidelity-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no directory " << name;
    folder_ = name;
    std::filesystem::create_directory(folder_ / "shell");
  }

  void write(const std::string& text) { std::ofstream(folder_ / "shell" / "t.rows") << text; }

  std::string contents() const {
    std::ifstream file(folder_ / "shell" / "t.rows");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  Result run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"fidelity", "--rows", folder_.string()});
    return launch({.file = FIDELITY_BIN, .argv = arguments, .directory = folder_});
  }

  std::filesystem::path folder_;
};

TEST(Launch, EndsWhatDoesNot) {
  for (const char* script : {"sleep 1000", "sleep 1000 & exit 0", "exec >&- 2>&-; sleep 1000"}) {
    const Result result = launch({.file = "/bin/sh",
                                  .argv = {"sh", "-c", script},
                                  .directory = "/",
                                  .environment = {"PATH=/usr/bin:/bin"},
                                  .limit = std::chrono::milliseconds(200)});
    EXPECT_EQ(result.status, "time limit") << script;
  }
}

TEST(Launch, GivesBytesAndStatus) {
  const Result result = launch({.file = "/bin/sh",
                                .argv = {"sh", "-c", "cat; echo e >&2; kill -9 $$"},
                                .directory = "/",
                                .environment = {"PATH=/usr/bin:/bin"},
                                .input = std::string("a\0b", 3)});
  EXPECT_EQ(result, (Result{std::string("a\0b", 3), "e\n", "signal 9"}));
}

TEST_F(FidelityProgram, PassesWhatIsTrue) {
  write("=== a\necho hi; exit 3\n--- stdout\nhi\n--- status 3\n");
  const Result result = run({});
  EXPECT_EQ(result.status, "0") << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("busybox       1        1       0"));
}

TEST_F(FidelityProgram, FailsEachPartThatIsWrong) {
  for (const char* expectation :
       {"--- stdout\nho\n--- stderr\ne\n", "--- stdout\nhi\n",
        "--- stdout\nhi\n--- stderr\ne\n--- status 1\n", "--- stdout\nhi\n--- stderr ~\nf\n"}) {
    write(std::string("=== a\necho hi; echo e >&2\n") + expectation);
    const Result result = run({});
    EXPECT_EQ(result.status, "1") << expectation;
    EXPECT_THAT(result.out, HasSubstr("FAILED  shell/t/a on dash"));
    EXPECT_THAT(result.out, HasSubstr("FAILED  shell/t/a on busybox"));
  }
}

TEST_F(FidelityProgram, AStaleOnlyFails) {
  write("=== a\n% only dash: why\necho hi\n--- stdout\nhi\n");
  const Result result = run({});
  EXPECT_EQ(result.status, "1");
  EXPECT_THAT(result.out, HasSubstr("the mark 'only dash' is stale"));
}

TEST_F(FidelityProgram, RecordsWhatBothGive) {
  write("=== a\nnosuch; local x=1\n\n=== b\necho 'a\\tb'\n");
  EXPECT_EQ(run({"--record"}).status, "1");
  EXPECT_THAT(contents(), HasSubstr("--- stderr\nsh: 1: nosuch: not found\n"));
  EXPECT_THAT(contents(), HasSubstr("% differs busybox: ?\necho 'a\\tb'\n--- stdout\na\\tb\n"
                                    "--- stdout busybox\na\\\\tb\n"));
  const Result unexplained = run({});
  EXPECT_EQ(unexplained.status, "2");
  EXPECT_THAT(unexplained.err, HasSubstr("without a reason"));
}

TEST_F(FidelityProgram, DoesNotRecordWhatChanges) {
  write("=== a\necho $$\n");
  const Result result = run({"--record"});
  EXPECT_EQ(result.status, "1");
  EXPECT_THAT(result.out, HasSubstr("shell/t/a on dash is not the same twice"));
}

TEST_F(FidelityProgram, RefusesDuplicates) {
  write("=== a\necho 1\n\n=== a\necho 2\n");
  EXPECT_THAT(run({}).err, HasSubstr("has the name of"));
  write("=== a\necho 1\n\n=== b\necho 1\n");
  const Result result = run({});
  EXPECT_EQ(result.status, "2");
  EXPECT_THAT(result.err, HasSubstr("repeats the script of"));
}

TEST_F(FidelityProgram, RefusesAnEngineThatIsNone) {
  write("=== a\necho 1\n");
  const Result result = run({"--engine", "zsh"});
  EXPECT_EQ(result.status, "2");
  EXPECT_THAT(result.err, HasSubstr("no engine is named 'zsh'"));
}

TEST_F(FidelityProgram, TheMachineDoesAsDash) {
  write(
      "=== a\n% differs busybox: escapes\necho 'a\\tb'\n--- stdout\na\\tb\n"
      "--- stdout busybox\na\\\\tb\n");
  const Result result = run({"--engine", "machine"});
  EXPECT_EQ(result.status, "0") << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("machine       1        1       0"));
}

TEST_F(FidelityProgram, TheMachineMayDifferWithAReason) {
  const std::string row =
      "set -o pipefail; false | true; echo $?\n--- status 2\n--- stderr some\n"
      "--- stdout machine\n1\n--- stderr machine\n--- status machine 0\n";
  write("=== a\n" + row);
  EXPECT_THAT(run({"--engine", "machine"}).err, HasSubstr("no mark '% differs machine: reason'"));
  write("=== a\n% differs machine: pipefail\n" + row);
  const Result result = run({"--engine", "machine"});
  EXPECT_EQ(result.status, "0") << result.out << result.err;
  EXPECT_EQ(run({"--record"}).status, "1");
  EXPECT_THAT(contents(), HasSubstr("--- stdout machine\n1\n")) << "recording forgot the machine";
  write("=== a\n% differs machine: pipefail\necho 1\n--- stdout\n1\n");
  EXPECT_THAT(run({"--engine", "machine"}).err, HasSubstr("the mark is stale"));
}

TEST_F(FidelityProgram, SaysWhenNothingIsSelected) {
  write("=== a\necho 1\n");
  EXPECT_EQ(run({"--filter", "nosuch"}).status, "4");
}

TEST_F(FidelityProgram, RowsAreAlone) {
  write(
      "=== a\nls -A; echo ${HOME}; umask; ls /proc/self/fd | wc -l; : > left; env | wc -l\n"
      "--- stdout\n/home/user\n0022\n4\n5\n--- stdout busybox\n/home/user\n0022\n4\n6\n");
  // PWD, and SHLVL of ash, are the shells' own.
  std::string text = contents();
  text.replace(text.find("=== a\n"), 6, "=== a\n% differs busybox: SHLVL\n");
  write(text);
  const Result result = run({});
  EXPECT_EQ(result.status, "0") << result.out << result.err;
}

}  // namespace
}  // namespace sandproof::fidelity
