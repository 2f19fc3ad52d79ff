// SPDX-License-Identifier: Apache-2.0
// What an earlier run said of each rule, read from what it left: its `conformance.json` or its
// event log. Only what `explain` shows of it. Pure; any thread.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/run_model.h"

namespace sandproof::conformance {

/// The text is no report and no event log, or one that this program cannot read. One sentence that
/// names the file.
class LastReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ReportedCase {
  std::string name;
  Outcome outcome = Outcome::kNotRun;
};

/// A rule on one flavor.
struct ReportedRule {
  Outcome state = Outcome::kNoCase;
  /// False where the run's filters left it out.
  bool selected = true;
  std::string reason;
  std::vector<ReportedCase> cases;
};

struct ReportedFlavor {
  std::string name;
  std::map<std::string, ReportedRule, std::less<>> rules;

  /// Null for a rule that the run did not know.
  const ReportedRule* find_rule(std::string_view id) const;
};

struct LastReport {
  /// What messages and readers call it: the path as it was given.
  std::string name;
  /// UTC, ISO 8601.
  std::string started_at;
  bool complete = false;
  std::vector<ReportedFlavor> flavors;
};

/// Tells by its first line which of the two it is. Throws LastReportError.
LastReport parse_last_report(std::string_view text, std::string name);

}  // namespace sandproof::conformance
