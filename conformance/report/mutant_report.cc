// SPDX-License-Identifier: Apache-2.0
// Classification of mutants, and their report for programs; see mutant_report.h. The report for
// people is in mutant_table.cc.
#include "conformance/report/mutant_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "sandproof/conformance/program.h"

namespace sandproof::conformance {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr int kMutantReportFormat = 1;

struct StateWords {
  std::string_view name;
  std::string_view words;
};
/// In the order of MutantState.
constexpr std::array<StateWords, kMutantStateCount> kStateWords = {{
    {"killed", "killed"},
    {"survived", "survived"},
    {"misattributed", "misattributed"},
    {"did_not_fire", "did not fire"},
    {"unsound", "unsound"},
    {"not_observable", "not observable"},
    {"not_run", "not run"},
}};

bool is_own(const MutantResult& mutant, const MutantCase& result) {
  return contains(result.rules, mutant.rule);
}

std::string_view to_word(KilledBy killed_by) {
  switch (killed_by) {
    case KilledBy::kTimeout:
      return "timeout";
    case KilledBy::kCrash:
      return "crash";
    case KilledBy::kAssertion:
      break;
  }
  return "assertion";
}

void note_extra_kills(MutantResult& mutant) {
  for (const MutantCase& result : mutant.cases) {
    if (!is_own(mutant, result) && is_failure(result.outcome)) {
      mutant.extra_kills.push_back(result.name);
    }
  }
}

}  // namespace

std::string_view to_string(MutantState state) {
  return kStateWords.at(static_cast<std::size_t>(state)).name;
}

std::string_view words_of(MutantState state) {
  return kStateWords.at(static_cast<std::size_t>(state)).words;
}

bool kills(const MutantResult& mutant, const MutantCase& result) {
  if (!is_own(mutant, result) || result.fired == 0) return false;
  switch (result.outcome) {
    case Outcome::kFailed:
      return true;
    case Outcome::kTimeout:
      return mutant.killed_by == KilledBy::kTimeout;
    case Outcome::kCrashed:
      return mutant.killed_by == KilledBy::kCrash;
    default:
      return false;
  }
}

void classify(MutantResult& mutant, const std::vector<std::string>& failing_healthy) {
  mutant.state = MutantState::kNotRun;
  mutant.fired = 0;
  mutant.killing_case.clear();
  mutant.message.clear();
  mutant.extra_kills.clear();
  note_extra_kills(mutant);
  for (const MutantCase& result : mutant.cases) mutant.fired += result.fired;
  if (mutant.binding.empty()) {
    mutant.state = MutantState::kNotObservable;
    mutant.message = "no binding runs a case of its rule";
    return;
  }
  const auto not_reached = static_cast<std::size_t>(
      std::count_if(mutant.cases.begin(), mutant.cases.end(),
                    [](const MutantCase& result) { return result.outcome == Outcome::kNotRun; }));
  const std::size_t met = mutant.cases.size() - not_reached;
  const MutantCase* unsound = nullptr;
  const MutantCase* other_way = nullptr;
  for (const MutantCase& result : mutant.cases) {
    if (kills(mutant, result)) {
      if (contains(failing_healthy, result.name)) {
        unsound = &result;
        continue;
      }
      mutant.state = MutantState::kKilled;
      mutant.killing_case = result.name;
      mutant.message = result.message;
      return;
    }
    if (is_own(mutant, result) && is_failure(result.outcome) && result.fired > 0) {
      other_way = &result;
    }
  }
  // After a case that seemed to kill it, it meets no more, though the kill may turn out unsound.
  const bool ended_early = unsound == nullptr && met < mutant.planned_cases;
  if (met == 0 || not_reached > 0 || ended_early) {
    mutant.state = MutantState::kNotRun;
    mutant.message = fmt::format("the run ended when it had met {} of {}", met,
                                 count_text(mutant.planned_cases, "case"));
  } else if (unsound != nullptr) {
    mutant.state = MutantState::kUnsound;
    mutant.message = fmt::format("{} fails without a fault, too", unsound->name);
  } else if (mutant.fired == 0) {
    mutant.state = MutantState::kDidNotFire;
    mutant.message = "no case gave its fault an opportunity";
  } else if (other_way != nullptr) {
    mutant.state = MutantState::kMisattributed;
    mutant.message = fmt::format("{} {}, where an end by {} is declared", other_way->name,
                                 words_of(other_way->outcome), to_word(mutant.killed_by));
  } else if (!mutant.extra_kills.empty()) {
    mutant.state = MutantState::kMisattributed;
    mutant.message = fmt::format("no case of {} failed, but {} did", mutant.rule,
                                 fmt::join(mutant.extra_kills, ", "));
  } else {
    mutant.state = MutantState::kSurvived;
    mutant.message = fmt::format("it fired {} times, and every case passed", mutant.fired);
  }
}

