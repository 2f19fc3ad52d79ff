// SPDX-License-Identifier: Apache-2.0
// One entry of a known-failures file (docs/known-failures.md), as the runner writes it into the
// event log and the reports read it there. Values and pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof::conformance {

struct KnownFailure {
  /// Where it stands in the file, from 1.
  std::int64_t line = 0;
  /// One of the two: a pattern over the names of cases, or over the rules that failures are charged
  /// to.
  std::string test_case;
  std::string rule;
  /// A pattern; empty: every flavor.
  std::string flavor;
  /// "failed", "error", "timeout" or "crashed"; empty: failed or error.
  std::string outcome;
  /// What the failure says, or a part of it; empty only for a timeout or a crash.
  std::string message;
  std::string reason;
  std::string link;
  /// The last day, as "2027-02-28".
  std::string expires;

  /// What the patterns match where the whole suite and all flavors of the program are known; a run
  /// may hold a part of them. Cases are those of one flavor.
  std::size_t suite_cases = 0;
  std::vector<std::string> flavors;
  /// Names near to a pattern that matches nothing.
  std::vector<std::string> nearest;

  bool operator==(const KnownFailure&) const = default;
};

/// What a run is compared with.
struct KnownFailureList {
  /// As it was named on the command line.
  std::string file;
  std::vector<KnownFailure> entries;
};

/// The keys of the event `known_failure` (docs/event-log.md), and back. The latter throws
/// nlohmann::json::exception for a key of the wrong type.
nlohmann::json to_event(const KnownFailure& entry);
KnownFailure known_failure_of(const nlohmann::json& event);

/// Patterns as of the shell: `*`, `?`, `[…]`.
bool matches_pattern(const std::string& pattern, const std::string& text, bool ignore_case = false);
/// Whether an entry speaks of a case, whose failure is charged to `rule`. `test_case` is empty for
/// a refusal, which has a rule alone.
bool lists_case(const KnownFailure& entry, const std::string& test_case, const std::string& rule);
bool lists_flavor(const KnownFailure& entry, const std::string& flavor);

/// The same but for reason, link and day.
bool says_the_same(const KnownFailure& a, const KnownFailure& b);

/// "case `Kill*` on `docker`".
std::string title_of(const KnownFailure& entry);

}  // namespace sandproof::conformance
