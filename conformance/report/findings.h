// SPDX-License-Identifier: Apache-2.0
// What a report tells first: what did not end as it should, flavor by flavor, in the contract's
// order. Pointers are into the model. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "conformance/report/run_model.h"

namespace sandproof::conformance {

/// A case that failed, hung, crashed, or passed against a deviation. Without those that are charged
/// with a refusal: they did not run, and many stand for one fault.
struct FailedCase {
  const FlavorResult* flavor;
  const CaseResult* result;
};
std::vector<FailedCase> failed_cases(const RunModel& model);

/// A refusal that did not hold, once, with the rules whose cases it is charged to.
struct BrokenRefusal {
  const FlavorResult* flavor;
  std::string reason;
  std::vector<std::string> rules;
};
std::vector<BrokenRefusal> broken_refusals(const RunModel& model);

/// A rule that counts against the flavor without a case that does: CAP-002 through a refusal that
/// did not hold; a MUST that has no case.
struct BrokenRule {
  const FlavorResult* flavor;
  const RuleInfo* info;
  const RuleResult* rule;
};
std::vector<BrokenRule> rules_broken_without_case(const RunModel& model);

/// True where one of the case's rules is a MUST: else its failure is a warning.
bool is_about_must(const RunModel& model, const CaseResult& result);

}  // namespace sandproof::conformance
