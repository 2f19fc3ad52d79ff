// SPDX-License-Identifier: Apache-2.0
// Entries of a known-failures file; see known_failure.h.
#include "conformance/known_failure.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace sandproof::conformance {
namespace {

using Json = nlohmann::json;

/// The texts of an entry and their keys; an empty one is left out of the event.
constexpr std::pair<const char*, std::string KnownFailure::*> kTexts[] = {
    {"case", &KnownFailure::test_case},  {"rule", &KnownFailure::rule},
    {"flavor", &KnownFailure::flavor},   {"outcome", &KnownFailure::outcome},
    {"message", &KnownFailure::message}, {"reason", &KnownFailure::reason},
    {"link", &KnownFailure::link},       {"expires", &KnownFailure::expires},
};

}  // namespace

Json to_event(const KnownFailure& entry) {
  Json event{{"line", entry.line}, {"suite_cases", entry.suite_cases}, {"flavors", entry.flavors}};
  for (const auto& [key, text] : kTexts) {
    if (!(entry.*text).empty()) event[key] = entry.*text;
  }
  if (!entry.nearest.empty()) event["nearest"] = entry.nearest;
  return event;
}

KnownFailure known_failure_of(const Json& event) {
  KnownFailure entry;
  entry.line = event.value("line", std::int64_t{0});
  for (const auto& [key, text] : kTexts) entry.*text = event.value(key, "");
  entry.suite_cases = event.value("suite_cases", std::size_t{0});
  entry.flavors = event.value("flavors", std::vector<std::string>{});
  entry.nearest = event.value("nearest", std::vector<std::string>{});
  return entry;
}

bool matches_pattern(const std::string& pattern, const std::string& text, bool ignore_case) {
  return ::fnmatch(pattern.c_str(), text.c_str(), ignore_case ? FNM_CASEFOLD : 0) == 0;
}

bool lists_case(const KnownFailure& entry, const std::string& test_case, const std::string& rule) {
  if (!entry.rule.empty()) return matches_pattern(entry.rule, rule, true);
  return !test_case.empty() && matches_pattern(entry.test_case, test_case);
}

bool lists_flavor(const KnownFailure& entry, const std::string& flavor) {
  return entry.flavor.empty() || matches_pattern(entry.flavor, flavor);
}

bool says_the_same(const KnownFailure& a, const KnownFailure& b) {
  return a.test_case == b.test_case && a.rule == b.rule && a.flavor == b.flavor &&
         a.outcome == b.outcome && a.message == b.message;
}

std::string title_of(const KnownFailure& entry) {
  const bool of_rule = !entry.rule.empty();
  std::string title =
      fmt::format("{} `{}`", of_rule ? "rule" : "case", of_rule ? entry.rule : entry.test_case);
  if (!entry.flavor.empty()) title += fmt::format(" on `{}`", entry.flavor);
  return title;
}

}  // namespace sandproof::conformance
