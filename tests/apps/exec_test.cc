// SPDX-License-Identifier: Apache-2.0
// `sandproof exec`: exact bytes, the command's status, its own failures, signals, and a session
// that is gone afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <string>

#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// A zombie is dead: who adopts it may take its time to reap it.
bool is_alive(int pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("State:")) return line.find('Z') == std::string::npos;
  }
  return false;
}

/// Sessions are made in a directory of the test, so that what stays behind is seen.
class ExecTest : public ::testing::Test {
 protected:
  std::vector<std::string> line(std::vector<std::string> options,
                                std::vector<std::string> command) const {
    std::vector<std::string> words = {"exec", "--flavor", "local", "--set",
                                      "base_dir=" + directory_.path().string()};
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--");
    words.insert(words.end(), command.begin(), command.end());
    return words;
  }
  BinaryResult exec(std::vector<std::string> command, std::vector<std::string> options = {},
                    const std::string& input = "") const {
    return run_binary(line(std::move(options), std::move(command)), input);
  }
  void TearDown() override { EXPECT_EQ(directory_.entries(), 0U) << "a session stayed behind"; }

  TemporaryDirectory directory_;
};

TEST_F(ExecTest, PassesStreamsAndStatusOn) {
  const BinaryResult result = exec({"sh", "-c", "echo out; echo err >&2; exit 42"});
  EXPECT_EQ(result.code, 42);
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
}

TEST_F(ExecTest, PassesBytesOnExactly) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (int i = 0; i < 14; ++i) bytes += bytes;  // 4 MiB
  const BinaryResult result = exec({"cat"}, {}, bytes);
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(result.out == bytes) << result.out.size() << " bytes came back";
  EXPECT_THAT(result.err, IsEmpty());
}

TEST_F(ExecTest, PassesArgumentsOnExactly) {
  const BinaryResult result =
      exec({"printf", "%s|", "", "[a,b]", "--flavor", "--", "-j", "a b", "$HOME", "{x}", "%s"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "|[a,b]|--flavor|--|-j|a b|$HOME|{x}|%s|");
}

TEST_F(ExecTest, TakesACommandWithoutDashes) {
  const BinaryResult result =
      run_binary({"exec", "--flavor", "local", "--set", "base_dir=" + directory_.path().string(),
                  "echo", "plain", "words"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "plain words\n");
}

TEST_F(ExecTest, ShowsAPartialLineAtOnce) {
  RunningBinary binary(line({}, {"sh", "-c", "printf prompt; read answer; echo \"$answer\""}));
  EXPECT_TRUE(binary.wait_for_output("prompt"));
  binary.write_input("yes\n");
  const BinaryResult result = binary.finish();
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "promptyes\n");
}

TEST_F(ExecTest, EndsThoughItsInputStaysOpen) {
  RunningBinary binary(line({}, {"sh", "-c", "echo done"}));
  const BinaryResult result = binary.finish();
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "done\n");
}

TEST_F(ExecTest, EndsThoughItsInputIsNotRead) {
  EXPECT_EQ(exec({"true"}, {}, std::string(4 << 20, 'x')).code, 0);
}

TEST_F(ExecTest, TakesDirectoryAndVariables) {
  const BinaryResult result = exec({"sh", "-c", "pwd; printf %s \"$A|$B\""},
                                   {"--cwd", "/", "--env", "A=a b=c", "--env", "B="});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "/\na b=c|");
}

TEST_F(ExecTest, ADeathBySignalIsACode) {
  EXPECT_EQ(exec({"sh", "-c", "kill -TERM $$"}).code, 143);
}

struct OwnFailure {
  const char* name;
  std::vector<std::string> options;
  std::vector<std::string> command;
  int code;
  const char* says;
};

class ExecFailure : public ExecTest, public ::testing::WithParamInterface<OwnFailure> {};

