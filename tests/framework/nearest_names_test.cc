// SPDX-License-Identifier: Apache-2.0
// Suggestions for names that do not exist.
#include "nearest_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sandproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kNames = {"environment", "drain_grace", "spill_limit", "spill_dir",
                                         "operation_timeout"};

TEST(NearestNames, FindsOneEditOfEachKind) {
  EXPECT_THAT(nearest_names("drain_grac", kNames), ElementsAre("drain_grace"));
  EXPECT_THAT(nearest_names("drain_gracee", kNames), ElementsAre("drain_grace"));
  EXPECT_THAT(nearest_names("drain_grave", kNames), ElementsAre("drain_grace"));
  EXPECT_THAT(nearest_names("drain_garce", kNames), ElementsAre("drain_grace"));
  EXPECT_THAT(nearest_names("drain-grace", kNames), ElementsAre("drain_grace"));
}

TEST(NearestNames, PutsTheNearestFirst) {
  EXPECT_THAT(nearest_names("spill_dirt", kNames), ElementsAre("spill_dir", "spill_limit"));
  EXPECT_THAT(nearest_names("spill_lim", kNames), ElementsAre("spill_limit", "spill_dir"));
  EXPECT_THAT(nearest_names("abcd", {"abxy", "abcx", "abcd"}), ElementsAre("abcd", "abcx", "abxy"));
}

TEST(NearestNames, FindsNothingFarAway) {
  EXPECT_THAT(nearest_names("image", kNames), IsEmpty());
  EXPECT_THAT(nearest_names("", kNames), IsEmpty());
  EXPECT_THAT(nearest_names("ab", {"xy"}), IsEmpty()) << "two edits of two letters are no typo";
  EXPECT_THAT(nearest_names(std::string(1'000'000, 'a'), kNames), IsEmpty());
  EXPECT_THAT(nearest_names("a", {std::string(1'000'000, 'a')}), IsEmpty());
}

TEST(NearestNames, GivesAtMostThree) {
  EXPECT_EQ(nearest_names("abcd", {"abc1", "abc2", "abc3", "abc4"}).size(), 3u);
}

TEST(Suggestion, AsksOrLists) {
  EXPECT_EQ(suggestion("drain_grave", kNames, "settings"), "did you mean `drain_grace`?");
  EXPECT_EQ(suggestion("spill_lim", kNames, "settings"),
            "did you mean `spill_limit` or `spill_dir`?");
  EXPECT_EQ(suggestion("xyz", {"local", "memory", "docker"}, "flavors"),
            "the flavors are local, memory and docker");
  EXPECT_EQ(suggestion("xyz", {}, "flavors"), "there are no flavors");
}

TEST(Joined, WritesAList) {
  EXPECT_EQ(joined({}, "and"), "");
  EXPECT_EQ(joined({"a"}, "and"), "a");
  EXPECT_EQ(joined({"a", "b"}, "or"), "a or b");
  EXPECT_EQ(joined({"a", "b", "c"}, "or"), "a, b or c");
}

TEST(Shown, IsFitForAMessage) {
  EXPECT_EQ(shown("plain é"), "plain é");
  EXPECT_EQ(shown("a\n\x1b[31m\x7f"), "a??[31m?");
  EXPECT_EQ(shown("\xFF"), "\uFFFD");
  EXPECT_EQ(shown(std::string(60, 'x')), std::string(60, 'x'));
  EXPECT_EQ(shown(std::string(61, 'x')), std::string(60, 'x') + "…");
}

}  // namespace
}  // namespace sandproof
