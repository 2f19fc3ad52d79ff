// SPDX-License-Identifier: Apache-2.0
// A case: one requirement, run against any flavor. A row of a table; bodies in cases/<area>.cc.
//
// A body sees the interfaces and its CaseContext and nothing else. It never branches on flavor,
// capability or kind of status, and cannot skip: conditions stand in its row.
#pragma once

#include <chrono>
#include <source_location>
#include <string_view>
#include <vector>

#include "sandproof/capabilities.h"
#include "sandproof/conformance/rule.h"

namespace sandproof::conformance {

class CaseContext;

struct Case {
  /// A sentence in PascalCase: "KillIsIdempotent". Unique. No '-'.
  std::string_view name;
  /// Rule ids; a failure is charged to the first, the others are shown with it.
  std::vector<std::string_view> rules;
  void (*body)(CaseContext&);
  /// Before --time-scale. The whole case.
  std::chrono::milliseconds limit = std::chrono::seconds(20);
  /// On top of what its rules ask for.
  std::vector<Capability> with = {};
  std::vector<Capability> without = {};
  std::vector<Need> needs = {};
  /// Runs in the smoke set that every mutant meets.
  bool smoke = false;
  /// Where the row stands: the file, for people who look a case up. Filled in by the compiler.
  std::source_location where = std::source_location::current();
};

/// Every case, area by area, in the order of the contract. Composed in cases.cc.
const std::vector<Case>& all_cases();

}  // namespace sandproof::conformance
