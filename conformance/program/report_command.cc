// SPDX-License-Identifier: Apache-2.0
// `sandproof report merge` and `report convert`: reports from event logs, after the run and on any
// machine.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "conformance/program/commands.h"
#include "conformance/program/output_options.h"
#include "conformance/program/program_error.h"
#include "conformance/program/result_files.h"
#include "conformance/report/console.h"
#include "conformance/report/merge.h"

namespace sandproof::conformance {
namespace {

constexpr const char* kReportExamples = R"(Examples:
  sandproof report convert run.jsonl                          what the run printed at its end
  sandproof report convert run.jsonl --report html:report.html --report junit:junit.xml
  sandproof report merge 1.jsonl 2.jsonl 3.jsonl              the shards of a run

An event log is what `sandproof run --event-log FILE` keeps.)";

constexpr const char* kMergeExamples = R"(Examples:
  sandproof report merge logs/*.jsonl --report json:conformance.json
  sandproof report merge local.jsonl docker.jsonl --event-log all.jsonl

Merged are the shards of a run, runs of different flavors, and runs of different cases: what the
same program found out with the same rules, time scale and filters. A case of a flavor may be there
once. A missing shard and a run that was killed are named, and make the result incomplete.
Exit codes: those of one run: 0 conformant as declared, 1 not, 4 nothing selected, 6 incomplete;
2 for logs that do not fit together.)";

constexpr const char* kConvertExamples = R"(Examples:
  sandproof report convert run.jsonl
  sandproof report convert run.jsonl --report json:conformance.json

With --report nothing is printed. A log of a run that was killed is as good as it got: its report
says incomplete. Exit codes: those of the run: 0 conformant as declared, 1 not, 4 nothing selected,
6 incomplete; 2 for what is no event log.)";

struct ReportArguments {
  /// What convert takes; and merge.
  std::string log;
  std::vector<std::string> logs;
  OutputOptions output;
};

RunModel modelled(const EventLog& log) {
  try {
    return build_run_model(log);
  } catch (const EventLogError& error) {
    throw usage_error(error.what());
  }
}

/// Returns the exit code.
int written_code(const std::vector<RequestedReport>& reports, const RunModel& model) {
  const bool written =
      write_reports(reports, [&model](const ReportFormat& format) { return format.render(model); });
  return written ? exit_code_of(model) : static_cast<int>(ExitCode::kRunner);
}

void print_console(const ReportArguments& arguments, const RunModel& model) {
  const Terminal terminal = describe_terminal(STDOUT_FILENO, arguments.output.color_mode());
  write_text(STDOUT_FILENO, console_report(model, terminal));
}

int convert(const ReportArguments& arguments) {
  arguments.output.check_distinct_from({{arguments.log, arguments.log}});
  const std::vector<RequestedReport> reports = arguments.output.requested_reports();
  const RunModel model = modelled(load_event_log(arguments.log));
  if (reports.empty()) print_console(arguments, model);
  return written_code(reports, model);
}

int merge(const ReportArguments& arguments) {
  std::vector<NamedFile> inputs;
  for (const std::string& log : arguments.logs) inputs.push_back({log, log});
  arguments.output.check_distinct_from(inputs);
  const std::vector<RequestedReport> reports = arguments.output.requested_reports();
  const std::filesystem::path kept = arguments.output.event_log_path();
  std::vector<EventLog> logs;
  for (const std::string& path : arguments.logs) logs.push_back(load_event_log(path));
  std::string merged;
  try {
    merged = merge_event_logs(logs);
  } catch (const MergeError& error) {
    throw usage_error(error.what());
  } catch (const EventLogError& error) {
    throw usage_error(error.what());
  }
  const RunModel model = modelled(parse_event_log(merged, "of the merged logs"));
  print_console(arguments, model);
  if (!kept.empty()) OutputFile(kept, "the event log").write(merged);
  return written_code(reports, model);
}

std::shared_ptr<ReportArguments> add_report_arguments(CLI::App& app, bool many) {
  auto arguments = std::make_shared<ReportArguments>();
  if (many) {
    app.add_option("LOG", arguments->logs, "Event logs")->required();
  } else {
    app.add_option("LOG", arguments->log, "An event log")->required();
  }
  arguments->output.add_reports_to(app);
  arguments->output.add_color_to(app);
  return arguments;
}

}  // namespace

Subcommand report_command(const ProgramContext& /*context*/) {
  return {"report", "Make reports from event logs: merge, convert",
          [](CLI::App& app) -> std::function<int()> {
            app.require_subcommand(1);
            app.footer(kReportExamples);
            CLI::App* const merging =
                app.add_subcommand("merge", "One result of several logs: shards, flavors");
            const auto to_merge = add_report_arguments(*merging, true);
            to_merge->output.add_event_log_to(*merging);
            merging->footer(report_kinds_help() + "\n" + kMergeExamples);
            CLI::App* const converting =
                app.add_subcommand("convert", "The reports of one log, or what it says to people");
            const auto to_convert = add_report_arguments(*converting, false);
            converting->footer(report_kinds_help() + "\n" + kConvertExamples);
            return [merging, to_merge, to_convert] {
              return merging->parsed() ? merge(*to_merge) : convert(*to_convert);
            };
          }};
}

}  // namespace sandproof::conformance
