// SPDX-License-Identifier: Apache-2.0
// Where the results go: --color, --report KIND:FILE, --event-log. Shared by run, replay and
// mutants.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/report/files.h"
#include "conformance/report/terminal.h"

namespace CLI {
class App;
}

namespace sandproof::conformance {

struct OutputOptions {
  std::string color = "auto";
  std::vector<std::string> reports;
  std::string event_log;

  void add_color_to(CLI::App& app);
  void add_reports_to(CLI::App& app);
  void add_event_log_to(CLI::App& app);

  ColorMode color_mode() const;
  /// The files of `--report json:FILE`, known to be writable. Throws ProgramError (kUsage).
  std::vector<OutputFile> report_files() const;
  /// Checked, too; empty where none was asked for.
  std::filesystem::path event_log_path() const;
};

/// Where live progress goes: stdout, or stderr where that is the terminal.
int progress_descriptor();

}  // namespace sandproof::conformance
