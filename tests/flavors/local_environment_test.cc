// SPDX-License-Identifier: Apache-2.0
// What is forwarded, what wins, and the mark.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

#include "flavors/local/environment.h"
#include "flavors/local/mark.h"
#include "sandproof/errors.h"

namespace sandproof::local {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using Names = std::vector<std::string>;

// Sets a variable of this program while it lives.
class HostVariable {
 public:
  HostVariable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  HostVariable(const HostVariable&) = delete;
  HostVariable& operator=(const HostVariable&) = delete;
  ~HostVariable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

TEST(EnvironmentTest, AListForwardsWhatIsSet) {
  const HostVariable set("SANDPROOF_TEST_SET", "a=b\n'é");
  const HostVariable empty("SANDPROOF_TEST_EMPTY", "");
  const auto forwarded = forwarded_environment(
      Names{"SANDPROOF_TEST_SET", "SANDPROOF_TEST_EMPTY", "SANDPROOF_TEST_UNSET"});
  EXPECT_THAT(forwarded,
              ElementsAre(Pair("SANDPROOF_TEST_EMPTY", ""), Pair("SANDPROOF_TEST_SET", "a=b\n'é")));
}

TEST(EnvironmentTest, TrueForwardsAllAndFalseNothing) {
  const HostVariable set("SANDPROOF_TEST_SET", "x=y");
  const Environment all = forwarded_environment(true);
  EXPECT_EQ(all.at("SANDPROOF_TEST_SET"), "x=y");
  EXPECT_EQ(all.count("PATH"), 1U);
  EXPECT_TRUE(forwarded_environment(false).empty());
}

TEST(EnvironmentTest, TheDefaultForwardsNothingElse) {
  const HostVariable set("SANDPROOF_TEST_SET", "x");
  for (const auto& [name, value] : forwarded_environment(default_forwarded_names())) {
    EXPECT_THAT(name, ::testing::AnyOf("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TERM"));
  }
}

TEST(EnvironmentTest, ABadNameInTheListIsRefused) {
  for (const char* const name : {"", "A=B", "1A", "A B", "é"}) {
    EXPECT_THROW(forwarded_environment(Names{name}), InvalidArgumentError) << name;
  }
}

TEST(EnvironmentTest, WhatIsGivenWinsPerName) {
  EXPECT_THAT(layered_environment({{"A", "host"}, {"B", "host"}}, {{"B", ""}, {"C", "given"}}),
              ElementsAre(Pair("A", "host"), Pair("B", ""), Pair("C", "given")));
}

TEST(EnvironmentTest, TheMarkWinsOverEverything) {
  const Mark mark{"c", "s", "t"};
  EXPECT_THAT(marked_environment({{"SANDPROOF_MARK", "forged"}}, mark),
              ElementsAre(Pair("SANDPROOF_MARK", "c/s/t")));
}

TEST(MarkTest, ReadsWhatItWrites) {
  for (const Mark& mark : {Mark{"c", "s", "t"}, Mark{"a/b//c", "local-1", "f"}}) {
    EXPECT_EQ(parse_mark(mark.value()), mark);
  }
}

TEST(MarkTest, RefusesWhatItCannotHaveWritten) {
  for (const char* const value : {"", "/", "//", "///", "a", "a/b", "a/b/", "/b/c", "a//c"}) {
    EXPECT_FALSE(parse_mark(value).has_value()) << value;
  }
}

TEST(MarkTest, PatternsMatchWholeParts) {
  const auto component = MarkPattern::component("c");
  EXPECT_TRUE(component.matches("c/s/t"));
  EXPECT_TRUE(component.matches("c/s2/t2"));
  for (const char* const value : {"cc/s/t", "c2/s/t", "c/x/s/t", "x/c/s/t", "c/s", "c", "c/s/"}) {
    EXPECT_FALSE(component.matches(value)) << value;
  }
  const auto session = MarkPattern::session("c", "s");
  EXPECT_TRUE(session.matches("c/s/t"));
  EXPECT_TRUE(session.matches("c/s/t2"));
  for (const char* const value : {"c/s2/t", "c/ss/t", "d/s/t", "c/s/x/t", "c/s"}) {
    EXPECT_FALSE(session.matches(value)) << value;
  }
  const auto exec = MarkPattern::exec({"c", "s", "t"});
  EXPECT_TRUE(exec.matches("c/s/t"));
  for (const char* const value : {"c/s/t2", "c/s/tt", "c/s2/t", "d/s/t"}) {
    EXPECT_FALSE(exec.matches(value)) << value;
  }
}

}  // namespace
}  // namespace sandproof::local