int exit_code_of(const MutantReport& report, bool require_covered) {
  const auto code = [](ExitCode value) { return static_cast<int>(value); };
  if (report.mutants.empty()) return code(ExitCode::kNothingSelected);
  bool all_killed = true;
  bool all_run = report.interrupted.empty();
  for (const MutantResult& mutant : report.mutants) {
    all_killed = all_killed && mutant.state == MutantState::kKilled;
    all_run = all_run && mutant.state != MutantState::kNotRun;
  }
  if (!all_run) return code(ExitCode::kIncomplete);
  if (!all_killed || !report.failing_healthy.empty()) return code(ExitCode::kNotConformant);
  if (require_covered && !report.uncovered.empty()) return code(ExitCode::kNotConformant);
  return code(ExitCode::kConformant);
}

std::string mutant_report_json(const MutantReport& report, bool require_covered) {
  OrderedJson mutants = OrderedJson::array();
  std::array<std::size_t, kMutantStateCount> counts{};
  for (const MutantResult& mutant : report.mutants) {
    ++counts.at(static_cast<std::size_t>(mutant.state));
    OrderedJson cases = OrderedJson::array();
    for (const MutantCase& result : mutant.cases) {
      cases.push_back({{"case", result.name},
                       {"outcome", to_string(result.outcome)},
                       {"fired", result.fired},
                       {"duration_ms", result.duration_ms},
                       {"message", result.message}});
    }
    mutants.push_back({{"mutant", mutant.name},
                       {"rule", mutant.rule},
                       {"what", mutant.what},
                       {"bug", mutant.bug},
                       {"killed_by", to_word(mutant.killed_by)},
                       {"binding", mutant.binding},
                       {"state", to_string(mutant.state)},
                       {"killing_case", mutant.killing_case},
                       {"message", mutant.message},
                       {"fired", mutant.fired},
                       {"extra_kills", mutant.extra_kills},
                       {"cases", std::move(cases)}});
  }
  OrderedJson counted = OrderedJson::object();
  for (std::size_t i = 0; i < kMutantStateCount; ++i) {
    counted[std::string(to_string(static_cast<MutantState>(i)))] = counts.at(i);
  }
  OrderedJson uncovered = OrderedJson::array();
  for (const UncoveredRule& rule : report.uncovered) {
    uncovered.push_back({{"rule", rule.id}, {"reason", rule.reason}});
  }
  const OrderedJson document = {{"format", kMutantReportFormat},
                                {"version", report.version},
                                {"exit_code", exit_code_of(report, require_covered)},
                                {"duration_ms", report.elapsed_ms},
                                {"filtered", report.filtered},
                                {"interrupted", report.interrupted},
                                {"counts", std::move(counted)},
                                {"failing_healthy", report.failing_healthy},
                                {"uncovered", std::move(uncovered)},
                                {"mutants", std::move(mutants)}};
  constexpr int kIndent = 2;
  return document.dump(kIndent, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace sandproof::conformance
