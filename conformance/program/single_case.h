// SPDX-License-Identifier: Apache-2.0
// One case under the full runner, for a process that cannot be the runner itself because it has
// threads and children of its own: this program is started again as `single-case`, which supervises
// the case and leaves the event log in memory that both share. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "conformance/report/run_model.h"
#include "conformance/runner/suite.h"

namespace sandproof::conformance {

inline constexpr const char* kSingleCaseWord = "single-case";

struct SingleCase {
  const Binding* binding = nullptr;
  const Case* test_case = nullptr;
  /// Has passed the flavor's description; empty: none.
  std::string config_json;
  std::uint64_t seed = 0;
  double time_scale = 1;
};

/// Always ends: a supervisor that does not come back in time is killed. The model then says that it
/// is incomplete. Throws RunnerError when the process cannot be started, EventLogError for a log
/// that is none.
RunModel run_single_case(const SingleCase& single);

/// The other side: reads its one request from standard input. Returns the exit code.
int single_case_main(const Suite& suite);

}  // namespace sandproof::conformance
