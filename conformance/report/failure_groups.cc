// SPDX-License-Identifier: Apache-2.0
// Grouping failures by what they say; see failure_groups.h.
#include "conformance/report/failure_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "conformance/report/summary.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {
namespace {

/// Of a reason; what follows is detail, and texts may be long.
constexpr std::size_t kMostCompared = 4'000;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Each word with a digit in it becomes "#".
std::string masked(std::string_view text) {
  text = text.substr(0, kMostCompared);
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    if (word.empty()) {
      result += text[i++];
      continue;
    }
    const bool digit =
        std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    result += digit ? std::string_view("#") : word;
    i = end;
  }
  return result;
}

/// What the case says of its end; empty where it says nothing.
std::string reason_key(const CaseResult& result) {
  std::string key;
  const auto add = [&key](std::string_view text) {
    if (!text.empty()) key += masked(text) + '\n';
  };
  for (const FailedAssertion& failure : result.failures) add(failure.message);
  add(result.reason);
  add(result.deviation);
  add(result.status);
  add(result.known_note);
  for (const Wait& wait : result.waits) add(wait.verb + " on " + wait.object);
  for (const std::string& item : result.leftovers) add(item);
  return key;
}

}  // namespace

std::vector<FailureGroup> group_failures(const std::vector<FailedCase>& failures) {
  using Key = std::tuple<const FlavorResult*, Outcome, std::string>;
  std::map<Key, std::size_t> places;
  std::vector<FailureGroup> groups;
  for (const FailedCase& failed : failures) {
    std::string reason = reason_key(*failed.result);
    // Who says nothing does not say the same.
    if (reason.empty()) reason = "case " + failed.result->name;
    const auto [found, is_new] = places.try_emplace(
        Key{failed.flavor, failed.result->outcome, std::move(reason)}, groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(failed);
  }
  std::vector<FailureGroup> result;
  // Small ones fall apart, each case back to where it stood.
  std::map<const CaseResult*, const FailureGroup*> large;
  for (const FailureGroup& group : groups) {
    if (group.size() < kLeastGroup) continue;
    for (const FailedCase& failed : group) large.emplace(failed.result, &group);
  }
  for (const FailedCase& failed : failures) {
    const auto found = large.find(failed.result);
    if (found == large.end()) {
      result.push_back({failed});
    } else if (found->second->front().result == failed.result) {
      result.push_back(*found->second);
    }
  }
  return result;
}

std::string group_title(const FailureGroup& group) {
  const FailedCase& first = group.front();
  return fmt::format("{} on {}: {}, all for the same reason", count_text(group.size(), "case"),
                     first.flavor->name, words_of(first.result->outcome));
}

std::string group_names(const FailureGroup& group, std::size_t most) {
  std::string text;
  const std::size_t shown = std::min(most, group.size());
  for (std::size_t i = 0; i < shown; ++i) {
    text += (i == 0 ? "" : ", ") + group[i].result->name;
  }
  if (group.size() > shown) text += fmt::format(" and {} more", group.size() - shown);
  return text;
}

std::string group_rules(const FailureGroup& group) {
  std::vector<std::string> ids;
  for (const FailedCase& failed : group) {
    const std::string& id = failed.result->rules.front();
    if (!contains(ids, id)) ids.push_back(id);
  }
  return join_ids(ids);
}

}  // namespace sandproof::conformance
