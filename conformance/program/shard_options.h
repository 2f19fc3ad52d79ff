// SPDX-License-Identifier: Apache-2.0
// Which part of the suite this process is to run: --shard, --shards, and what a test runner or a
// Kubernetes Indexed Job says in the environment.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "conformance/runner/run.h"

namespace CLI {
class App;
}

namespace sandproof::conformance {

/// Null where a variable is not set; std::getenv in production.
using EnvironmentLookup = std::function<const char*(const char*)>;

struct ShardOptions {
  /// As given: "1/3"; empty: not given.
  std::string shard;
  /// How many there are, the index being JOB_COMPLETION_INDEX; empty: not given.
  std::string shards;

  void add_to(CLI::App& app);

  /// What decides, in this order: --shard; --shards with JOB_COMPLETION_INDEX (from 0);
  /// GTEST_SHARD_INDEX (from 0) with GTEST_TOTAL_SHARDS; JOB_COMPLETION_INDEX with
  /// SANDPROOF_SHARDS. Nothing where none is there: the whole suite. An index without a total is
  /// none. Throws ProgramError (kUsage) for what is no part of a whole, and for a total without an
  /// index: somebody wanted parts, and each process would run everything.
  std::optional<Shard> chosen(const EnvironmentLookup& lookup) const;
};

/// Tells a runner of tests that divides them that this program knows how: by GoogleTest's protocol,
/// GTEST_SHARD_STATUS_FILE is made, or emptied, whether there are shards or not. Throws
/// ProgramError (kUsage) where it cannot be.
void acknowledge_sharding(const EnvironmentLookup& lookup);

}  // namespace sandproof::conformance
