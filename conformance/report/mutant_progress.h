// SPDX-License-Identifier: Apache-2.0
// What is going on while mutants run: on a terminal, one line per job and one over all, rewritten
// in place; nothing elsewhere. Fed with the events of one round; one thread at a time. Never
// throws.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "conformance/report/status_block.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {

class MutantProgress {
 public:
  /// What was known before this round.
  struct Base {
    std::size_t mutants = 0;
    std::size_t killed = 0;
    double elapsed_ms = 0;
  };

  MutantProgress(int fd, const Terminal& terminal, Base base);
  void take(const nlohmann::json& event);

 private:
  struct Running {
    std::string mutant;
    std::string name;
  };

  void dispatch(const nlohmann::json& event);
  std::vector<std::string> lines() const;

  bool live_;
  StatusBlock block_;
  Base base_;
  std::vector<Running> rows_;
  std::set<std::string> caught_;
  double now_ms_ = 0;
  double shown_ms_ = 0;
};

}  // namespace sandproof::conformance
