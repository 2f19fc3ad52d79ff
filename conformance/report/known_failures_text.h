// SPDX-License-Identifier: Apache-2.0
// What a person reads of the list of known failures: whether it holds, what is wrong with it, what
// will be soon. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/run_model.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {

/// What stands in an entry's reason until somebody has written one.
inline constexpr std::string_view kNoReasonYet = "TODO";

/// Sentences, not escaped for any place.
struct KnownFailuresWords {
  /// "known.yaml: 3 of 5 known failures as listed."; with a colon where problems follow.
  std::string head;
  /// One for each entry that fails the run, and one for what is not listed.
  std::vector<std::string> problems;
  /// What fails nothing today.
  std::vector<std::string> reminders;
};
KnownFailuresWords known_failures_words(const KnownFailuresResult& known);

/// "as listed", "not judged here", "stale": for a table of entries.
std::string_view words_of(EntryState state);

/// The entries that fail the run first, else in the order of the file. Pointers are into `known`.
std::vector<const KnownFailureResult*> problems_first(const KnownFailuresResult& known);

/// For a terminal. Empty where the run had no list.
std::string known_failures_text(const RunModel& model, const Terminal& terminal);

}  // namespace sandproof::conformance
