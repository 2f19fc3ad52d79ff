// SPDX-License-Identifier: Apache-2.0
// The subcommands of the suite's program, each in a file of its own: options, help, and what runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "conformance/runner/suite.h"
#include "sandproof/conformance/program.h"

namespace sandproof::conformance {

/// What every subcommand gets.
struct ProgramContext {
  std::shared_ptr<const Suite> suite;
  /// For the log, and for lines that people paste.
  std::vector<std::string> argv;
  std::string program;
  std::string version;
};

Subcommand run_command(const ProgramContext& context);
Subcommand list_command(const ProgramContext& context);
Subcommand explain_command(const ProgramContext& context);
Subcommand doctor_command(const ProgramContext& context);
Subcommand replay_command(const ProgramContext& context);
Subcommand mutants_command(const ProgramContext& context);
Subcommand report_command(const ProgramContext& context);
Subcommand diff_command(const ProgramContext& context);
Subcommand verify_command(const ProgramContext& context);

/// --time-scale, the same wherever cases run.
void add_time_scale(CLI::App& app, double& time_scale);

}  // namespace sandproof::conformance
