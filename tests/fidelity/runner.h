// SPDX-License-Identifier: Apache-2.0
// Runs rows on engines in parallel: to judge them, or to write down what they give.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/fidelity/engine.h"
#include "tests/fidelity/row.h"

namespace sandproof::fidelity {

// What was seen of a row on one engine.
struct Verdict {
  const Topic* topic = nullptr;
  const Row* row = nullptr;
  std::string_view engine;
  std::vector<std::string> faults;  // Empty: as the row says.
  std::string lacking;              // Not judged: the engine has no such program.
};

// Runs each row on each engine that it is for, on `threads` threads, and judges: a row that is not
// what it says, a mark `only` that is stale. The machine is dash with busybox's programs: rows of
// busybox alone are not for it. In the order of rows, whatever came first. Throws
// EngineError.
std::vector<Verdict> judge(const std::vector<Topic>& topics, const std::vector<Engine*>& engines,
                           std::string_view filter, unsigned threads);

// Runs each row twice on both real engines and puts into it what they gave, the reference engine's
// answers first. A difference of output or status gets a mark with the reason "?", which a person
// replaces. The text names each row that was not the same twice, or did not end. Throws
// EngineError.
std::vector<std::string> record(std::vector<Topic>& topics, const std::vector<Engine*>& engines,
                                std::string_view filter, unsigned threads);

}  // namespace sandproof::fidelity
