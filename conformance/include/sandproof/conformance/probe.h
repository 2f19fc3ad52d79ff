// SPDX-License-Identifier: Apache-2.0
// A look into a flavor's backend that does not go through the flavor: what is really running, what
// is really left. Written by the binding. Called from one thread at a time.
#pragma once

#include <string>
#include <vector>

namespace sandproof::conformance {

struct ProcessEntry {
  long pid = 0;
  long parent = 0;
  /// False for a zombie.
  bool alive = true;
  /// The words of its command line joined by one space.
  std::string command;
};

class Probe {
 public:
  virtual ~Probe() = default;
  /// Every process of the environment `session_id`, also those that left their group or session.
  /// (Need::kProcessTable)
  virtual std::vector<ProcessEntry> processes(const std::string& session_id) = 0;
  /// One line for each thing that the backend holds of `component_id`: a directory, a container, a
  /// process. Empty means that nothing is left. (Need::kLeakCensus)
  virtual std::vector<std::string> census(const std::string& component_id) = 0;
  /// A command that prints the environment's identity mark, and the mark of the harness itself.
  /// (Need::kIdentity)
  virtual std::vector<std::string> identity_command() = 0;
  virtual std::string harness_identity() = 0;
  /// Where files of the environment are seen by the harness; empty where they are not.
  /// (Need::kNoIsolation)
  virtual std::string host_path(const std::string& session_id) {
    (void)session_id;
    return {};
  }
};

/// Makes the environment misbehave. (Need::kFaults, Need::kFailingStart …)
class FaultInjector {
 public:
  virtual ~FaultInjector() = default;
  /// The next create fails after the environment was made. (Need::kFailingStart)
  virtual void fail_next_start() = 0;
  /// Stops an environment without destroying it: a container exits, a pod completes.
  /// (Need::kStoppableEnvironment)
  virtual void stop_environment(const std::string& session_id) = 0;
};

}  // namespace sandproof::conformance
