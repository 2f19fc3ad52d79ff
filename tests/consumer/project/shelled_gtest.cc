// SPDX-License-Identifier: Apache-2.0
// The suite behind GoogleTest's runner, beside a test of one's own.
#include <gtest/gtest.h>

#include "sandproof/conformance/googletest.h"
#include "shelled.h"

using namespace sandproof::conformance;

TEST(Shelled, HasAName) { EXPECT_EQ(shelled_flavor().name, "shelled"); }

int main(int argc, char** argv) {
  Binding binding{shelled_flavor()};
  binding.unclaimed = unclaimed_because(binding.flavor, "a session ends with its handle");
  binding.deviations = {
      {"SESSION-001", "declared, and not so", "https://example.com/1"},
      {"EXEC-018", "the shell looks names up", "https://example.com/2"},
  };
  register_cases({binding}, argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
