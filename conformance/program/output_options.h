// SPDX-License-Identifier: Apache-2.0
// Where the results go: --color, --report KIND:FILE, --event-log. Shared by run, replay and
// mutants.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "conformance/program/distinct_files.h"
#include "conformance/report/files.h"
#include "conformance/report/formats.h"
#include "conformance/report/terminal.h"

namespace CLI {
class App;
}

namespace sandproof::conformance {

/// A report that was asked for: what it is to be, and where.
struct RequestedReport {
  const ReportFormat* format;
  OutputFile file;
};

/// Writes each of them. One that cannot be written is told on stderr, and loses none of the others;
/// false where there was one, for which a program ends with ExitCode::kRunner.
bool write_reports(const std::vector<RequestedReport>& reports,
                   const std::function<std::string(const ReportFormat&)>& render);

struct OutputOptions {
  std::string color = "auto";
  std::vector<std::string> reports;
  /// Of what has a report of its own, which no other format shows.
  bool json_alone = false;
  std::string event_log;

  void add_color_to(CLI::App& app);
  /// Every format of report/formats.h.
  void add_reports_to(CLI::App& app);
  /// Sets json_alone.
  void add_json_report_to(CLI::App& app);
  void add_event_log_to(CLI::App& app);

  ColorMode color_mode() const;
  /// Throws ProgramError (kUsage) where two of the outputs are one file, or one is an input. To be
  /// called before anything is written.
  void check_distinct_from(const std::vector<NamedFile>& inputs) const;
  /// The files are known to be writable. Throws ProgramError (kUsage), also for a kind of report
  /// that there is not.
  std::vector<RequestedReport> requested_reports() const;
  /// Checked, too; empty where none was asked for.
  std::filesystem::path event_log_path() const;
};

/// The kinds of reports, a line each: for the foot of a --help.
std::string report_kinds_help();

/// Where live progress goes: to a terminal that is stdout, else to stderr, so that a pipe or a file
/// gets the report alone.
int progress_descriptor();

}  // namespace sandproof::conformance
