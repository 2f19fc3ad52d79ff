// SPDX-License-Identifier: Apache-2.0
// Loading results; see result_files.h.
#include "conformance/program/result_files.h"

#include <fmt/format.h>

#include "conformance/program/program_error.h"
#include "conformance/report/files.h"
#include "conformance/report/json_report.h"
#include "conformance/report/report_shape.h"

namespace sandproof::conformance {
namespace {

constexpr int kKnownFormat = 1;

/// `sentence` may come from the standard library of JSON, which writes several lines.
[[noreturn]] void refuse(const std::string& sentence) { throw usage_error(sentence); }

std::string read_results(const std::string& path, std::string_view what) {
  try {
    return read_whole_file(path, what);
  } catch (const std::runtime_error& error) {
    refuse(error.what());
  }
}

bool is_report(const nlohmann::json& document) {
  return document.is_object() && document.contains("flavors") && document.contains("rules");
}

/// One object in one or many lines; a log has one in each.
nlohmann::json parsed_document(const std::string& text) {
  return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

bool looks_like_log(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  const nlohmann::json first = parsed_document(line);
  return first.is_object() && first.contains("event");
}

EventLog parsed_log(const std::string& text, const std::string& path) {
  try {
    return parse_event_log(text, path);
  } catch (const EventLogError& error) {
    refuse(error.what());
  }
}

nlohmann::json checked_report(nlohmann::json document, const std::string& path) {
  if (!is_report(document)) {
    refuse(fmt::format("{} is no report of a run: `sandproof run --report json:FILE` writes one",
                       path));
  }
  const nlohmann::json format = document.value("format", nlohmann::json());
  if (format != kKnownFormat) {
    refuse(fmt::format("the format of {} is {}, and this program reads format {}", path,
                       format.dump(), kKnownFormat));
  }
  return document;
}

/// Of what `diff` compares, so that it knows which of its two files it is.
nlohmann::json whole_report(nlohmann::json document, const std::string& path) {
  const std::string trouble = shape_trouble(document);
  if (trouble.empty()) return document;
  refuse(fmt::format("{} is no whole report: {}; `sandproof run --report json:FILE` writes one",
                     path, trouble));
}

nlohmann::json report_of(const EventLog& log) {
  try {
    return nlohmann::json::parse(to_json_report(build_run_model(log)));
  } catch (const EventLogError& error) {
    refuse(error.what());
  }
}

}  // namespace

EventLog load_event_log(const std::string& path) {
  const std::string text = read_results(path, "the event log");
  if (is_report(parsed_document(text))) {
    refuse(
        fmt::format("{} is a report, and reports are made from event logs: give the log itself, "
                    "which `sandproof run --event-log FILE` keeps",
                    path));
  }
  return parsed_log(text, path);
}

nlohmann::json load_report(const std::string& path) {
  const std::string text = read_results(path, "the report");
  if (looks_like_log(text)) {
    refuse(
        fmt::format("{} is an event log, not a report: `sandproof report convert {} --report "
                    "json:FILE` makes one of it",
                    path, path));
  }
  return checked_report(parsed_document(text), path);
}

nlohmann::json load_results(const std::string& path) {
  const std::string text = read_results(path, "the report or event log");
  if (looks_like_log(text) || text.empty()) return report_of(parsed_log(text, path));
  return whole_report(checked_report(parsed_document(text), path), path);
}

}  // namespace sandproof::conformance
