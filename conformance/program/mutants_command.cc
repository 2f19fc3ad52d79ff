// SPDX-License-Identifier: Apache-2.0
// `sandproof mutants`: does the suite notice each of the known faults, and as what it is?
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <regex>
#include <set>

#include "conformance/program/commands.h"
#include "conformance/program/mutant_plan.h"
#include "conformance/program/mutant_rounds.h"
#include "conformance/program/output_options.h"
#include "conformance/program/preflight.h"
#include "conformance/program/program_error.h"
#include "conformance/program/run_and_report.h"
#include "conformance/program/value_checks.h"

namespace sandproof::conformance {
namespace {

constexpr const char* kMutantsExamples = R"(Examples:
  sandproof mutants                           all of them
  sandproof mutants --rule 'KILL-*'           those that break some rules
  sandproof mutants --mutant KillDoesNothing  one
  sandproof mutants --full --report json:mutants.json

A mutant is a healthy flavor with one fault. It is killed when a case of the rule that it breaks
fails; then no more cases run. Otherwise the other cases of the rule and a small smoke set follow,
and it survived, was misattributed (only other rules' cases failed), or did not fire.
Exit codes: 0 all killed, 1 not, 2 usage, 4 nothing selected, 5 the runner failed, 6 ended early.)";

struct MutantsArguments {
  MutantFilter filter;
  OutputOptions output;
  MutantRunOptions run;
  bool require_covered = false;
  int budget_seconds = 0;
  std::string left_out;
};

void check_ready(const std::vector<MutantPlan>& plans, int jobs, const std::string& program) {
  std::set<const Binding*> bindings;
  for (const MutantPlan& plan : plans) {
    if (plan.binding != nullptr) bindings.insert(plan.binding);
  }
  std::vector<ConfiguredFlavor> flavors;
  for (const Binding* binding : bindings) {
    flavors.emplace_back();
    flavors.back().binding = binding;
  }
  if (!flavors.empty()) check_machine_ready(flavors, jobs, program);
  for (const ConfiguredFlavor& configured : flavors) check_starts(configured, program);
}

/// "FILE:LINE", or empty.
void check_place(const std::string& place) {
  static const std::regex kPlace("[^:]+\\.(cc|h):[1-9][0-9]{0,6}");
  if (place.empty() || std::regex_match(place, kPlace)) return;
  throw usage_error(fmt::format(
      "--leave-out takes the place of an assertion, as in cases/kill.cc:47, not `{}`", place));
}

int finish(const Suite& suite, const MutantsArguments& arguments,
           const std::vector<RequestedReport>& reports, MutantReport report) {
  // Else it would look as if the mutants did without the assertion.
  if (!arguments.left_out.empty() && report.left_out == 0 && report.interrupted.empty()) {
    print_error(fmt::format(
        "no case evaluated an assertion at {}; give the line on which one of the cases of the "
        "selected mutants has it",
        arguments.left_out));
    return static_cast<int>(ExitCode::kUsage);
  }
  report.filtered = !arguments.filter.empty();
  // A part of the mutants says nothing about the rules of the others.
  if (!report.filtered && report.interrupted.empty()) {
    report.uncovered = uncovered_rules(suite, report.mutants);
  }
  const Terminal terminal = describe_terminal(STDOUT_FILENO, arguments.output.color_mode());
  write_text(STDOUT_FILENO, mutant_report_text(report, terminal));
  const bool written = write_reports(reports, [&](const ReportFormat&) {
    return mutant_report_json(report, arguments.require_covered);
  });
  if (!written) return static_cast<int>(ExitCode::kRunner);
  return exit_code_of(report, arguments.require_covered);
}

int run_mutants(const ProgramContext& context, const MutantsArguments& arguments) {
  const Suite& suite = *context.suite;
  check_place(arguments.left_out);
  arguments.output.check_distinct_from({});
  std::vector<MutantPlan> plans =
      plan_mutants(suite, arguments.filter, arguments.run.full, context.program);
  const std::vector<RequestedReport> reports = arguments.output.requested_reports();
  check_ready(plans, arguments.run.jobs, context.program);
  MutantRunOptions options = arguments.run;
  options.color = arguments.output.color_mode();
  if (arguments.budget_seconds > 0) options.budget = std::chrono::seconds(arguments.budget_seconds);
  if (!arguments.left_out.empty()) options.left_out_assertion = arguments.left_out;
  MutantRounds rounds(context, std::move(plans), std::move(options));
  return rounds.run(
      [&](const MutantReport& report) { return finish(suite, arguments, reports, report); });
}

}  // namespace

Subcommand mutants_command(const ProgramContext& context) {
  return {
      "mutants", "Check that the suite notices every known fault",
      [context](CLI::App& app) -> std::function<int()> {
        const auto arguments = std::make_shared<MutantsArguments>();
        MutantsArguments& a = *arguments;
        // Most cases wait here for what their mutant never does.
        a.run.jobs = std::min(2 * default_jobs(), kMostJobs);
        app.add_option("--mutant", a.filter.mutants, "Only these mutants; may be repeated")
            ->type_name("PATTERN")
            ->allow_extra_args(false);
        app.add_option("--rule", a.filter.rules, "Only mutants that break these rules")
            ->type_name("PATTERN")
            ->allow_extra_args(false);
        app.add_option("-j,--jobs", a.run.jobs, "Cases at once (default: two per core)")
            ->type_name("N")
            ->check(CLI::Range(1, kMostJobs));
        app.add_flag("--full", a.run.full, "Every case against every mutant: takes long");
        app.add_option("--seed", a.run.seed, "The seed of the cases (default: 0)")->type_name("N");
        check_seed(*app.get_option("--seed"));
        add_time_scale(app, a.run.time_scale);
        // A day is longer than the longest full run.
        app.add_option("--budget", a.budget_seconds, "Begin nothing after this time")
            ->type_name("SECONDS")
            ->check(CLI::Range(1, 86'400));
        app.add_flag("--require-covered", a.require_covered,
                     "Fail, too, for a MUST rule that no mutant covers");
        app.add_option("--leave-out", a.left_out,
                       "Leave out the assertion at this place: some mutant should survive")
            ->type_name("FILE:LINE");
        a.output.add_json_report_to(app);
        a.output.add_color_to(app);
        app.footer(kMutantsExamples);
        return [context, arguments] { return run_mutants(context, *arguments); };
      }};
}

}  // namespace sandproof::conformance
