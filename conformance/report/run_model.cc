// SPDX-License-Identifier: Apache-2.0
// Names of outcomes, lookups and the exit code; see run_model.h. How a model is built stands in
// model_builder.cc and rule_states.cc.
#include "conformance/report/run_model.h"

#include <algorithm>

#include "sandproof/conformance/program.h"

namespace sandproof::conformance {
namespace {

struct OutcomeWords {
  std::string_view name;
  std::string_view words;
};

/// In the order of Outcome.
constexpr std::array<OutcomeWords, kOutcomeCount> kOutcomeWords = {{
    {"crashed", "crashed"},
    {"timeout", "hung"},
    {"error", "error"},
    {"failed", "failed"},
    {"unexpected_pass", "passed against its declaration"},
    {"not_run", "not run"},
    {"expected_failure", "failed as declared"},
    {"passed", "passed"},
    {"unsupported", "not claimed"},
    {"not_observable", "not observable here"},
    {"no_case", "no case"},
}};

}  // namespace

std::string_view to_string(Outcome outcome) {
  return kOutcomeWords.at(static_cast<std::size_t>(outcome)).name;
}

std::string_view words_of(Outcome outcome) {
  return kOutcomeWords.at(static_cast<std::size_t>(outcome)).words;
}

std::string to_string(const ShardInfo& shard) {
  return "shard " + std::to_string(shard.index) + " of " + std::to_string(shard.total);
}

bool is_failure(Outcome outcome) { return outcome <= Outcome::kFailed; }

bool contains(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kConformant:
      return "conformant";
    case Verdict::kNotConformant:
      return "not_conformant";
    case Verdict::kIncomplete:
      break;
  }
  return "incomplete";
}

const RuleResult* FlavorResult::find_rule(std::string_view id) const {
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [id](const RuleResult& rule) { return rule.id == id; });
  return found == rules.end() ? nullptr : &*found;
}

const RuleInfo* RunModel::find_rule(std::string_view id) const {
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [id](const RuleInfo& rule) { return rule.id == id; });
  return found == rules.end() ? nullptr : &*found;
}

int exit_code_of(const RunModel& model) {
  const auto code = [](ExitCode value) { return static_cast<int>(value); };
  const bool anything = std::any_of(model.flavors.begin(), model.flavors.end(),
                                    [](const FlavorResult& f) { return !f.cases.empty(); });
  const bool failed =
      std::any_of(model.flavors.begin(), model.flavors.end(),
                  [](const FlavorResult& f) { return f.verdict == Verdict::kNotConformant; });
  const bool as_known = !model.known_failures || model.known_failures->hold();
  if (!model.complete) {
    const bool found = model.failed_fast && (failed || !as_known);
    return code(found ? ExitCode::kNotConformant : ExitCode::kIncomplete);
  }
  if (!anything && !model.shard) return code(ExitCode::kNothingSelected);
  const bool conformant =
      std::all_of(model.flavors.begin(), model.flavors.end(),
                  [](const FlavorResult& f) { return f.verdict == Verdict::kConformant; });
  return code(conformant && as_known ? ExitCode::kConformant : ExitCode::kNotConformant);
}

}  // namespace sandproof::conformance
