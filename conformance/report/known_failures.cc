// SPDX-License-Identifier: Apache-2.0
// Comparing with known failures; see known_failures.h and docs/known-failures.md.
#include "conformance/report/known_failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "conformance/report/rule_states.h"
#include "conformance/report/run_model.h"

namespace sandproof::conformance {
namespace {

/// "An operation whose capability is not claimed throws": what a refusal that did not hold breaks.
const std::string kRuleOfRefusals = "CAP-002";

/// Days since 1970 of "2027-02-28…".
std::int64_t days_of(const std::string& date) {
  constexpr std::size_t kDateSize = 10;
  if (date.size() < kDateSize) return 0;
  const auto number = [&date](std::size_t at, std::size_t size) {
    return std::atoi(date.substr(at, size).c_str());
  };
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  return std::chrono::sys_days(day).time_since_epoch().count();
}

bool fits(const KnownFailure& entry, Outcome outcome, const std::vector<std::string>& texts) {
  const bool outcome_fits = entry.outcome.empty()
                                ? outcome == Outcome::kFailed || outcome == Outcome::kError
                                : entry.outcome == to_string(outcome);
  if (!outcome_fits) return false;
  const std::string fragment = collapse_space(entry.message);
  return fragment.empty() ||
         std::any_of(texts.begin(), texts.end(), [&fragment](const std::string& text) {
           return collapse_space(text).find(fragment) != std::string::npos;
         });
}

class Comparison {
 public:
  Comparison(RunModel& model, std::vector<Refusal>& refusals)
      : model_(model), known_(*model.known_failures), refusals_(refusals) {}

  void run();

 private:
  struct Failing {
    ListedCase listed;
    std::string test_case;
    std::string rule;
    Outcome outcome = Outcome::kFailed;
    std::vector<std::string> texts;
  };

  bool expired(std::size_t entry) const { return known_.entries[entry].days_left < 0; }
  std::string excuse(std::size_t entry) const;
  std::optional<std::size_t> compare(const Failing& failing, std::string& note);
  void compare_refusals(const FlavorResult& flavor);
  void compare_failure(const FlavorResult& flavor, CaseResult& result);
  void compare_pass(const FlavorResult& flavor, CaseResult& result);
  void compare_deviation(const FlavorResult& flavor, const CaseResult& result);
  void compare_rule(FlavorResult& flavor, std::size_t entry);
  void mark_pass(const FlavorResult& flavor, CaseResult& result, std::size_t entry);
  std::size_t planned_of(const FlavorResult& flavor, const KnownFailure& entry) const;
  bool all_seen(const KnownFailure& entry) const;

