// SPDX-License-Identifier: Apache-2.0
// `sandproof replay`: one case again, as a report told it, in one worker or in this process.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "conformance/program/case_filter.h"
#include "conformance/program/commands.h"
#include "conformance/program/in_process.h"
#include "conformance/program/nearest.h"
#include "conformance/program/program_error.h"
#include "conformance/program/run_and_report.h"
#include "conformance/program/value_checks.h"
#include "conformance/runner/selection.h"

namespace sandproof::conformance {
namespace {

constexpr const char* kReplayExamples = R"(Examples:
  sandproof replay --flavor FLAVOR --case KillIsIdempotent --seed 123
  gdb --args sandproof replay --flavor FLAVOR --case KillIsIdempotent --in-process

The line of a report replays exactly that case: the seed of the run gives the case its seed,
whatever else ran. --in-process has no limit on time and does not survive a crash: a debugger
wants that. Exit codes as those of run.)";

struct ReplayArguments {
  FlavorOptions flavor;
  OutputOptions output;
  std::string name;
  std::uint64_t seed = 0;
  double time_scale = 1;
  bool in_process = false;
};

const Case& case_named(const Suite& suite, const std::string& name, const std::string& program) {
  const Case* const test_case = suite.find_case(name);
  if (test_case != nullptr) return *test_case;
  throw usage_error(fmt::format("there is no case `{}`{}", name,
                                suggestion(name, case_names(suite), program + " list cases")));
}

ConfiguredFlavor only_flavor(const Suite& suite, const FlavorOptions& options) {
  const std::vector<ConfiguredFlavor> flavors = configured_flavors(suite, options);
  if (flavors.size() == 1) return flavors.front();
  throw usage_error(
      fmt::format("replay needs one --flavor{}", suggestion("", binding_names(suite))));
}

/// A case without the runner has no event log, from which reports are made.
void check_in_process(const ReplayArguments& arguments) {
  if (!arguments.in_process) return;
  const OutputOptions& output = arguments.output;
  if (output.event_log.empty() && output.reports.empty()) return;
  throw usage_error(fmt::format(
      "--in-process keeps no event log and makes no report; leave out {}, or --in-process",
      output.event_log.empty() ? "--report " + output.reports.front()
                               : "--event-log " + output.event_log));
}

int replay(const ProgramContext& context, const ReplayArguments& arguments) {
  const Suite& suite = *context.suite;
  check_in_process(arguments);
  arguments.output.check_distinct_from(arguments.flavor.inputs());
  const Case& test_case = case_named(suite, arguments.name, context.program);
  const ConfiguredFlavor flavor = only_flavor(suite, arguments.flavor);
  if (arguments.in_process) {
    return run_in_process(suite, {flavor, &test_case, arguments.seed, arguments.time_scale},
                          describe_terminal(STDOUT_FILENO, arguments.output.color_mode()));
  }
  const Disposition disposition = dispose(suite, test_case, *flavor.binding);
  if (disposition.kind == DispositionKind::kNotObservable) {
    throw ProgramError(ExitCode::kNothingSelected,
                       fmt::format("{} does not run on {}: {}", test_case.name,
                                   flavor.binding->name(), disposition.reason));
  }
  RunPlan plan;
  plan.flavors = {flavor};
  plan.cases = {&test_case};
  plan.options.seed = arguments.seed;
  plan.options.time_scale = arguments.time_scale;
  plan.options.filtered = true;
  plan.output = arguments.output;
  plan.tell_all = true;
  return run_and_report(context, std::move(plan));
}

}  // namespace

Subcommand replay_command(const ProgramContext& context) {
  return {"replay", "Run one case again, as a report told it",
          [context](CLI::App& app) -> std::function<int()> {
            const auto arguments = std::make_shared<ReplayArguments>();
            arguments->flavor.add_to(app, false);
            app.add_option("--case", arguments->name, "The case, by its name")
                ->type_name("NAME")
                ->required();
            app.add_option("--seed", arguments->seed, "The seed of the run (default: 0)")
                ->type_name("N");
            check_seed(*app.get_option("--seed"));
            add_time_scale(app, arguments->time_scale);
            app.add_flag("--in-process", arguments->in_process, "In this process, for a debugger");
            arguments->output.add_reports_to(app);
            arguments->output.add_event_log_to(app);
            arguments->output.add_color_to(app);
            app.footer(report_kinds_help() + "\n" + kReplayExamples);
            return [context, arguments] { return replay(context, *arguments); };
          }};
}

}  // namespace sandproof::conformance
