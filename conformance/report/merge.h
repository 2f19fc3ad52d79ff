// SPDX-License-Identifier: Apache-2.0
// Several event logs become one: shards of a run, or runs of different flavors, or of different
// cases. What is merged is a log like any other (docs/event-log.md), so that its reports are those
// of one run. Pure; any thread.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/report/event_reader.h"

namespace sandproof::conformance {

/// The logs are no parts of one whole. The message is one sentence that names them.
class MergeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The text of the merged log. A missing shard and a killed run, also one that was killed before it
/// wrote a whole line, make it incomplete, with a reason that names them; a missing shard's cases
/// are in it, as not run. Throws MergeError for logs of different versions, rules, lists of known
/// failures, time scales, filters or declarations of a flavor, for different seeds or plans of one
/// flavor, and for a shard or a case of a flavor that is there twice; EventLogError for a damaged
/// log.
std::string merge_event_logs(const std::vector<EventLog>& logs);

}  // namespace sandproof::conformance
