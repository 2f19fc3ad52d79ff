// SPDX-License-Identifier: Apache-2.0
// Runs mutants in rounds. A round is one guarded run in which each of some mutants meets one more
// of its cases; a mutant that was killed is done, one that was not comes back with its next case.
// So nothing runs that is not needed for the verdict, and every worker is busy.
//
// Most of the time goes into cases that wait for what a mutant never does. So there are two stages:
// in the first one waits are short; what is not killed there, or by a case that does not pass that
// fast on the healthy flavor, meets all its cases again in full time.
//
// Owned by the mutants command; called by its only thread.
#pragma once

#include <chrono>
#include <functional>
#include <map>
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

  /// Runs them all, or until interrupted or out of budget. `finish` makes the reports and returns
  /// the exit code; it is called once, in the process that survives.
  int run(const std::function<int(const MutantReport&)>& finish);

 private:
  /// A mutant (an index into plans_) and the next of its cases.
  struct Pending {
    std::size_t plan = 0;
    std::size_t next = 0;
  };
  /// How the mutants meet their cases.
  struct Stage {
    /// On top of the user's time scale.
    double hurry = 1;
    /// The cases of other rules follow for what is not killed.
    bool others = true;
    /// All cases of a mutant in one round, killed or not.
    bool full = false;
  };
  /// By binding, or by binding with capped limits: cases that fail without a fault.
  using Failing = std::map<std::string, std::vector<std::string>>;

  /// Runs these and decides those that were killed soundly; returns the others. Empty and with
  /// `report_.interrupted` set when the run has to end.
  std::vector<std::size_t> run_stage(const std::vector<std::size_t>& plans, const Stage& stage);
  bool run_rounds(const std::vector<std::size_t>& plans, const Stage& stage);
  bool run_round(const std::vector<Pending>& pending, const Stage& stage);
  /// The cases that failed under a mutant, without one.
  bool run_healthy(const std::vector<std::size_t>& plans, const Stage& stage, Failing& failing);
  bool run_flavors(std::vector<SelectedFlavor> flavors, const Stage& stage,
                   const std::function<void(const FlavorResult&)>& take);

  SelectedFlavor selected(const Pending& pending, const Stage& stage) const;
  RunOptions run_options(std::vector<SelectedFlavor> flavors, const Stage& stage) const;
  void take(const FlavorResult& flavor);
  std::size_t cases_of(const MutantPlan& plan, const Stage& stage) const;
  bool is_killed(std::size_t plan) const;
  void decide(std::size_t plan, const Failing& failing);
  bool out_of_budget();
  MutantReport finished_report();
  void tell();

  const ProgramContext& context_;
  std::vector<MutantPlan> plans_;
  MutantRunOptions options_;
  /// report_.mutants[i] is of plans_[i].
  MutantReport report_;
  /// Those whose cases of the last stage that they were in are all known.
  std::vector<bool> decided_;
  std::function<int(const MutantReport&)> finish_;
  std::chrono::steady_clock::time_point begun_;
  std::chrono::steady_clock::time_point told_;
  std::size_t killed_ = 0;
};

}  // namespace sandproof::conformance
