// SPDX-License-Identifier: Apache-2.0
// One rule told to a person or a program: what it says and why, the cases that hold a flavor to it,
// the mutants that hold the cases to it, and how the flavors stand. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "conformance/explain/last_report.h"
#include "conformance/report/terminal.h"
#include "conformance/runner/suite.h"

namespace sandproof::conformance {

/// How a rule stands on a flavor: in a report, or, without one, by the declaration alone.
struct Standing {
  std::string flavor;
  /// Empty without a report, and for a rule that its run left out.
  std::optional<Outcome> state;
  /// Why it is not run, or what is wrong.
  std::string reason;
  /// Cases of it that run there.
  std::size_t runs = 0;
  /// Those of the report; empty without one.
  std::vector<ReportedCase> cases;
};

struct Explanation {
  const Rule* rule = nullptr;
  /// Those whose failures are charged to it first, else in the order of the table.
  std::vector<const Case*> cases;
  std::vector<const Mutant*> mutants;
  std::vector<Standing> standings;
};

/// `report` may be null. Flavors: those of the report, else the suite's.
Explanation explain_rule(const Suite& suite, const Rule& rule, const LastReport* report);

/// Several paragraphs, wrapped. `program` is how lines to be pasted begin.
std::string explanation_text(const Explanation& explanation, const LastReport* report,
                             const Terminal& terminal, const std::string& program);

/// A line or two for each rule, with a column of symbols per flavor where there is a report.
std::string explanation_list(const std::vector<Explanation>& explanations, const LastReport* report,
                             const Terminal& terminal);

/// An object with "rules" and "report"; keys as in `list --json` and docs/report.md.
nlohmann::ordered_json explanation_json(const std::vector<Explanation>& explanations,
                                        const LastReport* report);

/// "all must be claimed: `upload`, `download`": where a rule applies, and what its cases need to
/// see it. One sentence, or several.
std::string conditions_text(const Rule& rule);

}  // namespace sandproof::conformance
