// SPDX-License-Identifier: Apache-2.0
// Whether rows are what they say.
#include <utility>

#include "tests/fidelity/parallel.h"
#include "tests/fidelity/runner.h"

namespace sandproof::fidelity {
namespace {

void judge_row(Verdict& verdict, Engine& engine) {
  const Row& row = *verdict.row;
  const Result result = engine.run(row.script, row.input);
  if (!result.lacking.empty()) {
    verdict.lacking = result.lacking;
    return;
  }
  verdict.faults = mismatches(row.expected(engine.name()), result);
  if (engine.name() == kMachine || row.only.empty() || row.only == engine.name()) return;
  if (!std::exchange(verdict.faults, {}).empty()) return;
  verdict.faults = {"the mark 'only " + row.only + "' is stale: " + std::string(engine.name()) +
                    " gives the same"};
}

}  // namespace

std::vector<Verdict> judge(const std::vector<Topic>& topics, const std::vector<Engine*>& engines,
                           std::string_view filter, unsigned threads) {
  std::vector<std::pair<Verdict, Engine*>> work;
  for (const Topic& topic : topics) {
    for (const Row& row : topic.rows) {
      if (row.id().find(filter) == std::string::npos) continue;
      for (Engine* engine : engines) {
        if (engine->name() == kMachine && row.only == "busybox") continue;
        work.push_back({{&topic, &row, engine->name(), {}, {}}, engine});
      }
    }
  }
  for_each_number(work.size(), threads, [&](std::size_t at) {
    auto& [verdict, engine] = work[at];
    judge_row(verdict, *engine);
  });
  std::vector<Verdict> verdicts;
  for (auto& [verdict, engine] : work) verdicts.push_back(std::move(verdict));
  return verdicts;
}

}  // namespace sandproof::fidelity
