// SPDX-License-Identifier: Apache-2.0
// Runs mutants in rounds. A round is one guarded run in which each of some mutants meets one more
// of its cases; a mutant that was killed is done, one that was not comes back with its next case.
// So nothing runs that is not needed for the verdict, and every worker is busy.
// Owned by the mutants command; called by its only thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "conformance/program/commands.h"
#include "conformance/program/mutant_plan.h"
#include "conformance/report/mutant_report.h"
#include "conformance/report/run_model.h"
#include "conformance/report/terminal.h"
#include "conformance/runner/run.h"

namespace sandproof::conformance {

struct MutantRunOptions {
  int jobs = 1;
  double time_scale = 1;
  std::uint64_t seed = 0;
  bool full = false;
  /// No round begins after this time.
  std::optional<std::chrono::seconds> budget;
  /// "file:line" of an assertion that no case evaluates.
  std::optional<std::string> left_out_assertion;
  ColorMode color = ColorMode::kAuto;
};

class MutantRounds {
 public:
  MutantRounds(const ProgramContext& context, std::vector<MutantPlan> plans,
               MutantRunOptions options);

  /// Runs them all, or until interrupted or out of budget, and then the killing cases on the
  /// healthy flavors. `finish` makes the reports and returns the exit code; it is called once, in
  /// the process that survives.
  int run(const std::function<int(const MutantReport&)>& finish);

 private:
  struct Pending {
    std::size_t plan = 0;
    std::size_t next = 0;
  };

  SelectedFlavor selected(const Pending& pending) const;
  /// False when the run has to end; the reason is in the report then.
  bool round(const std::vector<Pending>& pending);
  bool healthy_round();
  bool guarded(std::vector<SelectedFlavor> flavors,
               const std::function<void(const RunModel&)>& take);
  RunOptions run_options(std::vector<SelectedFlavor> flavors);
  void take(const FlavorResult& flavor);
  std::size_t cases_of(const MutantPlan& plan) const;
  bool is_killed(std::size_t plan) const;
  MutantReport finished_report();
  void tell(bool now);

  const ProgramContext& context_;
  std::vector<MutantPlan> plans_;
  MutantRunOptions options_;
  MutantReport report_;
  /// By binding: cases that fail without a fault.
  std::map<std::string, std::vector<std::string>> failing_healthy_;
  std::function<int(const MutantReport&)> finish_;
  std::chrono::steady_clock::time_point begun_;
  std::chrono::steady_clock::time_point told_;
  std::size_t decided_ = 0;
  std::size_t killed_ = 0;
};

}  // namespace sandproof::conformance
