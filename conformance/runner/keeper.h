// SPDX-License-Identifier: Apache-2.0
// The keeper: a process between the supervisor and one worker, to which everything is reparented
// that the worker's cases orphan. So what a case leaves running is known to be that worker's, with
// several workers at once, and the worker itself, the flavor's host, is no subreaper: a flavor
// meets the same host in the suite as everywhere.
//
// It is a fork of the supervisor that executes nothing, holds one pipe, reaps, and ends when it has
// no child any more, or with the supervisor.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace sandproof::conformance::runner {

/// What a keeper writes to its status pipe; small enough to be written whole.
struct KeeperMessage {
  enum Kind : std::int32_t {
    kStarted,     ///< `value` is the worker's pid.
    kNotStarted,  ///< `value` is errno.
    kEnded,       ///< `value` is the worker's wait status.
  };
  Kind kind = kStarted;
  std::int32_t value = 0;
};

/// The worker's ends of its pipes; borrowed.
struct KeeperParts {
  /// For people who look at `ps`.
  std::string flavor;
  int commands = -1;
  int events = -1;
  int block = -1;
  /// Standard output and standard error of the worker.
  int output = -1;
  int status = -1;
};

/// To be called by a process with one thread. Returns the keeper's pid; throws RunnerError.
pid_t start_keeper(const KeeperParts& parts);

}  // namespace sandproof::conformance::runner
