// SPDX-License-Identifier: Apache-2.0
// Capabilities as a set with names.
#include "sandproof/capabilities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace sandproof {
namespace {

TEST(Capabilities, NamesAreThoseOfTheContract) {
  std::vector<std::string> names;
  for (const Capability capability : all_capabilities()) {
    names.emplace_back(to_string(capability));
  }
  EXPECT_THAT(names, testing::ElementsAre("attach", "outlives", "cross_process", "kill_tree",
                                          "upload", "download", "snapshot", "restore", "stdin",
                                          "async_exec", "dashboard_url"));
}

TEST(Capabilities, NamesReadBack) {
  for (const Capability capability : all_capabilities()) {
    EXPECT_EQ(capability_from_string(to_string(capability)), capability);
  }
  for (const char* name : {"", "Attach", "attach ", "dashboard", "kill-tree"}) {
    EXPECT_EQ(capability_from_string(name), std::nullopt) << name;
  }
}

TEST(Capabilities, AreASet) {
  EXPECT_TRUE(Capabilities().list().empty());
  EXPECT_EQ(Capabilities({Capability::kStdin, Capability::kAttach}),
            Capabilities({Capability::kAttach, Capability::kStdin, Capability::kStdin}));
  EXPECT_THAT(Capabilities({Capability::kStdin, Capability::kAttach}).list(),
              testing::ElementsAre(Capability::kAttach, Capability::kStdin));
  EXPECT_EQ(Capabilities::all().list().size(), all_capabilities().size());
}

TEST(Capabilities, EachAloneCanBeAddedAndTakenAway) {
  for (const Capability one : all_capabilities()) {
    const Capabilities only = Capabilities().with(one);
    const Capabilities rest = Capabilities::all().without(one);
    for (const Capability other : all_capabilities()) {
      EXPECT_EQ(only.has(other), other == one);
      EXPECT_EQ(rest.has(other), other != one);
    }
    EXPECT_EQ(only.with(one), only);
    EXPECT_EQ(rest.without(one), rest);
    EXPECT_EQ(rest.with(one), Capabilities::all());
    EXPECT_EQ(only.without(one), Capabilities());
  }
}

}  // namespace
}  // namespace sandproof
