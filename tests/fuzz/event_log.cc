// SPDX-License-Identifier: Apache-2.0
// The event log: any text is a log or an EventLogError, and so is what its events add up to. A
// model that was built has a verdict, and a report in every format.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/report/event_reader.h"
#include "conformance/report/formats.h"
#include "conformance/report/run_model.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/require.h"

namespace sandproof::conformance {
namespace {

void check_model(const EventLog& log) {
  std::optional<RunModel> model;
  try {
    model = build_run_model(log);
  } catch (const EventLogError& error) {
    fuzz::require(std::string_view(error.what()).find("the log") != std::string_view::npos,
                  "a refusal names the log");
    return;
  }
  const int code = exit_code_of(*model);
  fuzz::require(code == 0 || code == 1 || code == 4 || code == 6, "a run ends as is documented");
  fuzz::require(code != 0 || (model->complete && !log.torn),
                "what is incomplete is not conformant");
  for (const FlavorResult& flavor : model->flavors) {
    fuzz::require(flavor.rules.size() == model->rules.size(), "every rule has a state");
  }
  for (const ReportFormat& format : report_formats()) {
    const std::string report = format.render(*model);
    fuzz::require(!report.empty(), "every model has a report");
    if (format.kind != "json") continue;
    const auto json = nlohmann::json::parse(report, nullptr, false);
    fuzz::require(json.is_object() && json.value("exit_code", -1) == code,
                  "the report is JSON and says how the run ended");
  }
}

/// The events that stand in `text`, one a line, whatever their numbers: an input that was changed
/// somewhere would otherwise hardly get past the reader.
EventLog loose_log(std::string_view text) {
  EventLog log;
  log.name = "the log";
  for (const std::string& line : fuzz::lines_of(text)) {
    nlohmann::json event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object()) continue;
    if (const auto kind = event.find("event"); kind == event.end() || !kind->is_string()) continue;
    log.events.push_back(std::move(event));
  }
  return log;
}

}  // namespace
}  // namespace sandproof::conformance

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sandproof::conformance;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const EventLog log = parse_event_log(text, "the log");
    sandproof::fuzz::require(log.torn == (!text.empty() && text.back() != '\n'),
                             "a log without a last newline is torn");
    check_model(log);
  } catch (const EventLogError& error) {
    sandproof::fuzz::require(
        std::string_view(error.what()).find("the log") != std::string_view::npos,
        "a refusal names the log");
  }
  check_model(loose_log(text));
  return 0;
}
