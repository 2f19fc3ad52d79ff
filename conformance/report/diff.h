// SPDX-License-Identifier: Apache-2.0
// What differs between two results: of the same flavors at two times, or of two flavors. A function
// of two conformance.json; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/report/terminal.h"

namespace sandproof::conformance {

/// In the order in which people want to read them.
enum class DiffKind { kLost, kGained, kChanged, kGone, kNew, kSlower, kFaster };
inline constexpr std::size_t kDiffKinds = 7;
/// "lost".
std::string_view to_string(DiffKind kind);

/// A rule or a case that is not as it was.
struct DiffRow {
  DiffKind kind = DiffKind::kChanged;
  /// Of a case, the one that its failure is charged to.
  std::string rule;
  /// Empty for a rule.
  std::string name;
  /// States or outcomes; empty where it is not there.
  std::string before;
  std::string after;
  double before_ms = 0;
  double after_ms = 0;
};

struct FlavorDiff {
  /// Names; empty where the flavor is not there.
  std::string before;
  std::string after;
  /// Verdicts, as in the report.
  std::string verdict_before;
  std::string verdict_after;
  /// By kind; in each rules first, in the order of the contract.
  std::vector<DiffRow> rows;

  std::size_t count(DiffKind kind) const;
  /// Something held as declared and was shown, and is not any more: a rule, a case, the verdict,
  /// the flavor itself.
  bool lost() const;
};

struct DiffOptions {
  /// One flavor of the first with one of the second; empty: those of the same name.
  std::optional<std::pair<std::string, std::string>> flavors;
  /// A case that passes is slower from this factor on, and from this difference on: both.
  double slower = 1.5;
  double slower_by_ms = 250;
};

/// The list of known failures with which a run was compared.
struct ListDiff {
  bool holds = true;
  /// What is wrong with it, a few words each.
  std::vector<std::string> problems;
};

struct Diff {
  std::vector<FlavorDiff> flavors;
  /// Nothing where there was none.
  std::optional<ListDiff> list_before;
  std::optional<ListDiff> list_after;
  /// That a filter or shard left cases out of one of them, and so they are not compared.
  bool part_before = false;
  bool part_after = false;

  /// A list does not hold any more, or is new and does not hold.
  bool list_lost() const;
  bool lost() const;
};

/// A flavor that is not in a report, or a key that is missing or of a wrong type. One sentence.
class DiffError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws DiffError.
Diff diff_reports(const nlohmann::json& before, const nlohmann::json& after,
                  const DiffOptions& options);

/// For people: a table per flavor and a sentence.
std::string diff_text(const Diff& diff, const Terminal& terminal);

/// For programs (docs/ci.md).
std::string diff_json(const Diff& diff);

}  // namespace sandproof::conformance
