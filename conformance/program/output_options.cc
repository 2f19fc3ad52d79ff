// SPDX-License-Identifier: Apache-2.0
// Options for results; see output_options.h.
#include "conformance/program/output_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "conformance/program/program_error.h"

namespace sandproof::conformance {
namespace {

OutputFile checked_file(const std::string& path, const char* what) {
  try {
    return {path, what};
  } catch (const std::runtime_error& error) {
    throw usage_error(error.what());
  }
}

}  // namespace

void OutputOptions::add_color_to(CLI::App& app) {
  app.add_option("--color", color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
}

void OutputOptions::add_reports_to(CLI::App& app) {
  app.add_option("-o,--report", reports,
                 fmt::format("A report: KIND is {}; may be repeated", report_kinds()))
      ->type_name("KIND:FILE")
      ->allow_extra_args(false);
}

void OutputOptions::add_json_report_to(CLI::App& app) {
  json_alone = true;
  app.add_option("-o,--report", reports, "A report for programs, as json:FILE; may be repeated")
      ->type_name("json:FILE")
      ->allow_extra_args(false);
}

void OutputOptions::add_event_log_to(CLI::App& app) {
  app.add_option("--event-log", event_log, "Keep the event log, from which all reports are made")
      ->type_name("FILE");
}

ColorMode OutputOptions::color_mode() const {
  if (color == "always") return ColorMode::kAlways;
  return color == "never" ? ColorMode::kNever : ColorMode::kAuto;
}

void OutputOptions::check_distinct_from(const std::vector<NamedFile>& inputs) const {
  std::vector<NamedFile> outputs = {{"--event-log " + event_log, event_log}};
  for (const std::string& report : reports) {
    // What has no colon is refused where its kind is looked up.
    const std::size_t colon = report.find(':');
    if (colon == std::string::npos) continue;
    outputs.push_back({"--report " + report, report.substr(colon + 1)});
  }
  check_distinct(outputs, inputs);
}

bool write_reports(const std::vector<RequestedReport>& reports,
                   const std::function<std::string(const ReportFormat&)>& render) {
  bool all = true;
  for (const RequestedReport& requested : reports) {
    try {
      requested.file.write(render(*requested.format));
    } catch (const std::exception& error) {
      print_error(error.what());
      all = false;
    }
  }
  return all;
}

std::vector<RequestedReport> OutputOptions::requested_reports() const {
  std::vector<RequestedReport> requested;
  for (const std::string& report : reports) {
    const std::size_t colon = report.find(':');
    const ReportFormat* const format =
        colon == std::string::npos ? nullptr : find_report_format(report.substr(0, colon));
    if (format == nullptr || (json_alone && format->kind != "json")) {
      throw usage_error(fmt::format("--report takes KIND:FILE, where KIND is {}, not `{}`",
                                    json_alone ? "json" : report_kinds(), report));
    }
    requested.push_back({format, checked_file(report.substr(colon + 1), "the report")});
  }
  return requested;
}

std::filesystem::path OutputOptions::event_log_path() const {
  if (event_log.empty()) return {};
  const OutputFile file = checked_file(event_log, "the event log");
  if (file.is_regular()) return file.path();
  throw usage_error(
      fmt::format("the event log {} is no regular file, and the reports are read from it again; "
                  "name one",
                  event_log));
}

std::string report_kinds_help() {
  std::size_t columns = 0;
  for (const ReportFormat& format : report_formats()) {
    columns = std::max(columns, columns_of(format.kind));
  }
  std::string text = "Reports, for --report KIND:FILE:\n";
  for (const ReportFormat& format : report_formats()) {
    text += fmt::format("  {}  {}\n", pad_to(format.kind, columns), format.what);
  }
  return text;
}

int progress_descriptor() { return ::isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO; }

}  // namespace sandproof::conformance
