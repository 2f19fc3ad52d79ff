// SPDX-License-Identifier: Apache-2.0
// Reads the event log (docs/event-log.md): JSON lines, numbered without a gap. Values and pure
// functions; any thread.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof::conformance {

/// The log is not one: unreadable, not JSON, out of order, a key of the wrong type. The message is
/// one sentence that names the log and the line.
class EventLogError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct EventLog {
  /// What the messages call it.
  std::string name;
  /// The event of line n (from 1) stands at n - 1.
  std::vector<nlohmann::json> events;
  /// Of the whole text (checksum.h).
  std::string checksum;
  /// The last line has no newline: its writer was killed. It is not among the events.
  bool torn = false;
};

/// Takes the text of a log. Throws EventLogError for a whole line that is no event, for a sequence
/// number that is not one more than the last, and for a text of one torn line that does not begin
/// as the event run_started.
EventLog parse_event_log(std::string_view text, std::string name);

/// The same from a file; an EventLogError, too, for one that cannot be read.
EventLog read_event_log(const std::filesystem::path& path);

}  // namespace sandproof::conformance
