// SPDX-License-Identifier: Apache-2.0
// The suite as a program of one's own: a binding in five lines.
#include "sandproof/conformance/program.h"
#include "shelled.h"

using namespace sandproof::conformance;

// shown: README.md
int main(int argc, char** argv) {
  Binding binding{shelled_flavor()};
  binding.unclaimed = unclaimed_because(binding.flavor, "a session ends with its handle");
  return run_program(argc, argv, {binding});
}
// shown: end
