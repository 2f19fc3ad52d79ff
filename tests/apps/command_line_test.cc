// SPDX-License-Identifier: Apache-2.0
// Bad input: one sentence that names the thing and says what would be right, the right exit code,
// and nothing half-written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/apps/run_binary.h"

namespace sandproof::apps {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

struct BadInput {
  const char* name;
  std::vector<std::string> arguments;
  int code;
  /// In the sentence.
  std::vector<std::string> says;
};

class EveryBadInput : public ::testing::TestWithParam<BadInput> {};

TEST_P(EveryBadInput, IsOneSentenceAndTheRightCode) {
  const BinaryResult result = run_binary(GetParam().arguments);
  EXPECT_EQ(result.code, GetParam().code);
  EXPECT_THAT(result.err, AllOf(StartsWith("sandproof: "), EndsWith("\n")));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_THAT(result.out, IsEmpty());
  for (const std::string& text : GetParam().says) EXPECT_THAT(result.err, HasSubstr(text));
}

const BadInput kBadInputs[] = {
    {"no_subcommand", {}, 2, {"a subcommand is needed", "run", "sandproof --help"}},
    {"unknown_subcommand", {"runn"}, 2, {"`runn`", "did you mean `run`"}},
    {"unknown_option", {"run", "--flavour", "local"}, 2, {"`--flavour`", "`--flavor`"}},
    {"option_without_value", {"run", "--flavor"}, 2, {"--flavor"}},
    {"word_too_many", {"run", "local"}, 2, {"`local`"}},
    {"unknown_flavor", {"run", "--flavor", "locl"}, 2, {"`locl`", "`local`"}},
    {"flavor_twice", {"run", "--flavor", "local", "--flavor", "local"}, 2, {"twice"}},
    {"unknown_rule", {"run", "--rule", "KILL-099"}, 2, {"`KILL-099`", "`KILL-009`"}},
    {"unknown_area", {"run", "--area", "KILLS"}, 2, {"`KILLS`", "`KILL`"}},
    {"unknown_area_far_off", {"run", "--area", "BOGUS"}, 2, {"; known are `", "`CAP`", "`WAIT`"}},
    {"area_without_match", {"run", "--area", "Q*"}, 4, {"`Q*`; known are `", "`WAIT`"}},
    {"unknown_rule_far_off",
     {"run", "--rule", "WAIT-999"},
     2,
     {"`WAIT-999`; `sandproof list rules` lists them"}},
    {"unknown_case",
     {"run", "--case", "NoSuchCaseAtAll"},
     2,
     {"`NoSuchCaseAtAll`; `sandproof list cases` lists them"}},
    {"pattern_without_match", {"run", "--case", "Zzz*"}, 4, {"`Zzz*`"}},
    {"patterns_in_contradiction",
     {"run", "--area", "KILL", "--rule", "WAIT-001"},
     4,
     {"--area `KILL`", "--rule `WAIT-001`"}},
    {"jobs_not_a_number", {"run", "-j", "many"}, 2, {"--jobs", "many"}},
    {"no_jobs", {"run", "-j", "0"}, 2, {"--jobs"}},
    {"bad_time_scale", {"run", "--time-scale", "-1"}, 2, {"--time-scale"}},
    {"time_scale_that_is_no_number", {"run", "--time-scale", "nan"}, 2, {"--time-scale", "`nan`"}},
    {"bad_seed", {"run", "--seed", "x"}, 2, {"--seed"}},
    {"negative_seed", {"run", "--seed", "-1"}, 2, {"--seed", "`-1`"}},
    {"seed_past_the_end",
     {"run", "--seed", "18446744073709551616"},
     2,
     {"--seed", "18446744073709551615"}},
    {"octal_seed", {"mutants", "--seed", "010"}, 2, {"--seed", "`010`"}},
    {"negative_seed_of_a_replay",
     {"replay", "--flavor", "local", "--case", "KillIsIdempotent", "--seed", "-1"},
     2,
     {"--seed", "`-1`"}},
    {"empty_shard", {"run", "--shard", ""}, 2, {"--shard", "empty"}},
    {"empty_log", {"run", "--event-log", ""}, 2, {"--event-log", "empty"}},
    {"empty_config", {"run", "--config", ""}, 2, {"--config", "empty"}},
    {"empty_stack", {"run", "--stack", ""}, 2, {"--stack", "empty"}},
    {"empty_known_failures", {"run", "--known-failures", ""}, 2, {"--known-failures", "empty"}},
    {"empty_report_file", {"run", "--report", "json:"}, 2, {"report", "name of a file"}},
    {"empty_case", {"run", "--case", ""}, 2, {"--case", "empty"}},
    {"empty_rule", {"run", "--rule", "KILL-001", "--rule", ""}, 2, {"--rule", "empty"}},
    {"empty_directory", {"init", "demo", "--directory", ""}, 2, {"--directory", "empty"}},
    {"empty_log_of_verify", {"verify", "a.json", "--event-log", ""}, 2, {"--event-log", "empty"}},
    {"empty_log_to_convert", {"report", "convert", ""}, 2, {"LOG", "empty"}},
    {"empty_second_result", {"diff", "a", "", "--flavors", "a,b"}, 2, {"AFTER", "empty"}},
    {"report_without_the_runner",
     {"replay", "--flavor", "local", "--case", "KillIsIdempotent", "--in-process", "--report",
      "json:out.json"},
     2,
     {"--in-process", "--report json:out.json"}},
    {"log_without_the_runner",
     {"replay", "--flavor", "local", "--case", "KillIsIdempotent", "--in-process", "--event-log",
      "run.log"},
     2,
     {"--in-process", "--event-log run.log"}},
    {"bad_color", {"run", "--color", "pink"}, 2, {"--color", "pink"}},
    {"unknown_report",
     {"run", "--report", "xml:out"},
     2,
     {"KIND:FILE, where KIND is json", "`xml:out`"}},
    {"unwritable_report",
     {"run", "--report", "json:/nonexistent/out.json"},
     2,
     {"/nonexistent/out.json", "No such file or directory"}},
    {"report_on_a_directory", {"run", "--report", "json:/tmp"}, 2, {"/tmp", "Is a directory"}},
    {"unwritable_log", {"run", "--event-log", "/nonexistent/run.log"}, 2, {"/nonexistent/run.log"}},
    {"unreadable_config",
     {"run", "--flavor", "local", "--config", "/nonexistent/config.json"},
     2,
     {"/nonexistent/config.json", "No such file or directory"}},
    {"unreadable_stack", {"run", "--stack", "/nonexistent/stack.json"}, 2, {"stack.json"}},
    {"unknown_field",
     {"run", "--flavor", "local", "--set", "drain_grce=1"},
     2,
     {"drain_grce", "drain_grace"}},
    {"bad_value", {"run", "--flavor", "local", "--set", "drain_grace=soon"}, 2, {"drain_grace"}},
    {"set_twice",
     {"run", "--flavor", "local", "--set", "close_grace=1", "--set", "close_grace=2"},
     2,
     {"--set close_grace", "twice", "`1`", "`2`"}},
    {"set_twice_the_same",
     {"exec", "--flavor", "local", "--set", "a=1", "--set", "a=1", "--", "true"},
     2,
     {"--set a", "twice"}},
    {"set_that_is_not_utf8",
     {"run", "--flavor", "local", "--set", "base_dir=/tmp/\xff"},
     2,
     {"--set base_dir", "UTF-8"}},
    {"log_on_a_device", {"run", "--event-log", "/dev/full"}, 2, {"/dev/full", "no regular file"}},
    {"log_of_a_merge_on_a_device",
     {"report", "merge", "/dev/null", "--event-log", "/dev/null"},
     2,
     {"/dev/null", "no regular file"}},
    {"set_without_value", {"run", "--set", "drain_grace"}, 2, {"NAME=VALUE"}},
    {"sandbox_without_stack", {"run", "--sandbox", "x"}, 2, {"--stack"}},
    {"replay_without_case", {"replay", "--flavor", "local"}, 2, {"--case"}},
    {"replay_of_unknown_case",
     {"replay", "--flavor", "local", "--case", "NoSuchCaseAtAll"},
     2,
     {"`NoSuchCaseAtAll`; `sandproof list cases` lists them"}},
    {"list_of_unknown_table", {"list", "ruels"}, 2, {"ruels"}},
    {"explain_of_nothing", {"explain"}, 2, {"a rule is needed", "`KILL-004`", "--all"}},
    {"explain_of_an_unknown_rule", {"explain", "KILL-099"}, 2, {"`KILL-099`", "`KILL-009`"}},
    {"explain_of_a_misspelled_case",
     {"explain", "KillIsIdempotentt"},
     2,
     {"`KillIsIdempotentt`", "`KillIsIdempotent`"}},
    {"explain_without_match", {"explain", "ZZZ*"}, 4, {"`ZZZ*`"}},
    {"explain_of_what_only_other_names_match",
     {"explain", "Z*"},
     4,
     {"no rule matches `Z*`; `sandproof list rules` lists them"}},
    {"explain_of_an_unknown_area",
     {"explain", "NOPE-001"},
     2,
     {"there is no rule `NOPE-001`; `sandproof list rules` lists them"}},
    {"explain_of_all_and_one", {"explain", "--all", "KILL-001"}, 2, {"--all"}},
    {"explain_one_as_a_page",
     {"explain", "KILL-001", "--format", "markdown"},
     2,
     {"--format markdown", "--all"}},
    {"explain_in_an_unknown_format", {"explain", "KILL-001", "--format", "xml"}, 2, {"xml"}},
    {"explain_without_the_report",
     {"explain", "KILL-001", "--report", "/nonexistent/out.json"},
     2,
     {"/nonexistent/out.json", "No such file or directory"}},
    {"doctor_of_an_unknown_flavor", {"doctor", "--flavor", "locl"}, 2, {"`locl`", "`local`"}},
    {"doctor_with_an_unknown_field",
     {"doctor", "--flavor", "local", "--set", "drain_grce=1"},
     2,
     {"drain_grce", "drain_grace"}},
    {"unknown_mutant",
     {"mutants", "--mutant", "NoSuchMutantAtAll"},
     2,
     {"`NoSuchMutantAtAll`; `sandproof list mutants` lists them"}},
    {"unknown_rule_of_mutants",
     {"mutants", "--rule", "WAIT-999"},
     2,
     {"`WAIT-999`; `sandproof list rules` lists them"}},
    {"mutants_without_match", {"mutants", "--mutant", "Zzz*"}, 4, {"`Zzz*`"}},
    {"exec_without_flavor", {"exec", "--", "true"}, 2, {"--flavor"}},
    {"exec_without_command", {"exec", "--flavor", "local"}, 2, {"command"}},
    {"exec_bad_env", {"exec", "--flavor", "local", "--env", "secret", "--", "true"}, 2, {"--env"}},
    {"exec_env_twice",
     {"exec", "--flavor", "local", "--env", "A=1", "--env", "B=1", "--env", "A=2", "--", "true"},
     2,
     {"--env A is given twice"}},
    {"exec_bad_env_name",
     {"exec", "--flavor", "local", "--env", "A-B=1", "--", "true"},
     2,
     {"A-B"}},
    {"exec_bad_timeout",
     {"exec", "--flavor", "local", "--timeout", "soon", "--", "true"},
     2,
     {"--timeout", "`soon`"}},
    {"exec_no_time", {"exec", "--flavor", "local", "--timeout", "0", "--", "true"}, 2, {"over 0"}},
    {"shard_from_zero", {"run", "--shard", "0/3"}, 2, {"--shard", "counted from 1", "`0/3`"}},
    {"shard_past_the_end", {"run", "--shard", "4/3"}, 2, {"`4/3`"}},
    {"shard_that_is_none", {"run", "--shard", "x"}, 2, {"I/N", "`x`"}},
    {"shard_of_nothing", {"run", "--shard", "1/"}, 2, {"`1/`"}},
    {"negative_shard", {"run", "--shard", "-1/3"}, 2, {"`-1/3`"}},
    {"too_many_shards", {"run", "--shard", "1/1001"}, 2, {"1000", "`1/1001`"}},
    {"shards_without_an_index",
     {"run", "--shards", "3"},
     2,
     {"JOB_COMPLETION_INDEX", "--shard I/3"}},
    {"shard_and_shards", {"run", "--shard", "1/3", "--shards", "3"}, 2, {"--shard"}},
    {"report_without_subcommand", {"report"}, 2, {"merge, convert", "sandproof report --help"}},
    {"report_of_unknown_subcommand", {"report", "merg"}, 2, {"`merg`", "did you mean `merge`"}},
    {"merge_without_logs", {"report", "merge"}, 2, {"LOG", "sandproof report merge --help"}},
    {"merge_of_unreadable_log",
     {"report", "merge", "/nonexistent/run.jsonl"},
     2,
     {"/nonexistent/run.jsonl", "No such file or directory"}},
    {"merge_of_unknown_option",
     {"report", "merge", "--repot", "x"},
     2,
     {"`--repot`", "`--report`"}},
    {"convert_of_two", {"report", "convert", "a", "b"}, 2, {"`b`"}},
    {"diff_of_nothing", {"diff"}, 2, {"BEFORE"}},
    {"diff_of_one", {"diff", "a.json"}, 2, {"two results", "--flavors"}},
    {"diff_bad_flavors", {"diff", "a.json", "--flavors", "local"}, 2, {"--flavors", "`local`"}},
    {"diff_bad_factor", {"diff", "a.json", "b.json", "--slower", "0.5"}, 2, {"--slower"}},
    {"diff_factor_that_is_no_number", {"diff", "a", "b", "--slower", "nan"}, 2, {"`nan`"}},
    {"diff_of_unreadable", {"diff", "/nonexistent/a", "/nonexistent/b"}, 2, {"/nonexistent/a"}},
    {"diff_report_kind", {"diff", "a", "b", "--report", "html:x"}, 2, {"KIND is json", "`html:x`"}},
    {"verify_of_nothing", {"verify"}, 2, {"REPORT"}},
    {"verify_of_unreadable", {"verify", "/nonexistent/a.json"}, 2, {"/nonexistent/a.json"}},
    {"worker_by_hand", {"worker"}, 5, {"worker"}},
};

INSTANTIATE_TEST_SUITE_P(CommandLine, EveryBadInput, ::testing::ValuesIn(kBadInputs),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(CommandLine, WhatIsInAFileIsRefusedWithItsPlace) {
  const TemporaryDirectory directory;
  const std::string config = directory.file("config.json", R"({"drain_grce": 1})");
  const BinaryResult result = run_binary({"run", "--flavor", "local", "--config", config});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr(config), HasSubstr("drain_grce"), HasSubstr("local")));