  RunModel& model_;
  KnownFailuresResult& known_;
  std::vector<Refusal>& refusals_;
};

std::string Comparison::excuse(std::size_t index) const {
  const KnownFailure& entry = known_.entries[index].entry;
  return entry.link.empty() ? entry.reason : fmt::format("{} ({})", entry.reason, entry.link);
}

/// The first entry that excuses it; else `note` is what the nearest one expected.
std::optional<std::size_t> Comparison::compare(const Failing& failing, std::string& note) {
  std::vector<std::pair<std::size_t, bool>> listing;
  std::optional<std::size_t> excusing;
  for (std::size_t i = 0; i < known_.entries.size(); ++i) {
    const KnownFailure& entry = known_.entries[i].entry;
    if (!lists_flavor(entry, failing.listed.flavor)) continue;
    if (!lists_case(entry, failing.test_case, failing.rule)) continue;
    const bool fit = fits(entry, failing.outcome, failing.texts);
    listing.emplace_back(i, fit);
    if (fit && !expired(i) && !excusing) excusing = i;
  }
  if (listing.empty()) known_.unlisted.push_back(failing.listed);
  for (const auto& [index, fit] : listing) {
    ListedCase listed = failing.listed;
    listed.fit = fit ? Fit::kAsListed : excusing ? Fit::kElsewhere : Fit::kOtherwise;
    known_.entries[index].cases.push_back(std::move(listed));
    if (excusing || !note.empty()) continue;
    const KnownFailure& entry = known_.entries[index].entry;
    const std::string place = place_of(known_, index);
    if (fit) {
      note = fmt::format("{} excused it until {}", place, entry.expires);
    } else if (entry.message.empty()) {
      note = fmt::format("{} lists another failure: {}", place, entry.outcome);
    } else {
      note = fmt::format("{} lists another failure: {} with `{}`", place,
                         entry.outcome.empty() ? "failed" : entry.outcome, entry.message);
    }
  }
  return excusing;
}

void Comparison::compare_refusals(const FlavorResult& flavor) {
  for (Refusal& refusal : refusals_) {
    if (refusal.flavor != flavor.name || refusal.held) continue;
    Failing failing;
    failing.listed = {flavor.name, fmt::format("refusal of `{}`", refusal.capability),
                      Fit::kOtherwise, refusal.message};
    failing.rule = kRuleOfRefusals;
    failing.texts = {refusal.message};
    std::string note;
    refusal.known_failure = compare(failing, note);
    if (refusal.known_failure) refusal.excuse = excuse(*refusal.known_failure);
  }
}

void Comparison::compare_failure(const FlavorResult& flavor, CaseResult& result) {
  // One refusal stands for all cases that it is charged to.
  if (!result.started && !result.capability.empty()) {
    for (const Refusal& refusal : refusals_) {
      if (refusal.flavor != flavor.name || refusal.capability != result.capability) continue;
      if (!refusal.known_failure) return;
      result.known_failure = refusal.known_failure;
      result.outcome = Outcome::kExpectedFailure;
      result.deviation = refusal.excuse;
      return;
    }
  }
  Failing failing;
  failing.listed = {flavor.name, result.name, Fit::kOtherwise, {}};
  failing.test_case = result.name;
  failing.rule = result.rules.front();
  failing.outcome = result.outcome;
  failing.texts = failure_texts(result);
  const std::optional<std::size_t> entry = compare(failing, result.known_note);
  if (!entry) return;
  result.known_failure = entry;
  result.outcome = Outcome::kExpectedFailure;
  result.deviation = excuse(*entry);
}

void Comparison::mark_pass(const FlavorResult& flavor, CaseResult& result, std::size_t entry) {
  known_.entries[entry].cases.push_back({flavor.name, result.name, Fit::kPassed, {}});
  if (expired(entry) || result.outcome != Outcome::kPassed) return;
  result.outcome = Outcome::kUnexpectedPass;
  result.known_failure = entry;
  result.deviation = excuse(entry);
}

/// An entry that names cases says of each that it fails.
void Comparison::compare_pass(const FlavorResult& flavor, CaseResult& result) {
  for (std::size_t i = 0; i < known_.entries.size(); ++i) {
    const KnownFailure& entry = known_.entries[i].entry;
    if (!entry.rule.empty() || !lists_flavor(entry, flavor.name)) continue;
    if (lists_case(entry, result.name, result.rules.front())) mark_pass(flavor, result, i);
  }
}

/// An entry that names rules says of each that a case of it fails, as a deviation does.
void Comparison::compare_rule(FlavorResult& flavor, std::size_t index) {
  const KnownFailure& entry = known_.entries[index].entry;
  if (entry.rule.empty() || !lists_flavor(entry, flavor.name)) return;
  // A part of a rule's cases says nothing of the rule.
  if (planned_of(flavor, entry) < entry.suite_cases) return;
  std::set<std::string> broken;
  std::map<std::string, std::vector<CaseResult*>> passes;
  for (CaseResult& result : flavor.cases) {
    const std::string& rule = result.rules.front();
    if (!lists_case(entry, result.name, rule)) continue;
    if (result.outcome == Outcome::kPassed || result.outcome == Outcome::kUnexpectedPass) {
      passes[rule].push_back(&result);
    } else if (result.outcome <= Outcome::kExpectedFailure) {
      // One that did not run may be the one that fails.
      broken.insert(rule);
    }
  }
  for (const Refusal& refusal : refusals_) {
    if (refusal.flavor == flavor.name && !refusal.held) broken.insert(kRuleOfRefusals);
  }
  for (const auto& [rule, results] : passes) {
    if (broken.contains(rule)) continue;
    for (CaseResult* result : results) mark_pass(flavor, *result, index);
  }
}

std::size_t Comparison::planned_of(const FlavorResult& flavor, const KnownFailure& entry) const {
  return static_cast<std::size_t>(
      std::count_if(flavor.cases.begin(), flavor.cases.end(), [&entry](const CaseResult& result) {
        return lists_case(entry, result.name, result.rules.front());
      }));
}

/// Everything that the entry speaks of was planned here and came to an end.
bool Comparison::all_seen(const KnownFailure& entry) const {
  return std::all_of(entry.flavors.begin(), entry.flavors.end(), [&](const std::string& name) {
    const auto flavor = std::find_if(model_.flavors.begin(), model_.flavors.end(),
                                     [&name](const FlavorResult& f) { return f.name == name; });
    if (flavor == model_.flavors.end()) return false;
    if (planned_of(*flavor, entry) < entry.suite_cases) return false;
    return std::none_of(flavor->cases.begin(), flavor->cases.end(), [&](const CaseResult& result) {
      return result.outcome == Outcome::kNotRun &&
             lists_case(entry, result.name, result.rules.front());
    });
  });
}

void Comparison::compare_deviation(const FlavorResult& flavor, const CaseResult& result) {
  for (KnownFailureResult& known : known_.entries) {
    if (lists_flavor(known.entry, flavor.name) &&
        lists_case(known.entry, result.name, result.rules.front())) {
      known.cases.push_back({flavor.name, result.name, Fit::kDeviation, {}});
    }
  }
}

void Comparison::run() {
  for (KnownFailureResult& result : known_.entries) {
    result.days_left = days_to_expiry(result.entry, model_.started_at);
  }
  for (FlavorResult& flavor : model_.flavors) {
    compare_refusals(flavor);
    for (CaseResult& result : flavor.cases) {
      if (is_failure(result.outcome)) {
        compare_failure(flavor, result);
      } else if (result.outcome == Outcome::kPassed || result.outcome == Outcome::kUnexpectedPass) {
        compare_pass(flavor, result);
      } else if (result.outcome == Outcome::kExpectedFailure) {
        compare_deviation(flavor, result);
      }
    }
    for (std::size_t i = 0; i < known_.entries.size(); ++i) compare_rule(flavor, i);
  }
  for (KnownFailureResult& result : known_.entries) conclude(result, all_seen(result.entry));
}

}  // namespace

void compare_known_failures(RunModel& model, std::vector<Refusal>& refusals) {
  if (model.known_failures) Comparison(model, refusals).run();
}

std::int64_t days_to_expiry(const KnownFailure& entry, const std::string& now) {
  return days_of(entry.expires) - days_of(now);
}

std::string place_of(const KnownFailuresResult& known, std::size_t entry) {
  return fmt::format("{}:{}", known.file, known.entries[entry].entry.line);
}

}  // namespace sandproof::conformance
