// SPDX-License-Identifier: Apache-2.0
// The worker: a process that takes one piece of work at a time and reports what came of it. It may
// crash, hang, print for ever or be killed at any moment; the supervisor (supervisor.h) sees to it.
//
// Commands come as lines of JSON: first {"op":"setup", flavor, config, mutant, left_out,
// time_scale, directory, record_places}, then any number of {"op":"case", case, seed} and
// {"op":"refusal", capability}; the end of the pipe ends the worker. Events go back as lines of
// JSON: for each command {"event":"begun"}, `note`, `assertion_failed` and `leftovers` as in
// docs/event-log.md, then one
// {"event":"done", outcome, message, duration_ms, assertions, places} or
// {"event":"refused", held, message}.
#pragma once

#include <string>
#include <vector>

#include "conformance/runner/suite.h"

namespace sandproof::conformance::runner {

/// The words after `worker`: `--flavor F --fd-commands N --fd-events M --fd-block K --parent P`.
/// The flavor is there for people who look at `ps`; the setup decides. Returns the exit code.
int worker_main(const Suite& suite, const std::vector<std::string>& arguments);

}  // namespace sandproof::conformance::runner