TEST_P(ExecFailure, IsOneLineAndItsCode) {
  const BinaryResult result = exec(GetParam().command, GetParam().options);
  EXPECT_EQ(result.code, GetParam().code);
  EXPECT_THAT(result.err,
              AllOf(StartsWith("sandproof: "), EndsWith("\n"), HasSubstr(GetParam().says)));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_THAT(result.out, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Exec, ExecFailure,
    ::testing::Values(OwnFailure{"timeout", {"--timeout", "0.2"}, {"sleep", "60"}, 124, "200 ms"},
                      OwnFailure{"not_executable", {}, {"/etc/passwd"}, 126, "/etc/passwd"},
                      OwnFailure{"a_directory", {}, {"/"}, 126, "/"},
                      OwnFailure{
                          "bad_cwd", {"--cwd", "/nonexistent"}, {"true"}, 126, "/nonexistent"},
                      OwnFailure{"not_found", {}, {"no-such-program"}, 127, "no-such-program"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Exec, AFlavorThatMakesNoSessionIsABackendFailure) {
  const BinaryResult result = run_binary(
      {"exec", "--flavor", "local", "--set", "base_dir=/nonexistent/base", "--", "true"});
  EXPECT_EQ(result.code, 125);
  EXPECT_THAT(result.err, AllOf(StartsWith("sandproof: "), HasSubstr("/nonexistent/base")));
}

TEST_F(ExecTest, OutputThatCannotBeWrittenIsABackendFailure) {
  const std::string exec =
      "exec sandproof exec --flavor local --set base_dir=" + directory_.path().string() + " -- ";
  const BinaryResult out = run_shell(exec + "echo hi >/dev/full");
  EXPECT_EQ(out.code, 125);
  EXPECT_THAT(out.err, AllOf(StartsWith("sandproof: "), HasSubstr("cannot be written"),
                             HasSubstr("No space left on device")));
  EXPECT_EQ(std::count(out.err.begin(), out.err.end(), '\n'), 1) << out.err;
  // There is nowhere to say it.
  EXPECT_EQ(run_shell(exec + "sh -c 'echo hi >&2' 2>/dev/full").code, 125);
  // A command that goes on writing is ended.
  EXPECT_EQ(run_shell(exec + "yes >/dev/full").code, 125);
  EXPECT_EQ(run_shell(exec + "true >/dev/full").code, 0);
}

TEST_F(ExecTest, ASignalKillsTheCommandAndRemovesTheSession) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    RunningBinary binary(line({}, {"sh", "-c", "trap '' INT TERM HUP; echo ready; sleep 60"}));
    ASSERT_TRUE(binary.wait_for_output("ready"));
    binary.signal(number);
    EXPECT_EQ(binary.finish().code, 128 + number);
    EXPECT_EQ(directory_.entries(), 0U);
  }
}

TEST_F(ExecTest, ASignalIsAnsweredThoughNobodyReadsTheOutput) {
  RunningBinary binary(line({}, {"sh", "-c", "echo ready; exec yes"}));
  ASSERT_TRUE(binary.wait_for_output("ready"));
  binary.signal(SIGTERM);
  EXPECT_EQ(binary.finish().code, 128 + SIGTERM);
}

TEST_F(ExecTest, AReaderThatGoesAwayEndsItPolitely) {
  RunningBinary binary(line({}, {"yes"}));
  ASSERT_TRUE(binary.wait_for_output("y\n"));
  binary.close_output();
  const BinaryResult result = binary.finish();
  EXPECT_EQ(result.code, 128 + SIGPIPE);
  EXPECT_THAT(result.err, IsEmpty());
}

TEST_F(ExecTest, WhatTheCommandLeftRunningIsEnded) {
  const BinaryResult result = exec({"sh", "-c", "sleep 987 >/dev/null 2>&1 & echo $!"});
  EXPECT_EQ(result.code, 0);
  EXPECT_FALSE(is_alive(std::stoi(result.out)));
}

TEST(Exec, InputThatAFlavorDoesNotTakeIsTold) {
  const std::string exec = "sandproof exec --flavor bare -- ";
  const auto told = [](const BinaryResult& result) {
    EXPECT_EQ(result.code, 0) << result.err;
    return result.err;
  };
  const auto is_warning =
      AllOf(StartsWith("sandproof: the input is not passed on to the command: "),
            HasSubstr("`bare` does not claim stdin"));
  const TemporaryDirectory files;
  const std::string file = files.file("input", "x\n");
  EXPECT_THAT(told(run_shell(exec + "cat <" + file)), is_warning);
  // Before the command, or when it ended: once.
  const std::string piped = told(run_shell("echo x | " + exec + "sleep 0.2"));
  EXPECT_THAT(piped, is_warning);
  EXPECT_EQ(std::count(piped.begin(), piped.end(), '\n'), 1);
  for (const char* nothing : {"</dev/null", "</dev/zero", "<&-"}) {
    EXPECT_THAT(told(run_shell(exec + "true " + nothing)), IsEmpty()) << nothing;
  }
  EXPECT_THAT(told(run_shell(": | " + exec + "true")), IsEmpty());
  EXPECT_THAT(told(run_shell("sandproof exec --flavor local -- true <" + file)), IsEmpty());
}

TEST_F(ExecTest, AStackNamesTheSandbox) {
  const TemporaryDirectory files;
  const std::string stack = files.file(
      "stack.json", R"({"sandboxes": [{"name": "a", "flavor": "local", "config": {"environment":
                        {"WHO": "first"}}}, {"name": "b", "flavor": "local", "config":
                        {"environment": {"WHO": "second"}}}]})");
  const auto who = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"exec", "--stack", stack};
    words.insert(words.end(), more.begin(), more.end());
    for (const char* word : {"--", "sh", "-c", "echo $WHO"}) words.emplace_back(word);
    return run_binary(words).out;
  };
  EXPECT_EQ(who({}), "first\n");
  EXPECT_EQ(who({"--sandbox", "b"}), "second\n");
}

}  // namespace
}  // namespace sandproof::apps
