// SPDX-License-Identifier: Apache-2.0
// One case in this very process, for a debugger: no supervisor, no limit, no second chance.
#pragma once

#include <cstdint>
#include <string>

#include "conformance/program/flavor_options.h"
#include "conformance/report/terminal.h"
#include "conformance/runner/suite.h"

namespace sandproof::conformance {

struct InProcessRun {
  ConfiguredFlavor flavor;
  const Case* test_case = nullptr;
  std::uint64_t seed = 0;
  double time_scale = 1;
};

/// Runs it, prints what it did and how it ended; returns the exit code: 0 passed, 1 not.
int run_in_process(const Suite& suite, const InProcessRun& run, const Terminal& terminal);

}  // namespace sandproof::conformance
