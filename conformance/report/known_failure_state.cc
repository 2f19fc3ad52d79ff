// SPDX-License-Identifier: Apache-2.0
// What an entry of a known-failures file came to, in a word and a sentence; see known_failures.h.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/report/known_failures.h"
#include "conformance/report/run_model.h"

namespace sandproof::conformance {
namespace {

std::string names_text(const KnownFailureResult& result, Fit fit) {
  constexpr std::size_t kMostNames = 3;
  std::vector<std::string> names;
  for (const ListedCase& listed : result.cases) {
    if (listed.fit == fit) names.push_back(fmt::format("{} on {}", listed.name, listed.flavor));
  }
  const std::size_t more = names.size() - std::min(names.size(), kMostNames);
  names.resize(names.size() - more);
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (more > 0) text += fmt::format(" and {} more", more);
  return text;
}

std::string nearest_text(const KnownFailure& entry) {
  if (entry.nearest.empty()) return {};
  return fmt::format("; did you mean `{}`?", fmt::join(entry.nearest, "` or `"));
}

/// Why an entry that nothing fits is no good.
std::string why_stale(const KnownFailureResult& result) {
  const KnownFailure& entry = result.entry;
  if (entry.flavors.empty()) {
    return fmt::format("there is no flavor `{}`{}", entry.flavor, nearest_text(entry));
  }
  if (entry.suite_cases == 0) {
    return fmt::format("the suite has no case for it{}", nearest_text(entry));
  }
  if (result.has(Fit::kElsewhere)) return "what it lists fails as other entries say";
  if (result.has(Fit::kDeviation))
    return "the binding of the flavor declares the deviation already";
  return fmt::format("no case of it runs on {}", fmt::join(entry.flavors, ", "));
}

}  // namespace

void conclude(KnownFailureResult& result, bool all_seen) {
  const KnownFailure& entry = result.entry;
  const bool exists = entry.suite_cases > 0 && !entry.flavors.empty();
  if (result.days_left < 0) {
    result.state = EntryState::kExpired;
    const auto days = static_cast<std::size_t>(-result.days_left);
    result.detail = fmt::format("it expired on {}, {} ago", entry.expires,
                                days == 1 ? std::string("1 day") : fmt::format("{} days", days));
  } else if (result.has(Fit::kPassed)) {
    result.state = EntryState::kPassed;
    result.detail = fmt::format("passed: {}", names_text(result, Fit::kPassed));
  } else if (result.has(Fit::kOtherwise)) {
    result.state = EntryState::kOtherFailure;
    result.detail = fmt::format("failed otherwise: {}", names_text(result, Fit::kOtherwise));
  } else if (result.has(Fit::kAsListed)) {
    result.state = EntryState::kHolds;
  } else if (exists && !all_seen) {
    result.state = EntryState::kNotJudged;
  } else {
    result.state = EntryState::kStale;
    result.detail = why_stale(result);
  }
}

std::string_view to_string(EntryState state) {
  switch (state) {
    case EntryState::kHolds:
      return "holds";
    case EntryState::kNotJudged:
      return "not_judged";
    case EntryState::kPassed:
      return "passed";
    case EntryState::kOtherFailure:
      return "other_failure";
    case EntryState::kStale:
      return "stale";
    case EntryState::kExpired:
      break;
  }
  return "expired";
}

bool is_problem(EntryState state) {
  return state != EntryState::kHolds && state != EntryState::kNotJudged;
}

std::string_view to_string(Fit fit) {
  switch (fit) {
    case Fit::kAsListed:
      return "as_listed";
    case Fit::kOtherwise:
      return "otherwise";
    case Fit::kPassed:
      return "passed";
    case Fit::kElsewhere:
      return "elsewhere";
    case Fit::kDeviation:
      break;
  }
  return "deviation";
}

bool KnownFailureResult::has(Fit fit) const {
  return std::any_of(cases.begin(), cases.end(),
                     [fit](const ListedCase& listed) { return listed.fit == fit; });
}

bool KnownFailuresResult::hold() const {
  return unlisted.empty() &&
         std::none_of(entries.begin(), entries.end(),
                      [](const KnownFailureResult& result) { return is_problem(result.state); });
}

std::vector<std::string> failure_texts(const CaseResult& result) {
  std::vector<std::string> texts;
  const auto add = [&texts](const std::string& text) {
    if (!text.empty()) texts.push_back(text);
  };
  for (const FailedAssertion& failure : result.failures) add(failure.message);
  add(result.reason);
  for (const Wait& wait : result.waits) {
    add(wait.object.empty() ? wait.verb : fmt::format("{} on {}", wait.verb, wait.object));
  }
  add(result.status);
  for (const std::string& item : result.leftovers) add(item);
  add(result.stderr_tail);
  return texts;
}

std::string collapse_space(std::string_view text) {
  std::string result;
  bool space = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      space = !result.empty();
      continue;
    }
    if (space) result += ' ';
    space = false;
    result += c;
  }
  return result;
}

}  // namespace sandproof::conformance
