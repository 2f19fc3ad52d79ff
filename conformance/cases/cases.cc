// SPDX-License-Identifier: Apache-2.0
// The one list of cases, area by area.
#include "conformance/cases/areas.h"

namespace sandproof::conformance {

const std::vector<Case>& all_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    for (const auto area :
         {cap_cases, session_cases, close_cases, destroy_cases, attach_cases, exec_cases, env_cases,
          stream_cases, collect_cases, wait_cases, kill_cases, file_cases, snap_cases, set_cases,
          log_cases, meta_cases, leak_cases}) {
      for (Case& row : area()) cases.push_back(std::move(row));
    }
    return cases;
  }();
  return kCases;
}

}  // namespace sandproof::conformance
