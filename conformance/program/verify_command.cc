// SPDX-License-Identifier: Apache-2.0
// `sandproof verify`: is a report what the program wrote?
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "conformance/program/commands.h"
#include "conformance/program/output_options.h"
#include "conformance/program/program_error.h"
#include "conformance/program/result_files.h"
#include "conformance/report/json_report.h"
#include "conformance/report/verify.h"

namespace sandproof::conformance {
namespace {

constexpr const char* kVerifyExamples = R"(Examples:
  sandproof verify conformance.json
  sandproof verify conformance.json --event-log run.jsonl

Alone, a report is held against itself: the counts, the states of the rules and the verdicts against
its cases, the outcomes against what the cases tell, reasons against what the flavor declares, and its
checksum. What nothing else in it depends on (failure texts, durations, notes, seeds) only the
checksum holds: who changes it and makes the checksum again is not found out without the event log.
With the event log, the report is made again and every value compared. It is no signature: who can
write the log can write the report.
Exit codes: 0 it holds, 1 it does not, 2 usage, or a file that is no report.)";

/// More do not tell more; a foreign log has one per case.
constexpr std::size_t kFindingsShown = 50;

struct VerifyArguments {
  std::string report;
  std::string event_log;
  OutputOptions output;
};

std::vector<std::string> findings_of(const VerifyArguments& arguments,
                                     const nlohmann::json& report) {
  std::vector<std::string> findings;
  if (!arguments.event_log.empty()) {
    try {
      const RunModel model = build_run_model(load_event_log(arguments.event_log));
      findings = differences(report, nlohmann::json::parse(to_json_report(model)));
    } catch (const EventLogError& error) {
      throw usage_error(error.what());
    }
  }
  // Where the events disagree they say it better.
  return findings.empty() ? inconsistencies(report) : findings;
}

std::string sound_text(const VerifyArguments& arguments, const nlohmann::json& report) {
  std::size_t cases = 0;
  for (const nlohmann::json& flavor : report.at("flavors")) cases += flavor.at("cases").size();
  return fmt::format("{} holds: {}, {}; {}.\n", arguments.report, count_text(cases, "case"),
                     report.at("verdict").get<std::string>(),
                     arguments.event_log.empty()
                         ? "counts, states, verdicts and checksum fit its cases"
                         : "it is what " + arguments.event_log + " makes");
}

int verify(const VerifyArguments& arguments) {
  const Terminal terminal = describe_terminal(STDOUT_FILENO, arguments.output.color_mode());
  const nlohmann::json report = load_report(arguments.report);
  const std::vector<std::string> findings = findings_of(arguments, report);
  if (findings.empty()) {
    write_text(STDOUT_FILENO, paint(terminal, Style::kGood, sound_text(arguments, report)));
    return static_cast<int>(ExitCode::kConformant);
  }
  std::string text = paint(terminal, Style::kBad,
                           fmt::format("{} does not hold: {}", arguments.report,
                                       count_text(findings.size(), "finding")));
  text += "\n";
  for (std::size_t i = 0; i < std::min(findings.size(), kFindingsShown); ++i) {
    text += wrap(printable(findings[i], false), terminal.width, "  ", "    ");
  }
  if (findings.size() > kFindingsShown) {
    text += fmt::format("  ({} more)\n", findings.size() - kFindingsShown);
  }
  write_text(STDOUT_FILENO, text);
  return static_cast<int>(ExitCode::kNotConformant);
}

}  // namespace

Subcommand verify_command(const ProgramContext& /*context*/) {
  return {"verify", "Check that a report is what its run found out",
          [](CLI::App& app) -> std::function<int()> {
            const auto arguments = std::make_shared<VerifyArguments>();
            app.add_option("REPORT", arguments->report, "A conformance.json")->required();
            app.add_option("--event-log", arguments->event_log, "The log that it was made from")
                ->type_name("FILE");
            arguments->output.add_color_to(app);
            app.footer(kVerifyExamples);
            return [arguments] { return verify(*arguments); };
          }};
}

}  // namespace sandproof::conformance
