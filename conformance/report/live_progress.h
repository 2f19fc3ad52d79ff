// SPDX-License-Identifier: Apache-2.0
// What is going on while a run goes on: on a terminal one line per job, rewritten in place, and
// each failure as it happens; elsewhere the failures and, now and then, how far it is. Fed with the
// events of the log; one thread at a time. Never throws.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/known_failure.h"
#include "conformance/report/status_block.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {

class LiveProgress {
 public:
  LiveProgress(int fd, const Terminal& terminal);

  void take(const nlohmann::json& event);

 private:
  struct Running {
    std::string flavor;
    std::string name;
    double since_ms = 0;
  };

  void dispatch(const nlohmann::json& event);
  void start(const nlohmann::json& event);
  void end(const nlohmann::json& event);
  void report_failure(const nlohmann::json& event, const std::string& how);
  void show(bool now);
  std::vector<std::string> lines() const;
  std::string overall() const;

  Terminal terminal_;
  StatusBlock block_;
  /// Flavor and rule of known deviations; flavor and case to its first rule.
  std::set<std::pair<std::string, std::string>> deviations_;
  /// What is listed is no news, whatever it says; the report looks closer.
  std::vector<KnownFailure> known_;
  std::map<std::pair<std::string, std::string>, std::string> rules_;
  std::size_t planned_ = 0;
  std::size_t ended_ = 0;
  std::size_t failed_ = 0;
  /// One row per job; a row without a name is idle.
  std::vector<Running> rows_;
  std::size_t flavor_columns_ = 0;
  double now_ms_ = 0;
  double shown_ms_ = 0;
};

}  // namespace sandproof::conformance
