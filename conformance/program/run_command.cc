// SPDX-License-Identifier: Apache-2.0
// `sandproof run`: the suite, or a part of it, against one or more flavors.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>

#include "conformance/program/case_filter.h"
#include "conformance/program/commands.h"
#include "conformance/program/run_and_report.h"
#include "conformance/program/shard_options.h"
#include "conformance/program/value_checks.h"

namespace sandproof::conformance {
namespace {

constexpr const char* kRunExamples = R"(Examples:
  sandproof run                                    every case, every flavor that is not test-only
  sandproof run --flavor FLAVOR -j4                 one flavor, four workers
  sandproof run --flavor FLAVOR --area KILL         one area
  sandproof run --rule 'KILL-00*' --rule WAIT-001  some rules
  sandproof run --flavor FLAVOR --report junit:junit.xml --report html:report.html
  sandproof run --shuffle --seed 17                another order, repeatable
  sandproof run --shard 1/3 --event-log 1.jsonl    a third of it; see `report merge`
  sandproof run --known-failures known.yaml        a gate: only what is listed may fail

Exit codes: 0 conformant as declared, 1 not, 2 usage or configuration, 3 the environment is
not ready (a flavor cannot start), 4 nothing selected, 5 the runner failed or its output could
not be written, 6 incomplete.
A shard is judged by its own cases; one without any is 0. A run that --fail-fast stopped is 1: what
it found counts, and the reports name the cases that were not run.)";

struct RunArguments {
  FlavorOptions flavor;
  CaseFilter filter;
  ShardOptions shard;
  KnownFailuresOptions known_failures;
  OutputOptions output;
  int jobs = default_jobs();
  bool shuffle = false;
  std::optional<std::uint64_t> seed;
  double time_scale = 1;
  bool fail_fast = false;
};

/// Parts of one run need one seed, and have no way to agree on a fresh one.
constexpr std::uint64_t kSeedOfShards = 0;

/// Short enough to be typed, and another one each time: a run that found something prints it.
std::uint64_t fresh_seed() { return std::random_device{}() % 1'000'000; }

void add_filters(CLI::App& app, CaseFilter& filter) {
  const auto add = [&app](const char* name, std::vector<std::string>& patterns, const char* help) {
    app.add_option(name, patterns, help)->type_name("PATTERN")->allow_extra_args(false);
  };
  add("--rule", filter.rules, "Only cases of these rules: KILL-002, 'WAIT-*'; may be repeated");
  add("--area", filter.areas, "Only these areas: KILL, 'S*'; may be repeated");
  add("--case", filter.cases, "Only these cases: 'Kill*'; may be repeated");
}

int run(const ProgramContext& context, const RunArguments& arguments) {
  std::vector<NamedFile> inputs = arguments.flavor.inputs();
  const std::string& known = arguments.known_failures.file;
  inputs.push_back({"--known-failures " + known, known});
  arguments.output.check_distinct_from(inputs);
  const auto lookup = [](const char* name) { return std::getenv(name); };
  RunPlan plan;
  plan.flavors = configured_flavors(*context.suite, arguments.flavor);
  plan.cases = select_cases(*context.suite, arguments.filter, context.program);
  plan.options.jobs = arguments.jobs;
  plan.options.shuffle = arguments.shuffle;
  plan.options.shard = arguments.shard.chosen(lookup);
  plan.options.seed = arguments.seed       ? *arguments.seed
                      : plan.options.shard ? kSeedOfShards
                                           : fresh_seed();
  plan.options.time_scale = arguments.time_scale;
  plan.options.fail_fast = arguments.fail_fast;
  plan.options.filtered = !arguments.filter.empty();
  plan.rewrite = arguments.known_failures.apply_to(plan.options, *context.suite);
  plan.output = arguments.output;
  acknowledge_sharding(lookup);
  return run_and_report(context, std::move(plan));
}

}  // namespace

void add_time_scale(CLI::App& app, double& time_scale) {
  // A tenth is what no machine keeps; a hundred turns 20 s into half an hour.
  constexpr double kLeast = 0.1;
  constexpr double kMost = 100;
  auto* const option =
      app.add_option("--time-scale", time_scale, "Multiplies all limits: for slow machines")
          ->type_name("FACTOR");
  check_between(*option, kLeast, kMost);
}

Subcommand run_command(const ProgramContext& context) {
  return {"run", "Run the conformance suite", [context](CLI::App& app) -> std::function<int()> {
            const auto arguments = std::make_shared<RunArguments>();
            arguments->flavor.add_to(app, true);
            add_filters(app, arguments->filter);
            arguments->shard.add_to(app);
            app.add_option("-j,--jobs", arguments->jobs, "Cases at once (default: one per core)")
                ->type_name("N")
                ->check(CLI::Range(1, kMostJobs));
            app.add_flag("--shuffle", arguments->shuffle, "Run in an order that the seed decides");
            app.add_option("--seed", arguments->seed,
                           "The seed of order and cases (default: another each time; of shards 0)")
                ->type_name("N");
            check_seed(*app.get_option("--seed"));
            add_time_scale(app, arguments->time_scale);
            app.add_flag("--fail-fast", arguments->fail_fast,
                         "Stop at the first failure that counts: exit code 1");
            arguments->known_failures.add_to(app);
            arguments->output.add_reports_to(app);
            arguments->output.add_event_log_to(app);
            arguments->output.add_color_to(app);
            app.footer(report_kinds_help() + "\n" + kRunExamples);
            return [context, arguments] { return run(context, *arguments); };
          }};
}

}  // namespace sandproof::conformance
