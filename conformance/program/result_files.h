// SPDX-License-Identifier: Apache-2.0
// Files with results that a person names: event logs and conformance.json. Any thread; errors are
// ProgramError (kUsage) with one sentence.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "conformance/report/event_reader.h"

namespace sandproof::conformance {

/// Refuses a report, which is made from a log and has less in it.
EventLog load_event_log(const std::string& path);

/// A conformance.json as it stands. Refuses an event log.
nlohmann::json load_report(const std::string& path);

/// Either of them, told apart by what is in it; of a log, the report that is made from it.
nlohmann::json load_results(const std::string& path);

}  // namespace sandproof::conformance
