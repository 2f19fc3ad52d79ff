// SPDX-License-Identifier: Apache-2.0
// Which part of a run options and environment ask for.
#include "conformance/program/shard_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "conformance/program/program_error.h"
#include "tests/apps/run_binary.h"

namespace sandproof::conformance {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Variables = std::map<std::string, std::string>;

std::optional<Shard> chosen(const Variables& variables, const std::string& shard = "",
                            const std::string& shards = "") {
  ShardOptions options;
  options.shard = shard;
  options.shards = shards;
  return options.chosen([&variables](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

std::string described(const std::optional<Shard>& shard) {
  if (!shard) return "none";
  return std::to_string(shard->index) + "/" + std::to_string(shard->total) +
         (shard->from.empty() ? "" : " from " + shard->from);
}

std::string refusal_of(const Variables& variables, const std::string& shard = "",
                       const std::string& shards = "") {
  try {
    return described(chosen(variables, shard, shards));
  } catch (const ProgramError& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    return error.what();
  }
}

const Variables kTest = {{"GTEST_SHARD_INDEX", "0"}, {"GTEST_TOTAL_SHARDS", "5"}};
const Variables kJob = {{"JOB_COMPLETION_INDEX", "2"}, {"SANDPROOF_SHARDS", "4"}};

TEST(ShardOptions, ARunnerOfTestsIsToldThatShardsAreUnderstood) {
  const apps::TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / "status";
  const auto acknowledge = [](const std::string& path) {
    acknowledge_sharding([&path](const char* name) {
      return std::string_view(name) == "GTEST_SHARD_STATUS_FILE" ? path.c_str() : nullptr;
    });
  };
  acknowledge(file.string());
  EXPECT_TRUE(std::filesystem::is_regular_file(file));
  acknowledge_sharding([](const char*) -> const char* { return nullptr; });
  try {
    acknowledge((directory.path() / "missing/status").string());
    ADD_FAILURE() << "no error";
  } catch (const ProgramError& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("missing/status"),
                                    HasSubstr("GTEST_SHARD_STATUS_FILE"), HasSubstr("No such")));
  }
}

TEST(ShardOptions, NothingIsTheWholeSuite) {
  EXPECT_EQ(described(chosen({})), "none");
  // Any Indexed Job has an index; without a total it says nothing about the suite.
  EXPECT_EQ(described(chosen({{"JOB_COMPLETION_INDEX", "2"}})), "none");
}

TEST(ShardOptions, TheOptionCountsFromOne) {
  EXPECT_EQ(described(chosen({}, "1/3")), "1/3");
  EXPECT_EQ(described(chosen({}, "3/3")), "3/3");
  EXPECT_EQ(described(chosen({}, "1000/1000")), "1000/1000");
}

TEST(ShardOptions, VariablesCountFromZeroAndAreNamed) {
  EXPECT_EQ(described(chosen(kTest)), "1/5 from GTEST_SHARD_INDEX=0, GTEST_TOTAL_SHARDS=5");
  EXPECT_EQ(described(chosen(kJob)), "3/4 from JOB_COMPLETION_INDEX=2, SANDPROOF_SHARDS=4");
  EXPECT_EQ(described(chosen({{"JOB_COMPLETION_INDEX", "6"}}, "", "7")),
            "7/7 from JOB_COMPLETION_INDEX=6");
}

TEST(ShardOptions, AnOptionWinsAndATestRunnerBeforeAJob) {
  Variables both = kTest;
  both.insert(kJob.begin(), kJob.end());
  EXPECT_EQ(described(chosen(both, "2/2")), "2/2");
  EXPECT_EQ(described(chosen(both, "", "9")), "3/9 from JOB_COMPLETION_INDEX=2");
  EXPECT_EQ(described(chosen(both)), described(chosen(kTest)));
}

TEST(ShardOptions, WhatIsNoPartIsRefused) {
  for (const char* wrong : {"0/3", "4/3", "x", "1", "/", "1/", "/3", "1/0", "1/3/5", " 1/3", "1/3 ",
                            "+1/3", "-1/3", "1.0/3", "1/99999999999999", "1/1001"}) {
    EXPECT_THAT(refusal_of({}, wrong), AllOf(HasSubstr("--shard takes I/N"), HasSubstr(wrong)));
  }
  for (const char* wrong : {"3", "-1", "", "x", "2147483648"}) {
    EXPECT_THAT(refusal_of({{"GTEST_SHARD_INDEX", wrong}, {"GTEST_TOTAL_SHARDS", "3"}}),
                AllOf(HasSubstr("GTEST_SHARD_INDEX"), HasSubstr("0 to 2")));
    EXPECT_THAT(refusal_of({{"JOB_COMPLETION_INDEX", wrong}}, "", "3"),
                AllOf(HasSubstr("JOB_COMPLETION_INDEX"), HasSubstr("0 to 2")));
  }
  for (const char* wrong : {"0", "-1", "", "x", "1001"}) {
    EXPECT_THAT(refusal_of({{"GTEST_SHARD_INDEX", "0"}, {"GTEST_TOTAL_SHARDS", wrong}}),
                HasSubstr("GTEST_TOTAL_SHARDS is the number of shards"));
    EXPECT_THAT(refusal_of({{"JOB_COMPLETION_INDEX", "0"}, {"SANDPROOF_SHARDS", wrong}}),
                HasSubstr("SANDPROOF_SHARDS is the number of shards"));
  }
}

TEST(ShardOptions, HalfOfAPairIsRefused) {
  EXPECT_THAT(refusal_of({{"GTEST_TOTAL_SHARDS", "3"}}), HasSubstr("GTEST_SHARD_INDEX is not set"));
  EXPECT_THAT(refusal_of({{"GTEST_SHARD_INDEX", "1"}}), HasSubstr("GTEST_TOTAL_SHARDS is not set"));
  EXPECT_THAT(refusal_of({{"SANDPROOF_SHARDS", "3"}}),
              HasSubstr("JOB_COMPLETION_INDEX is not set"));
  EXPECT_THAT(refusal_of({}, "", "3"), HasSubstr("--shard I/3"));
}

}  // namespace
}  // namespace sandproof::conformance
