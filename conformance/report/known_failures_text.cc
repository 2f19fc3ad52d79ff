// SPDX-License-Identifier: Apache-2.0
// The list of known failures for a person; see known_failures_text.h.
#include "conformance/report/known_failures_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace sandproof::conformance {
namespace {

/// Long enough before the day that somebody can still do something.
constexpr std::int64_t kSoonDays = 14;
constexpr std::size_t kUnlistedShown = 10;
constexpr std::size_t kLinesShown = 10;

/// What is to be done about it.
std::string_view advice(const KnownFailureResult& result) {
  switch (result.state) {
    case EntryState::kPassed:
      return result.has(Fit::kAsListed) ? "Narrow the entry to what still fails."
                                        : "Take the entry out.";
    case EntryState::kOtherFailure:
      return "This is news: look at it.";
    case EntryState::kStale:
      return "Take the entry out, or correct it.";
    case EntryState::kExpired:
      return result.has(Fit::kAsListed) ? "It still fails: repair it, or give it another day."
                                        : "Take the entry out.";
    case EntryState::kHolds:
    case EntryState::kNotJudged:
      break;
  }
  return {};
}

std::string problem_sentence(const KnownFailureResult& result) {
  return fmt::format("line {}, {}: {}{} {}", result.entry.line, title_of(result.entry),
                     result.detail, result.detail.ends_with('?') ? "" : ".", advice(result));
}

std::string unlisted_sentence(const KnownFailuresResult& known) {
  std::vector<std::string> names;
  for (const ListedCase& listed : known.unlisted) {
    if (names.size() == kUnlistedShown) break;
    names.push_back(fmt::format("{} on {}", listed.name, listed.flavor));
  }
  std::string sentence = fmt::format("not listed: {}", fmt::join(names, ", "));
  if (known.unlisted.size() > names.size()) {
    sentence += fmt::format(" and {} more", known.unlisted.size() - names.size());
  }
  return sentence + ".";
}

std::string places_text(std::vector<std::int64_t> lines) {
  const bool one = lines.size() == 1;
  const std::size_t more = lines.size() - std::min(lines.size(), kLinesShown);
  lines.resize(lines.size() - more);
  std::string text = fmt::format("{} {}", one ? "line" : "lines", fmt::join(lines, ", "));
  if (more > 0) text += fmt::format(" and {} more", more);
  return text;
}

std::vector<std::string> reminders_of(const KnownFailuresResult& known) {
  std::vector<std::int64_t> without_reason;
  std::vector<std::int64_t> soon;
  for (const KnownFailureResult& result : known.entries) {
    if (result.entry.reason == kNoReasonYet) without_reason.push_back(result.entry.line);
    if (result.days_left >= 0 && result.days_left <= kSoonDays) soon.push_back(result.entry.line);
  }
  std::vector<std::string> reminders;
  if (!without_reason.empty()) {
    reminders.push_back(
        fmt::format("no reason yet ({}): {}", kNoReasonYet, places_text(without_reason)));
  }
  if (!soon.empty()) {
    reminders.push_back(fmt::format("{} within {} days: {}",
                                    soon.size() == 1 ? "expires" : "expire", kSoonDays,
                                    places_text(soon)));
  }
  return reminders;
}

/// "known.yaml: 3 of 5 known failures are as listed, 1 not judged here."
std::string head_sentence(const KnownFailuresResult& known) {
  const auto count = [&known](EntryState state) {
    return static_cast<std::size_t>(
        std::count_if(known.entries.begin(), known.entries.end(),
                      [state](const KnownFailureResult& r) { return r.state == state; }));
  };
  std::string text = fmt::format("{}: {} of {} as listed", known.file, count(EntryState::kHolds),
                                 count_text(known.entries.size(), "known failure"));
  if (const std::size_t other = count(EntryState::kNotJudged); other > 0) {
    text += fmt::format(", {} not judged here", other);
  }
  if (!known.unlisted.empty()) {
    text += fmt::format(", {} not listed", count_text(known.unlisted.size(), "failure"));
  }
  return text + (known.hold() ? "." : "; the run fails:");
}

}  // namespace

KnownFailuresWords known_failures_words(const KnownFailuresResult& known) {
  KnownFailuresWords words;
  words.head = head_sentence(known);
  for (const KnownFailureResult& result : known.entries) {
    if (is_problem(result.state)) words.problems.push_back(problem_sentence(result));
  }
  if (!known.unlisted.empty()) words.problems.push_back(unlisted_sentence(known));
  words.reminders = reminders_of(known);
  return words;
}

std::string_view words_of(EntryState state) {
  switch (state) {
    case EntryState::kHolds:
      return "as listed";
    case EntryState::kNotJudged:
      return "not judged here";
    case EntryState::kPassed:
      return "passed";
    case EntryState::kOtherFailure:
      return "failed otherwise";
    case EntryState::kStale:
      return "stale";
    case EntryState::kExpired:
      break;
  }
  return "expired";
}

std::vector<const KnownFailureResult*> problems_first(const KnownFailuresResult& known) {
  std::vector<const KnownFailureResult*> entries;
  for (const KnownFailureResult& result : known.entries) entries.push_back(&result);
  std::stable_partition(entries.begin(), entries.end(),
                        [](const KnownFailureResult* result) { return is_problem(result->state); });
  return entries;
}

std::string known_failures_text(const RunModel& model, const Terminal& terminal) {
  if (!model.known_failures) return {};
  const KnownFailuresWords words = known_failures_words(*model.known_failures);
  const auto indented = [&terminal](const std::string& sentence) {
    return wrap(printable(sentence, false), terminal.width, "  ", "    ");
  };
  std::string text = paint(terminal, model.known_failures->hold() ? Style::kGood : Style::kBad,
                           wrap(printable(words.head, false), terminal.width, "", "  "));
  for (const std::string& problem : words.problems) text += indented(problem);
  std::string reminders;
  for (const std::string& reminder : words.reminders) reminders += indented(reminder);
  if (!reminders.empty()) text += paint(terminal, Style::kWarning, reminders);
  return text + "\n";
}

}  // namespace sandproof::conformance
