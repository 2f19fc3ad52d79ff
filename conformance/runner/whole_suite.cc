// SPDX-License-Identifier: Apache-2.0
// The suite as it is published (suite.h): the one place that names its three tables together. A
// file of its own, so that a program with tables of its own need not link the cases.
#include <utility>

#include "conformance/runner/suite.h"

namespace sandproof::conformance {

Suite whole_suite(std::vector<Binding> bindings) {
  Suite suite;
  suite.bindings = std::move(bindings);
  suite.cases = &all_cases();
  suite.mutants = &all_mutants();
  suite.rules = &all_rules();
  return suite;
}

}  // namespace sandproof::conformance
