// SPDX-License-Identifier: Apache-2.0
// The suite behind GoogleTest's own runner: every case becomes a test, so that filters, sharding,
// XML and gtest_discover_tests() work on them. program.h is the other door; it has the reports.
//
//   int main(int argc, char** argv) {
//     sandproof::conformance::register_cases({demo_binding()}, argc, argv);
//     testing::InitGoogleTest(&argc, argv);
//     return RUN_ALL_TESTS();
//   }
#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "sandproof/conformance/binding.h"

namespace sandproof::conformance {

struct GoogleTestOptions {
  /// Settings of the flavors on top of their bindings', as one JSON object; empty: none.
  std::string config_json;
  /// Multiplies the limit of each case, and all the times in it; over 0, at most 100.
  double time_scale = 1;
};

/// Registers each case of the suite once per binding: suite `<flavor>/<AREA>`, test `<Case>`; what
/// is no letter, digit or underscore in a flavor's name becomes an underscore, since a filter would
/// read `-` as its own.
///
/// Each test starts this program again and runs its case there under supervision, so that a crash
/// or a hang costs that one test, and is told with its rule, what was in progress, and how to run
/// it again. The seed is --gtest_random_seed. A case that does not apply is skipped with its
/// reason; so is one that fails as a deviation of its binding says. Where a rule has one case
/// alone, a deviation that no longer holds is a failure.
///
/// To be called once, first of all in main(), with main's arguments: does not return in a process
/// that such a test started. Neither does it for wrong bindings or options: exit code 2, with one
/// sentence on standard error.
void register_cases(std::vector<Binding> bindings, int argc, char** argv,
                    GoogleTestOptions options = {},
                    std::source_location where = std::source_location::current());

}  // namespace sandproof::conformance
