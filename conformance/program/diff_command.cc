// SPDX-License-Identifier: Apache-2.0
// `sandproof diff`: what was lost and gained between two results, or between two flavors.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "conformance/program/commands.h"
#include "conformance/program/output_options.h"
#include "conformance/program/program_error.h"
#include "conformance/program/result_files.h"
#include "conformance/program/value_checks.h"
#include "conformance/report/diff.h"

namespace sandproof::conformance {
namespace {

constexpr const char* kDiffExamples = R"(Examples:
  sandproof diff main.json branch.json
  sandproof diff main.jsonl branch.jsonl --report json:diff.json
  sandproof diff conformance.json --flavors FLAVOR,OTHER

Each of the two is a conformance.json or an event log. Lost is what passed and does not any more
(also what is only not claimed, not observable or excused now), a verdict, a flavor, or that the
list of known failures holds; gained is the opposite. A failure that is excused now is changed, and
no gain. Cases that pass are compared in time, too; a slower one is shown and is no loss.
Exit codes: 0 nothing was lost, 1 something was, 2 usage, or a file that is neither.)";

struct DiffArguments {
  std::string before;
  std::string after;
  std::string flavors;
  DiffOptions options;
  OutputOptions output;
};

std::optional<std::pair<std::string, std::string>> flavor_pair(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t comma = text.find(',');
  if (comma != std::string::npos && comma > 0 && comma + 1 < text.size()) {
    return std::pair(text.substr(0, comma), text.substr(comma + 1));
  }
  throw usage_error(fmt::format("--flavors takes two names, as in `local,docker`, not `{}`", text));
}

int run_diff(const DiffArguments& arguments) {
  DiffOptions options = arguments.options;
  options.flavors = flavor_pair(arguments.flavors);
  if (arguments.after.empty() && !options.flavors) {
    throw usage_error("diff takes two results, or one with --flavors A,B");
  }
  arguments.output.check_distinct_from(
      {{arguments.before, arguments.before}, {arguments.after, arguments.after}});
  const std::vector<RequestedReport> reports = arguments.output.requested_reports();
  const nlohmann::json before = load_results(arguments.before);
  const nlohmann::json after = arguments.after.empty() ? before : load_results(arguments.after);
  Diff diff;
  try {
    diff = diff_reports(before, after, options);
  } catch (const DiffError& error) {
    throw usage_error(error.what());
  }
  const Terminal terminal = describe_terminal(STDOUT_FILENO, arguments.output.color_mode());
  write_text(STDOUT_FILENO, diff_text(diff, terminal));
  if (!write_reports(reports, [&diff](const ReportFormat&) { return diff_json(diff); })) {
    return static_cast<int>(ExitCode::kRunner);
  }
  return static_cast<int>(diff.lost() ? ExitCode::kNotConformant : ExitCode::kConformant);
}

}  // namespace

Subcommand diff_command(const ProgramContext& /*context*/) {
  return {"diff", "Compare two results: what was lost, what was gained",
          [](CLI::App& app) -> std::function<int()> {
            const auto arguments = std::make_shared<DiffArguments>();
            app.add_option("BEFORE", arguments->before, "A conformance.json or an event log")
                ->required();
            app.add_option("AFTER", arguments->after, "Another; may be missing with --flavors");
            app.add_option("--flavors", arguments->flavors,
                           "This flavor of BEFORE with that one of AFTER")
                ->type_name("A,B");
            // A factor below 1 would call what became faster slower.
            constexpr double kMostFactor = 1000;
            app.add_option("--slower", arguments->options.slower,
                           "Slower is what takes this many times as long (default: 1.5) …")
                ->type_name("FACTOR");
            check_between(*app.get_option("--slower"), 1, kMostFactor);
            constexpr double kHourMs = 3'600'000;
            app.add_option("--slower-by", arguments->options.slower_by_ms,
                           "… and this much longer, in milliseconds (default: 250)")
                ->type_name("MS");
            check_between(*app.get_option("--slower-by"), 0, kHourMs);
            arguments->output.add_json_report_to(app);
            arguments->output.add_color_to(app);
            app.footer(kDiffExamples);
            return [arguments] { return run_diff(*arguments); };
          }};
}

}  // namespace sandproof::conformance
