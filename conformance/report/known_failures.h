// SPDX-License-Identifier: Apache-2.0
// The failures of a run against those that are known, both ways: what fails and is not listed, what
// is listed and passes, fails otherwise, does not exist or has expired. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/known_failure.h"

namespace sandproof::conformance {

struct CaseResult;
struct RunModel;
struct Refusal;

/// What an entry came to. The last four fail the run.
enum class EntryState {
  kHolds,         ///< What it lists fails as it says.
  kNotJudged,     ///< The run has not all of it: a filter, a flavor that is not in it.
  kPassed,        ///< What it lists passes.
  kOtherFailure,  ///< What it lists fails in another way.
  kStale,         ///< It matches nothing that could fail.
  kExpired,       ///< Its last day is over: it excuses nothing.
};
/// The name in reports: "other_failure".
std::string_view to_string(EntryState state);
bool is_problem(EntryState state);

/// How a case stands to an entry that lists it.
enum class Fit {
  kAsListed,
  kOtherwise,
  kPassed,
  kElsewhere,  ///< It fails as another entry says.
  kDeviation,  ///< The flavor's binding declares its failure.
};
/// "as_listed".
std::string_view to_string(Fit fit);

struct ListedCase {
  std::string flavor;
  /// Of a refusal that did not hold: "refusal of `attach`".
  std::string name;
  Fit fit = Fit::kOtherwise;
  /// A refusal's text; a case's stand in its result.
  std::string refusal_text;
};

struct KnownFailureResult {
  KnownFailure entry;
  EntryState state = EntryState::kNotJudged;
  /// For people: why it is no good; empty where it holds.
  std::string detail;
  std::vector<ListedCase> cases;
  /// Days from the run to its last day; negative: it has expired.
  std::int64_t days_left = 0;

  bool has(Fit fit) const;
};

struct KnownFailuresResult {
  std::string file;
  std::vector<KnownFailureResult> entries;
  /// What failed and stands in no entry, of SHOULD rules too.
  std::vector<ListedCase> unlisted;

  bool hold() const;
};

/// Compares, and marks cases and refusals: what fails as listed is an expected failure, what is
/// listed and passes an unexpected pass. After the deviations of the flavors, before the states of
/// the rules. Does nothing where the run has no list.
void compare_known_failures(RunModel& model, std::vector<Refusal>& refusals);

/// Fills in the state and the detail of an entry whose cases and days are known. `all_seen`: every
/// case that it speaks of ended in this run, on every flavor that it speaks of.
void conclude(KnownFailureResult& result, bool all_seen);

/// What a failure says: its assertions, its error, where it hung, how it crashed.
std::vector<std::string> failure_texts(const CaseResult& result);
/// From the day of `now` ("2024-05-01T10:00:00Z") to the last day of the entry; negative: it is
/// over.
std::int64_t days_to_expiry(const KnownFailure& entry, const std::string& now);
/// White space counts as one space.
std::string collapse_space(std::string_view text);

/// "known.yaml:12": where a reader finds an entry.
std::string place_of(const KnownFailuresResult& known, std::size_t entry);

}  // namespace sandproof::conformance
