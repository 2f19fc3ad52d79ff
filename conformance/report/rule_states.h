// SPDX-License-Identifier: Apache-2.0
// The second half of building a model: from the outcomes of the cases to those against the
// declaration, the states of the rules, and the verdicts. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "conformance/report/run_model.h"

namespace sandproof::conformance {

/// How an operation behaved whose capability is not claimed (CAP-002).
struct Refusal {
  std::string flavor;
  std::string capability;
  bool held = false;
  std::string message;
  /// Of one that did not hold: the entry of RunModel::known_failures that excuses it, and why.
  std::optional<std::size_t> known_failure;
  std::string excuse;
};

/// Fills in what follows from the cases. Throws EventLogError for a case that names no rule of the
/// log: its failure would count for nothing.
void judge(RunModel& model, std::vector<Refusal> refusals);

}  // namespace sandproof::conformance
