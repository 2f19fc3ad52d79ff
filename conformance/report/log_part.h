// SPDX-License-Identifier: Apache-2.0
// One event log as a part of several that are to be merged: its head taken apart. Values and pure
// functions; any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/report/event_reader.h"
#include "conformance/report/run_model.h"

namespace sandproof::conformance {

/// A case that a log knows of, its own or another shard's.
struct PartCase {
  /// The shard that runs it; 0 where there are none.
  int shard = 0;
  /// It is this log that ran it, or was to.
  bool own = true;
  /// Of the suite: where it stands in the plan.
  std::int64_t position = 0;
  /// As planned, without what differs from log to log.
  nlohmann::json planned;
};

struct LogPart {
  std::string name;
  /// The event run_started; null where the run was killed before it wrote a whole line.
  nlohmann::json started;
  std::optional<ShardInfo> shard;
  /// Of the whole, where this is a shard: a filter left cases out.
  bool filtered = false;
  std::uint64_t seed = 0;
  std::vector<nlohmann::json> rules;
  /// The events `known_failure`, in their order.
  std::vector<nlohmann::json> known_failures;
  /// The events `flavor`, in their order.
  std::vector<std::pair<std::string, nlohmann::json>> flavors;
  /// By flavor and case.
  std::map<std::pair<std::string, std::string>, PartCase> cases;
  /// What stands behind the head, without run_finished and `part`.
  std::vector<nlohmann::json> body;
  /// Of a log that was merged before.
  std::vector<nlohmann::json> parts;
  /// The event run_finished; null without one.
  nlohmann::json finished;
  /// The log goes on behind its head: the head is whole.
  bool planned = false;
  double elapsed_ms = 0;

  std::vector<std::string> flavor_names() const;
  /// Null for a flavor that it does not have.
  const nlohmann::json* find_flavor(std::string_view wanted) const;
  bool begun() const { return !started.is_null(); }
};

/// Throws EventLogError for a log that begins with another event than run_started, and for keys of
/// a wrong type.
LogPart take_apart(const EventLog& log);

/// An event without `event`, `seq` and `t_ms`.
nlohmann::json bare(nlohmann::json event);

}  // namespace sandproof::conformance
