// SPDX-License-Identifier: Apache-2.0
// The table of report formats: `--report KIND:FILE` takes the kinds that stand here. Each is a pure
// function of the model. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "conformance/report/run_model.h"

namespace sandproof::conformance {

struct ReportFormat {
  /// As in `--report KIND:FILE`.
  std::string_view kind;
  /// For --help: what it is, and for whom.
  std::string_view what;
  std::string (*render)(const RunModel& model);
};

/// In the order of --help.
std::span<const ReportFormat> report_formats();

/// Null for a kind that is not in the table.
const ReportFormat* find_report_format(std::string_view kind);

/// "json", "json or html", "json, junit or html".
std::string report_kinds();

}  // namespace sandproof::conformance
