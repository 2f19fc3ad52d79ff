// SPDX-License-Identifier: Apache-2.0
// Comparing two reports; see diff.h. How it is shown stands in diff_text.cc.
#include "conformance/report/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "conformance/known_failure.h"
#include "conformance/report/report_shape.h"

namespace sandproof::conformance {
namespace {

using DiffDocument = nlohmann::json;

constexpr std::array<std::string_view, kDiffKinds> kKindNames = {
    "lost", "gained", "changed", "gone", "new", "slower", "faster"};

/// 2 proven, 1 as declared without proof, 0 not as it should be. A state that a later program
/// writes is none that we can vouch for. A pass that nobody expected is one: that the declaration
/// or the list is wrong then, their verdicts say.
int standing_of(std::string_view outcome) {
  if (outcome == "passed" || outcome == "unexpected_pass") return 2;
  const bool declared =
      outcome == "expected_failure" || outcome == "unsupported" || outcome == "not_observable";
  return declared ? 1 : 0;
}

bool is_failure_word(std::string_view outcome) {
  return outcome == "failed" || outcome == "error" || outcome == "timeout" || outcome == "crashed";
}

DiffKind kind_of_change(std::string_view before, std::string_view after) {
  const int was = standing_of(before);
  const int is = standing_of(after);
  if (is < was) return DiffKind::kLost;
  // It fails as it did: to be excused is no gain.
  if (after == "expected_failure" && is_failure_word(before)) return DiffKind::kChanged;
  return is > was ? DiffKind::kGained : DiffKind::kChanged;
}

const DiffDocument* find_flavor(const DiffDocument& report, std::string_view name) {
  for (const DiffDocument& flavor : report.at("flavors")) {
    if (flavor.at("flavor") == name) return &flavor;
  }
  return nullptr;
}

std::string names_in(const DiffDocument& report) {
  std::vector<std::string> names;
  for (const DiffDocument& flavor : report.at("flavors")) names.push_back(flavor.at("flavor"));
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

const DiffDocument& flavor_named(const DiffDocument& report, const std::string& name,
                                 std::string_view which) {
  const DiffDocument* const flavor = find_flavor(report, name);
  if (flavor != nullptr) return *flavor;
  throw DiffError(
      fmt::format("the {} report has no flavor `{}`; it has {}", which, name, names_in(report)));
}

bool is_part(const DiffDocument& report) { return report.at("run").value("filtered", false); }

/// Rows of a flavor by name, and the names in the report's order.
struct DiffIndex {
  std::vector<std::string> order;
  std::map<std::string, const DiffDocument*> rows;
};

DiffIndex index_of(const DiffDocument& rows, const char* name) {
  DiffIndex index;
  for (const DiffDocument& row : rows) {
    if (!row.value("selected", true)) continue;
    const std::string key = row.at(name);
    if (index.rows.emplace(key, &row).second) index.order.push_back(key);
  }
  return index;
}

const DiffDocument* row_of(const DiffIndex& index, const std::string& key) {
  const auto found = index.rows.find(key);
  return found == index.rows.end() ? nullptr : found->second;
}

class FlavorComparison {
 public:
  FlavorComparison(const DiffDocument& before, const DiffDocument& after,
                   const DiffOptions& options, const Diff& diff)
      : before_(before), after_(after), options_(options), diff_(diff) {}

  FlavorDiff run() {
    result_.before = before_.at("flavor");
    result_.after = after_.at("flavor");
    result_.verdict_before = before_.at("verdict");
    result_.verdict_after = after_.at("verdict");
    compare("rules", "id", "state");
    compare("cases", "case", "outcome");
    std::stable_sort(result_.rows.begin(), result_.rows.end(),
                     [](const DiffRow& a, const DiffRow& b) { return a.kind < b.kind; });
    return std::move(result_);
  }

 private:
  void compare(const char* list, const char* name, const char* state) {
    const DiffIndex before = index_of(before_.at(list), name);
    const DiffIndex after = index_of(after_.at(list), name);
    for (const std::string& key : before.order) {
      compare_row(key, row_of(before, key), row_of(after, key), state);
    }
    for (const std::string& key : after.order) {
      if (!before.rows.contains(key)) compare_row(key, nullptr, row_of(after, key), state);
    }
  }

  void compare_row(const std::string& key, const DiffDocument* before, const DiffDocument* after,
                   const char* state) {
    DiffRow row;
    const DiffDocument& either = before == nullptr ? *after : *before;
    const bool is_case = either.contains("case");
    row.rule = is_case ? either.at("rules").at(0).get<std::string>() : key;
    if (is_case) row.name = key;
    if (before != nullptr) {
      row.before = before->at(state);
      row.before_ms = before->value("duration_ms", 0.0);
    }
    if (after != nullptr) {
      row.after = after->at(state);
      row.after_ms = after->value("duration_ms", 0.0);
    }
    if (decide(row)) result_.rows.push_back(std::move(row));
  }

  /// False where there is nothing to tell.
  bool decide(DiffRow& row) const {
    if (row.after.empty()) {
      row.kind = DiffKind::kGone;
      return !diff_.part_after;
    }
    if (row.before.empty()) {
      row.kind = DiffKind::kNew;
      return !diff_.part_before;
    }
    if (row.before != row.after) {
      row.kind = kind_of_change(row.before, row.after);
      return true;
    }
    if (row.name.empty() || row.before != "passed") return false;
    const auto grew = [this](double from, double to) {
      return to >= from * options_.slower && to - from >= options_.slower_by_ms;
    };
    row.kind = grew(row.before_ms, row.after_ms) ? DiffKind::kSlower : DiffKind::kFaster;
    return row.kind == DiffKind::kSlower || grew(row.after_ms, row.before_ms);
  }

  const DiffDocument& before_;
  const DiffDocument& after_;
  const DiffOptions& options_;
  const Diff& diff_;
  FlavorDiff result_;
};

/// A flavor that only one of them has.
FlavorDiff one_sided(const DiffDocument* before, const DiffDocument* after) {
  FlavorDiff result;
  if (before != nullptr) {
    result.before = before->at("flavor");
    result.verdict_before = before->at("verdict");
  }
  if (after != nullptr) {
    result.after = after->at("flavor");
    result.verdict_after = after->at("verdict");
  }
  return result;
}

/// Nothing where the run was compared with none.
std::optional<ListDiff> list_of(const DiffDocument& report) {
  const auto known = report.find("known_failures");
  if (known == report.end() || known->is_null()) return std::nullopt;
  ListDiff list;
  list.holds = known->at("hold");
  for (const DiffDocument& entry : known->at("entries")) {
    const std::string state = entry.at("state");
    if (state == "holds" || state == "not_judged") continue;
    list.problems.push_back(fmt::format("line {}, {}: {}", entry.at("line").get<std::int64_t>(),
                                        title_of(known_failure_of(entry)), state));
  }
  const std::size_t unlisted = known->at("unlisted").size();
  if (unlisted > 0) list.problems.push_back(count_text(unlisted, "failure") + " not listed");
  return list;
}

Diff compared(const DiffDocument& before, const DiffDocument& after, const DiffOptions& options) {
  Diff diff;
  diff.part_before = is_part(before);
  diff.part_after = is_part(after);
  diff.list_before = list_of(before);
  diff.list_after = list_of(after);
  const auto compare = [&](const DiffDocument& one, const DiffDocument& other) {
    diff.flavors.push_back(FlavorComparison(one, other, options, diff).run());
  };
  if (options.flavors) {
    compare(flavor_named(before, options.flavors->first, "first"),
            flavor_named(after, options.flavors->second, "second"));
    return diff;
  }
  for (const DiffDocument& flavor : before.at("flavors")) {
    const DiffDocument* const other = find_flavor(after, flavor.at("flavor").get<std::string>());
    if (other == nullptr) {
      diff.flavors.push_back(one_sided(&flavor, nullptr));
    } else {
      compare(flavor, *other);
    }
  }
  for (const DiffDocument& flavor : after.at("flavors")) {
    if (find_flavor(before, flavor.at("flavor").get<std::string>()) == nullptr) {
      diff.flavors.push_back(one_sided(nullptr, &flavor));
    }
  }
  return diff;
}

}  // namespace

std::string_view to_string(DiffKind kind) { return kKindNames.at(static_cast<std::size_t>(kind)); }

std::size_t FlavorDiff::count(DiffKind kind) const {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [kind](const DiffRow& row) { return row.kind == kind; }));
}

bool FlavorDiff::lost() const {
  const bool verdict = verdict_before == "conformant" && verdict_after != "conformant";
  return after.empty() || verdict || count(DiffKind::kLost) > 0;
}

bool Diff::list_lost() const {
  const bool held = !list_before || list_before->holds;
  return list_after && !list_after->holds && held;
}

bool Diff::lost() const {
  return list_lost() || std::any_of(flavors.begin(), flavors.end(),
                                    [](const FlavorDiff& flavor) { return flavor.lost(); });
}

Diff diff_reports(const DiffDocument& before, const DiffDocument& after,
                  const DiffOptions& options) {
  try {
    return compared(before, after, options);
  } catch (const DiffDocument::exception& error) {
    throw DiffError(fmt::format("a report is damaged: {}", json_trouble(error)));
  }
}

}  // namespace sandproof::conformance