  const std::string broken = directory.file("broken.json", "{");
  EXPECT_EQ(run_binary({"run", "--flavor", "local", "--config", broken}).code, 2);

  const std::string stack =
      directory.file("stack.json", R"({"sandboxes": [{"name": "a", "flavor": "local"}]})");
  const BinaryResult unknown = run_binary({"run", "--stack", stack, "--sandbox", "b"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr(stack), HasSubstr("`b`"), HasSubstr("a")));

  const BinaryResult other = run_binary({"run", "--stack", stack, "--flavor", "detached"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, AllOf(HasSubstr("detached"), HasSubstr("local")));
}

TEST(CommandLine, NothingIsWrittenWhenTheRunDoesNotBegin) {
  const TemporaryDirectory directory;
  const std::string report = "json:" + (directory.path() / "out.json").string();
  const std::string log = (directory.path() / "run.log").string();
  const BinaryResult result = run_binary({"run", "--flavor", "local", "--report", report,
                                          "--event-log", log, "--set", "no_such_field=1"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(directory.entries(), 0U);
}

/// In a directory of its own, in which the files a, b and known are, and links to a and to what is
/// not there.
BinaryResult run_beside_files(const TemporaryDirectory& directory, const std::string& command) {
  directory.file("a", "kept");
  directory.file("b", "kept");
  directory.file("known", "[]\n");
  return run_shell("cd '" + directory.path().string() +
                   "' && ln -s a link && ln a hard && ln -s new dangling && sandproof " + command);
}

TEST(CommandLine, AFileIsWrittenOnceAndNoInputIsOverwritten) {
  struct Row {
    const char* command;
    std::vector<std::string> says;
  };
  const Row rows[] = {
      {"run --event-log new --report json:new", {"--event-log new", "--report json:new"}},
      {"run --event-log new --report json:./new", {"--event-log new", "--report json:./new"}},
      {"run --event-log new --report json:dangling", {"--event-log new", "json:dangling"}},
      {"run --event-log a --report json:link", {"--event-log a", "json:link"}},
      {"run --event-log a --report json:hard", {"--event-log a", "json:hard"}},
      {"run --report json:new --report html:new", {"json:new", "html:new"}},
      {"run --config a --report json:link", {"--config a", "json:link"}},
      {"run --stack a --event-log a", {"--stack a", "--event-log a"}},
      {"run --known-failures known --report json:known", {"--known-failures known", "json:known"}},
      {"replay --flavor local --case KillIsIdempotent --event-log new --report json:new",
       {"--event-log new", "json:new"}},
      {"mutants --report json:new --report json:$PWD/new", {"json:new and"}},
      {"report convert a --report json:a", {"--report json:a", " a,"}},
      {"report merge b a --report json:link", {"--report json:link", " a,"}},
      {"report merge a b --event-log ./b", {"--event-log ./b", " b,"}},
      {"report merge a --event-log new --report json:new", {"--event-log new", "json:new"}},
      {"diff a a --report json:a", {"--report json:a", " a,"}},
      {"diff a b --report json:b", {"--report json:b", " b,"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.command);
    const TemporaryDirectory directory;
    const BinaryResult result = run_beside_files(directory, row.command);
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    for (const std::string& text : row.says) EXPECT_THAT(result.err, HasSubstr(text));
    EXPECT_EQ(run_shell("cat '" + directory.path().string() + "/a'").out, "kept");
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "new"));
  }
}

TEST(CommandLine, WhatIsNoFileMayBeWrittenTwice) {
  const TemporaryDirectory directory;
  const std::string log = (directory.path() / "run.log").string();
  const BinaryResult result =
      run_binary({"run", "--flavor", "local", "--rule", "KILL-001", "--event-log", log, "--report",
                  "json:/dev/null", "--report", "html:/dev/null"});
  EXPECT_EQ(result.code, 0) << result.err;
  const BinaryResult piped = run_binary(
      {"report", "convert", log, "--report", "json:/dev/stdout", "--report", "md:/dev/stdout"});
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_THAT(piped.out, AllOf(StartsWith("{"), HasSubstr("\n#")));
}

TEST(CommandLine, AnOutputThatCannotBeWrittenIsAFailure) {
  const TemporaryDirectory directory;
  const std::string log = (directory.path() / "run.log").string();
  const std::string report = (directory.path() / "out.json").string();
  ASSERT_EQ(run_binary({"run", "--flavor", "local", "--rule", "KILL-001", "--event-log", log,
                        "--report", "json:" + report})
                .code,
            0);
  const std::string commands[] = {"--help",
                                  "--version",
                                  "run --help",
                                  "list",
                                  "list rules --json",
                                  "explain KILL-001",
                                  "doctor --flavor local",
                                  "verify " + report,
                                  "diff " + report + " " + report,
                                  "report convert " + log,
                                  "report merge " + log,
                                  "run --flavor local --rule KILL-001",
                                  "replay --flavor local --case KillIsIdempotent",
                                  "replay --flavor local --case KillIsIdempotent --in-process",
                                  "mutants --mutant KillDoesNothing",
                                  "init demo --directory " + (directory.path() / "demo").string()};
  for (const std::string& command : commands) {
    SCOPED_TRACE(command);
    const BinaryResult full = run_shell("sandproof " + command + " >/dev/full");
    EXPECT_EQ(full.code, 5);
    EXPECT_THAT(full.err, EndsWith("sandproof: cannot write to standard output: No space left on "
                                   "device\n"));
  }
  // What the program found out is more than that it could not say it.
  EXPECT_EQ(run_shell("sandproof verify " + log + " >/dev/full").code, 2);
}

TEST(CommandLine, AReaderThatHasReadEnoughIsNoFailure) {
  // The fifo's reader is gone before the program begins.
  const BinaryResult result = run_shell(
      "directory=$(mktemp -d) && mkfifo $directory/pipe && exec 8<>$directory/pipe "
      "9>$directory/pipe 8<&- && rm -r $directory && sandproof list >&9");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, IsEmpty());
}

constexpr const char* kSubcommands[] = {"run",  "list", "explain", "doctor", "replay", "mutants",
                                        "init", "exec", "report",  "diff",   "verify"};

TEST(CommandLine, HelpIsForPeople) {
  for (const char* subcommand : kSubcommands) {
    const BinaryResult result = run_binary({subcommand, "--help"});
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.out, AllOf(HasSubstr("Examples:"), HasSubstr("sandproof "),
                                  ::testing::Not(HasSubstr("FLAVOR"))));
    EXPECT_THAT(result.err, IsEmpty());
  }
  const BinaryResult all = run_binary({"--help"});
  EXPECT_EQ(all.code, 0);
  for (const char* subcommand : kSubcommands) {
    EXPECT_THAT(all.out, HasSubstr(subcommand));
  }
}

TEST(CommandLine, ExecSaysWhatItsOwnCodesAre) {
  const std::string help = run_binary({"exec", "--help"}).out;
  for (const char* code : {"124: ", "125: ", "126: ", "127: ", "2: the options are wrong"}) {
    EXPECT_THAT(help, HasSubstr(code));
  }
}

TEST(CommandLine, VersionIsOneLine) {
  const BinaryResult result = run_binary({"--version"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, ::testing::MatchesRegex("sandproof [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

}  // namespace
}  // namespace sandproof::apps
