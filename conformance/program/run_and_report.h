// SPDX-License-Identifier: Apache-2.0
// One run from its plan to its exit code: flavors tried, suite run under guard, reports made from
// the log. Shared by run and replay.
#pragma once

#include <optional>
#include <vector>

#include "conformance/program/commands.h"
#include "conformance/program/flavor_options.h"
#include "conformance/program/known_failures_options.h"
#include "conformance/program/output_options.h"
#include "conformance/runner/run.h"

namespace sandproof::conformance {

struct RunPlan {
  std::vector<ConfiguredFlavor> flavors;
  std::vector<const Case*> cases;
  /// All but its flavors, log and progress.
  RunOptions options;
  OutputOptions output;
  /// The known-failures file, where it is to be rewritten by what the run shows.
  std::optional<KnownFailuresRewrite> rewrite;
  /// Shows what the cases did also where they passed.
  bool tell_all = false;
};

/// Throws ProgramError and RunnerError before anything runs.
int run_and_report(const ProgramContext& context, RunPlan plan);

/// The number of cores, at least 1 and at most what the runner takes.
int default_jobs();
inline constexpr int kMostJobs = 64;

}  // namespace sandproof::conformance
