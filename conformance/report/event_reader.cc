// SPDX-License-Identifier: Apache-2.0
// The reader of the event log; see event_reader.h.
#include "conformance/report/event_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <utility>

#include "conformance/report/checksum.h"
#include "conformance/report/files.h"

namespace sandproof::conformance {
namespace {

nlohmann::json parse_line(std::string_view line, const std::string& name, std::size_t number) {
  nlohmann::json event = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (event.is_discarded() || !event.is_object()) {
    throw EventLogError(
        fmt::format("the event log {} is damaged: line {} is not a JSON object", name, number));
  }
  const auto kind = event.find("event");
  if (kind == event.end() || !kind->is_string()) {
    throw EventLogError(
        fmt::format("the event log {} is damaged: line {} has no \"event\"", name, number));
  }
  return event;
}

/// Lines are numbered from 0 without a gap, so that a log that lost lines is not taken for whole.
void check_sequence(const nlohmann::json& event, const std::string& name, std::size_t number) {
  const auto seq = event.find("seq");
  if (seq == event.end() || !seq->is_number_integer()) {
    throw EventLogError(
        fmt::format("the event log {} is damaged: line {} has no \"seq\"", name, number));
  }
  const auto wanted = static_cast<std::int64_t>(number) - 1;
  if (*seq != wanted) {
    throw EventLogError(
        fmt::format("the event log {} is damaged: line {} has seq {} where {} was due, so events "
                    "are missing or out of order",
                    name, number, seq->dump(), wanted));
  }
}

/// How a first line begins: the keys of an event are written in the order of the alphabet, and
/// those of a merged log may have no `argv`.
constexpr std::string_view kBeginnings[] = {R"({"argv":[)", R"({"event":"run_started")"};

/// A first line without an end is that of a run that was killed at once, or of another file.
void check_beginning(std::string_view text, const std::string& name) {
  for (const std::string_view beginning : kBeginnings) {
    const std::size_t size = std::min(text.size(), beginning.size());
    if (text.substr(0, size) == beginning.substr(0, size)) return;
  }
  throw EventLogError(
      fmt::format("{} is no event log: its only line has no end and does not begin as the event "
                  "`run_started`; `sandproof run --event-log FILE` keeps one",
                  name));
}

}  // namespace

EventLog parse_event_log(std::string_view text, std::string name) {
  EventLog log;
  log.name = std::move(name);
  log.checksum = checksum_of(text);
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    if (newline == std::string_view::npos) {
      if (log.events.empty()) check_beginning(text, log.name);
      log.torn = true;
      break;
    }
    const std::size_t number = log.events.size() + 1;
    log.events.push_back(parse_line(text.substr(0, newline), log.name, number));
    check_sequence(log.events.back(), log.name, number);
    text.remove_prefix(newline + 1);
  }
  return log;
}

EventLog read_event_log(const std::filesystem::path& path) {
  try {
    return parse_event_log(read_whole_file(path, "the event log"), path.string());
  } catch (const EventLogError&) {
    throw;
  } catch (const std::exception& error) {
    throw EventLogError(error.what());
  }
}

}  // namespace sandproof::conformance
