// SPDX-License-Identifier: Apache-2.0
// `--known-failures FILE` and `--update-known-failures`, from the options to the plan of a run, and
// from its result to the file.
#pragma once

#include <optional>
#include <string>

#include "conformance/program/known_failures_file.h"
#include "conformance/report/files.h"
#include "conformance/report/run_model.h"
#include "conformance/runner/run.h"

namespace CLI {
class App;
}

namespace sandproof::conformance {

/// A file that is to be rewritten when the run has ended.
class KnownFailuresRewrite {
 public:
  /// Throws ProgramError (kUsage) for a file that cannot be written, or not line by line.
  explicit KnownFailuresRewrite(KnownFailuresFile file);
  /// Rewrites, and says on stdout what was done. Leaves the file as it is, and says why on stderr,
  /// where the run is no measure: incomplete, or a part; and where somebody changed the file
  /// meanwhile. Throws std::runtime_error where writing fails.
  void apply(const RunModel& model) const;

 private:
  KnownFailuresFile file_;
  OutputFile output_;
};

struct KnownFailuresOptions {
  std::string file;
  bool update = false;

  void add_to(CLI::App& app);
  /// Puts the list into `run`, whose `filtered`, `shard` and `fail_fast` stand already; gives what
  /// is to be rewritten, if something is. Throws ProgramError (kUsage): a file that is none, an
  /// update by a part of the suite.
  std::optional<KnownFailuresRewrite> apply_to(RunOptions& run, const Suite& suite) const;
};

}  // namespace sandproof::conformance
