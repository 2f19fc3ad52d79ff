// SPDX-License-Identifier: Apache-2.0
// The list of a report against its cases; see verify_known.h. It computes anew what
// known_failures.cc computed from events.
#include "conformance/report/verify_known.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "conformance/report/run_model.h"

namespace sandproof::conformance {
namespace {

using KnownJson = nlohmann::json;
using FlavorAndName = std::pair<std::string, std::string>;

/// How the list calls a refusal that did not hold, which is no case.
constexpr std::string_view kRefusalPrefix = "refusal of `";

constexpr Fit kFits[] = {Fit::kAsListed, Fit::kOtherwise, Fit::kPassed, Fit::kElsewhere,
                         Fit::kDeviation};

bool is_outcome(const KnownJson& row, Outcome outcome) {
  return row.at("outcome") == to_string(outcome);
}

bool has_failed(const KnownJson& row) {
  return is_outcome(row, Outcome::kFailed) || is_outcome(row, Outcome::kError) ||
         is_outcome(row, Outcome::kTimeout) || is_outcome(row, Outcome::kCrashed);
}

bool has_passed(const KnownJson& row) {
  return is_outcome(row, Outcome::kPassed) || is_outcome(row, Outcome::kUnexpectedPass);
}

/// It did not run, and the refusal that it is charged with stands in the list in its place.
bool is_refusal_row(const KnownJson& row) {
  return row.at("seed").is_null() && row.contains("capability");
}

/// Whether a failure says what the entry lists; see failure_texts().
bool says(const KnownFailure& entry, const KnownJson& row) {
  CaseResult result;
  for (const KnownJson& failure : row.at("failures")) {
    result.failures.push_back({"", 0, failure.at("message"), false});
  }
  for (const KnownJson& wait : row.at("waits")) {
    Wait one;
    one.verb = wait.at("verb");
    one.object = wait.at("object");
    result.waits.push_back(std::move(one));
  }
  result.reason = row.at("reason");
  result.status = row.value("status", "");
  result.leftovers = row.at("leftovers").get<std::vector<std::string>>();
  result.stderr_tail = row.value("stderr", "");
  const std::string fragment = collapse_space(entry.message);
  const std::vector<std::string> texts = failure_texts(result);
  return fragment.empty() ||
         std::any_of(texts.begin(), texts.end(), [&fragment](const std::string& text) {
           return collapse_space(text).find(fragment) != std::string::npos;
         });
}

class KnownCheck {
 public:
  explicit KnownCheck(const KnownJson& report)
      : report_(report), known_(report.at("known_failures")) {
    for (const KnownJson& flavor : report.at("flavors")) {
      for (const KnownJson& row : flavor.at("cases")) {
        cases_[{flavor.at("flavor"), row.at("case")}] = &row;
      }
    }
  }

  std::vector<std::string> run() {
    if (known_.is_null()) {
      for (const auto& [name, row] : cases_) {
        if (row->at("known_failure").is_null()) continue;
        find(fmt::format("{} on {} names a known failure, and the run had no list of them",
                         name.second, name.first));
      }
      return std::move(findings_);
    }
    bool hold = known_.at("unlisted").empty();
    for (const KnownJson& row : known_.at("entries")) {
      const EntryState state = check_entry(row);
      hold = hold && !is_problem(state);
    }
    for (const auto& [name, row] : cases_) check_case(name, *row);
    check_unlisted();
    if (known_.at("hold") != hold) {
      find(fmt::format("the list of known failures is said to {}hold, and by its entries it does{}",
                       hold ? "not " : "", hold ? "" : " not"));
    }
    return std::move(findings_);
  }

 private:
  void find(std::string sentence) { findings_.push_back(std::move(sentence)); }

  const KnownJson* find_case(const FlavorAndName& name) const {
    const auto found = cases_.find(name);
    return found == cases_.end() ? nullptr : found->second;
  }

  bool all_seen(const KnownFailure& entry) const {
    return std::all_of(entry.flavors.begin(), entry.flavors.end(), [&](const std::string& flavor) {
      std::size_t planned = 0;
      for (const auto& [name, row] : cases_) {
        if (name.first != flavor || !lists_case(entry, name.second, row->at("rules").at(0))) {
          continue;
        }
        if (is_outcome(*row, Outcome::kNotRun)) return false;
        ++planned;
      }
      const KnownJson& flavors = report_.at("flavors");
      const bool there =
          std::any_of(flavors.begin(), flavors.end(),
                      [&flavor](const KnownJson& result) { return result.at("flavor") == flavor; });
      return there && planned >= entry.suite_cases;
    });
  }

  EntryState check_entry(const KnownJson& row) {
    KnownFailureResult result;
    result.entry = known_failure_of(row);
    result.days_left = days_to_expiry(result.entry, report_.at("run").at("started_at"));
    const std::string called =
        fmt::format("the known failure of line {}, {},", result.entry.line, title_of(result.entry));
    if (row.at("days_left") != result.days_left) {
      find(fmt::format("{} has {} days left, and by its last day {}", called,
                       row.at("days_left").dump(), result.days_left));
    }
    for (const KnownJson& listed : row.at("cases")) {
      const FlavorAndName name(listed.at("flavor"), listed.at("case"));
      const std::string fit = listed.at("fit");
      const auto* const known =
          std::find_if(std::begin(kFits), std::end(kFits),
                       [&fit](Fit candidate) { return to_string(candidate) == fit; });
      if (known == std::end(kFits)) {
        find(fmt::format("{} has the fit `{}`, which there is not", called, fit));
        continue;
      }
      result.cases.push_back({name.first, name.second, *known, {}});
      check_listed(called, result, result.cases.back());
      listings_[name].push_back(*known);
    }
    conclude(result, all_seen(result.entry));
    if (row.at("state") != to_string(result.state)) {
      find(fmt::format("{} is said to be {}, and by its cases it is {}", called,
                       row.at("state").get<std::string>(), to_string(result.state)));
    }
    check_passes_listed(called, result);
    return result.state;
  }

