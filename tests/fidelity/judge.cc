// SPDX-License-Identifier: Apache-2.0
// Whether rows are what they say.
#include "tests/fidelity/parallel.h"
#include "tests/fidelity/runner.h"

namespace sandproof::fidelity {
namespace {

std::vector<std::string> faults_of(const Row& row, Engine& engine) {
  const Result result = engine.run(row.script, row.input);
  std::vector<std::string> faults = mismatches(row.expected(engine.name()), result);
  if (row.only.empty() || row.only == engine.name()) return faults;
  if (!faults.empty()) return {};
  return {"the mark 'only " + row.only + "' is stale: " + std::string(engine.name()) +
          " gives the same"};
}

}  // namespace

std::vector<Verdict> judge(const std::vector<Topic>& topics, const std::vector<Engine*>& engines,
                           std::string_view filter, unsigned threads) {
  std::vector<std::pair<Verdict, Engine*>> work;
  for (const Topic& topic : topics) {
    for (const Row& row : topic.rows) {
      if (row.id().find(filter) == std::string::npos) continue;
      for (Engine* engine : engines) work.push_back({{&topic, &row, engine->name(), {}}, engine});
    }
  }
  for_each_number(work.size(), threads, [&](std::size_t at) {
    auto& [verdict, engine] = work[at];
    verdict.faults = faults_of(*verdict.row, *engine);
  });
  std::vector<Verdict> verdicts;
  for (auto& [verdict, engine] : work) verdicts.push_back(std::move(verdict));
  return verdicts;
}

}  // namespace sandproof::fidelity
