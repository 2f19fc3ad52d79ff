// SPDX-License-Identifier: Apache-2.0
// Which cases a person asked for: patterns over rules, areas and case names. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/suite.h"

namespace sandproof::conformance {

/// Patterns as of the shell (`*`, `?`, `[…]`). Any of one kind, and one of each kind that is given.
struct CaseFilter {
  /// Over the ids of all rules of a case; "kill-*" is "KILL-*".
  std::vector<std::string> rules;
  /// Over the area of the rule that a case's failure is charged to.
  std::vector<std::string> areas;
  std::vector<std::string> cases;

  bool empty() const { return rules.empty() && areas.empty() && cases.empty(); }
};

/// True where `text` matches one of `patterns`, or there are none.
bool matches_any(const std::vector<std::string>& patterns, std::string_view text,
                 bool ignore_case = false);

/// What patterns are to match.
struct NameTable {
  /// "rule".
  std::string_view what;
  std::vector<std::string> names;
  bool ignore_case = false;
  /// The command that lists them, `sandproof list rules`; empty: a message names them all.
  std::string list_command;
};

/// Throws ProgramError: kUsage for a name without wildcards that the table does not know, with the
/// nearest ones or where all are; kNothingSelected for a pattern that matches nothing.
void check_patterns(const std::vector<std::string>& patterns, const NameTable& table);

/// The cases that match, in the table's order; never empty. Throws ProgramError as above, and
/// kNothingSelected where the patterns have no case in common. `program` is how lines to be pasted
/// begin.
std::vector<const Case*> select_cases(const Suite& suite, const CaseFilter& filter,
                                      const std::string& program);

/// What patterns and messages compare with.
std::vector<std::string> rule_ids(const Suite& suite);
std::vector<std::string> case_names(const Suite& suite);
std::vector<std::string> binding_names(const Suite& suite);

/// Throws ProgramError (kUsage) that names the known ones.
const Binding& binding_named(const Suite& suite, std::string_view name);

}  // namespace sandproof::conformance