  /// What an entry says of a case against the case.
  void check_listed(const std::string& called, const KnownFailureResult& result,
                    const ListedCase& listed) {
    if (listed.name.starts_with(kRefusalPrefix)) return;
    const KnownJson* const row = find_case({listed.flavor, listed.name});
    const KnownFailure& entry = result.entry;
    if (row == nullptr || !lists_flavor(entry, listed.flavor) ||
        !lists_case(entry, listed.name, row->at("rules").at(0))) {
      find(fmt::format("{} lists {} on {}, which it does not match", called, listed.name,
                       listed.flavor));
      return;
    }
    const bool excused = is_outcome(*row, Outcome::kExpectedFailure);
    const bool by_list = excused && !row->at("known_failure").is_null();
    const bool expired = result.days_left < 0;
    bool possible = false;
    switch (listed.fit) {
      case Fit::kAsListed:
        possible = by_list || (expired && has_failed(*row));
        if (possible && !says(entry, *row)) {
          find(fmt::format("{} excuses {} on {} for `{}`, which the failure does not say", called,
                           listed.name, listed.flavor, entry.message));
        }
        break;
      case Fit::kOtherwise:
        possible = has_failed(*row);
        break;
      case Fit::kPassed:
        possible = has_passed(*row);
        break;
      case Fit::kElsewhere:
        possible = by_list;
        break;
      case Fit::kDeviation:
        possible = excused && !by_list;
        break;
    }
    if (possible) return;
    find(fmt::format("{} says `{}` of {} on {}, which is {}", called, to_string(listed.fit),
                     listed.name, listed.flavor, row->at("outcome").get<std::string>()));
  }

  /// An entry that names cases says of each that it fails: one that passes stands in it.
  void check_passes_listed(const std::string& called, const KnownFailureResult& result) {
    if (!result.entry.rule.empty()) return;
    for (const auto& [name, row] : cases_) {
      if (!has_passed(*row) || !lists_flavor(result.entry, name.first)) continue;
      if (!lists_case(result.entry, name.second, row->at("rules").at(0))) continue;
      const bool listed = std::any_of(result.cases.begin(), result.cases.end(),
                                      [&name = name](const ListedCase& one) {
                                        return one.flavor == name.first && one.name == name.second;
                                      });
      if (listed) continue;
      find(fmt::format("{} matches {} on {}, which passed, and does not say so", called,
                       name.second, name.first));
    }
  }

  bool is_listed_as(const FlavorAndName& name, Fit fit) const {
    const auto found = listings_.find(name);
    return found != listings_.end() &&
           std::find(found->second.begin(), found->second.end(), fit) != found->second.end();
  }

  void check_case(const FlavorAndName& name, const KnownJson& row) {
    if (is_refusal_row(row)) return;
    const std::string called = fmt::format("{} on {}", name.second, name.first);
    const KnownJson& index = row.at("known_failure");
    if (!index.is_null()) {
      const Fit wanted = is_outcome(row, Outcome::kExpectedFailure) ? Fit::kAsListed : Fit::kPassed;
      if (!index.is_number_unsigned() || index >= known_.at("entries").size() ||
          !is_listed_as(name, wanted)) {
        find(fmt::format("{} names the known failure {}, which does not list it", called,
                         index.dump()));
      }
    }
    if (has_failed(row) && !listings_.contains(name) && !is_unlisted(name)) {
      find(fmt::format("{} is {}, and stands neither in an entry nor among what is not listed",
                       called, row.at("outcome").get<std::string>()));
    }
  }

  bool is_unlisted(const FlavorAndName& name) const {
    const KnownJson& unlisted = known_.at("unlisted");
    return std::any_of(unlisted.begin(), unlisted.end(), [&name](const KnownJson& listed) {
      return listed.at("flavor") == name.first && listed.at("case") == name.second;
    });
  }

  void check_unlisted() {
    for (const KnownJson& listed : known_.at("unlisted")) {
      const FlavorAndName name(listed.at("flavor"), listed.at("case"));
      if (name.second.starts_with(kRefusalPrefix)) continue;
      const KnownJson* const row = find_case(name);
      if (row != nullptr && has_failed(*row) && !listings_.contains(name)) continue;
      find(fmt::format("{} on {} is said to be a failure that is not listed, and is none",
                       name.second, name.first));
    }
  }

  const KnownJson& report_;
  const KnownJson& known_;
  std::map<FlavorAndName, const KnownJson*> cases_;
  /// What the entries say of each case.
  std::map<FlavorAndName, std::vector<Fit>> listings_;
  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> known_failure_findings(const KnownJson& report) {
  return KnownCheck(report).run();
}

}  // namespace sandproof::conformance
