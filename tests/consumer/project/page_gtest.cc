// SPDX-License-Identifier: Apache-2.0
// The suite behind GoogleTest's runner, as docs/writing-a-flavor.md shows it.
#include <gtest/gtest.h>

#include "sandproof/conformance/googletest.h"
#include "shelled.h"

using namespace sandproof::conformance;

// shown: docs/writing-a-flavor.md
int main(int argc, char** argv) {
  Binding binding{shelled_flavor()};
  binding.unclaimed = unclaimed_because(binding.flavor, "a session ends with its handle");
  register_cases({binding}, argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
// shown: end
