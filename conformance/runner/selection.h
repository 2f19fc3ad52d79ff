// SPDX-License-Identifier: Apache-2.0
// What becomes of a case on a binding: whether it runs, and if not, why. Pure functions; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/runner/suite.h"

namespace sandproof::conformance {

enum class DispositionKind { kRun, kUnsupported, kNotObservable };
/// The word in the event log: "run", "unsupported", "not_observable".
std::string_view to_string(DispositionKind kind);

struct Disposition {
  DispositionKind kind = DispositionKind::kRun;
  /// For people; empty for kRun.
  std::string reason;
  /// For kUnsupported: the capability that is not claimed.
  std::optional<Capability> capability;
};

/// A rule id that the suite does not have counts as a rule without conditions.
Disposition dispose(const Suite& suite, const Case& test_case, const Binding& binding);

/// The seed of one case: from the run's seed and the case's name, so that it does not depend on the
/// order or on the other cases.
std::uint64_t case_seed(std::uint64_t run_seed, std::string_view case_name);

}  // namespace sandproof::conformance
