// SPDX-License-Identifier: Apache-2.0
// The events that stand at the head of a log, before anything runs (docs/event-log.md):
// run_started, known_failure, rule, flavor, case_planned. Used by the supervisor's thread.
#pragma once

#include "conformance/runner/event_log_writer.h"
#include "conformance/runner/schedule.h"

namespace sandproof::conformance::runner {

/// Throws RunnerError when the log cannot be written.
void announce(const Suite& suite, const RunOptions& options, Schedule& schedule,
              EventLogWriter& log);

}  // namespace sandproof::conformance::runner
