// SPDX-License-Identifier: Apache-2.0
// What is wrong between the ledger of the contract (docs/rules.ledger) and the tables of the suite.
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "sandproof/conformance/case.h"
#include "sandproof/conformance/mutant.h"
#include "sandproof/conformance/rule.h"

namespace sandproof::conformance::contract {

/// The lines of a ledger without its comments.
std::vector<std::string> ledger_lines(const std::string& text);

/// "KILL-004 M sentence".
std::string ledger_line(const Rule& rule);

/// One sentence for each id that vanished, changed its meaning or level, is there twice or stands
/// elsewhere; for each rule that the ledger does not have; and for each line that is none.
std::vector<std::string> ledger_findings(const std::vector<std::string>& ledger,
                                         const std::vector<Rule>& rules);

/// One sentence for each case and mutant that names no rule, or one that is not in the table.
std::vector<std::string> reference_findings(const std::vector<Rule>& rules,
                                            const std::vector<Case>& cases,
                                            const std::vector<Mutant>& mutants);

}  // namespace sandproof::conformance::contract
