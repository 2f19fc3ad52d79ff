// SPDX-License-Identifier: Apache-2.0
// What does not fit together is refused by name; see merge_check.h.
#include "conformance/report/merge_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "conformance/report/merge.h"

namespace sandproof::conformance {
namespace {

using PartJson = nlohmann::json;

std::string shown(const PartJson& event, const char* key) {
  const auto found = event.find(key);
  if (found == event.end()) return "none";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

void check_same_key(const LogPart& a, const LogPart& b, const char* key, std::string_view what) {
  const std::string one = shown(a.started, key);
  const std::string other = shown(b.started, key);
  if (one == other) return;
  throw MergeError(
      fmt::format("{} and {} cannot be merged: {} is {} in the one and {} in the other", a.name,
                  b.name, what, one, other));
}

void check_same_rules(const LogPart& a, const LogPart& b) {
  const std::size_t most = std::max(a.rules.size(), b.rules.size());
  for (std::size_t i = 0; i < most; ++i) {
    if (i < a.rules.size() && i < b.rules.size() && a.rules[i] == b.rules[i]) continue;
    const PartJson& rule = i < a.rules.size() ? a.rules[i] : b.rules[i];
    throw MergeError(
        fmt::format("{} and {} cannot be merged: their tables of rules differ, first "
                    "in {}; run both with the same program",
                    a.name, b.name, shown(rule, "id")));
  }
}

/// Both have a list of known failures, or none.
void check_both_listed(const LogPart& a, const LogPart& b) {
  const bool listed = a.started.contains("known_failures");
  if (listed == b.started.contains("known_failures")) return;
  const LogPart& part = listed ? a : b;
  throw MergeError(fmt::format(
      "{} and {} cannot be merged: {} was compared with the known failures of {}, and the other "
      "with none; run both with the same --known-failures",
      a.name, b.name, part.name, shown(part.started, "known_failures")));
}

/// The file may be called otherwise on another machine; what it says has to be the same.
void check_same_list(const LogPart& a, const LogPart& b) {
  const std::size_t most = std::max(a.known_failures.size(), b.known_failures.size());
  for (std::size_t i = 0; i < most; ++i) {
    const bool in_both = i < a.known_failures.size() && i < b.known_failures.size();
    if (in_both && a.known_failures[i] == b.known_failures[i]) continue;
    const PartJson& entry = i < a.known_failures.size() ? a.known_failures[i] : b.known_failures[i];
    throw MergeError(fmt::format(
        "{} and {} cannot be merged: their lists of known failures differ, first in the entry of "
        "line {}, {}; run both with the same --known-failures",
        a.name, b.name, shown(entry, "line"), title_of(known_failure_of(entry))));
  }
}

void check_same_filters(const LogPart& a, const LogPart& b) {
  if (a.filtered == b.filtered) return;
  const LogPart& part = a.filtered ? a : b;
  throw MergeError(
      fmt::format("{} and {} cannot be merged: {} has a part of the suite that filters "
                  "selected, and the other the whole",
                  a.name, b.name, part.name));
}

void check_same_declaration(const LogPart& a, const LogPart& b, const std::string& flavor) {
  const PartJson& one = *a.find_flavor(flavor);
  const PartJson& other = *b.find_flavor(flavor);
  for (const PartJson* side : {&one, &other}) {
    for (const auto& [key, value] : side->items()) {
      if (one.contains(key) && other.contains(key) && one[key] == other[key]) continue;
      // Merged logs have it here.
      if (key == "seed") continue;
      throw MergeError(fmt::format("{} and {} cannot be merged: they declare `{}` differently ({})",
                                   a.name, b.name, flavor,
                                   key == "replay" ? "the options that configure it" : key));
    }
  }
  const std::uint64_t seed = one.value("seed", a.seed);
  const std::uint64_t other_seed = other.value("seed", b.seed);
  if (seed == other_seed) return;
  throw MergeError(
      fmt::format("{} and {} cannot be merged: the seed of `{}` is {} in the one and {} in the "
                  "other; give both the same --seed",
                  a.name, b.name, flavor, seed, other_seed));
}

std::string shard_words(const LogPart& part) {
  return part.shard ? to_string(*part.shard) : std::string("no shard");
}

void check_same_total(const LogPart& a, const LogPart& b, const std::string& flavor) {
  const int total = a.shard ? a.shard->total : 0;
  const int other_total = b.shard ? b.shard->total : 0;
  if (total == other_total) return;
  throw MergeError(
      fmt::format("{} and {} cannot be merged: of `{}`, the one is {} and the other {}", a.name,
                  b.name, flavor, shard_words(a), shard_words(b)));
}

/// One that the other does not know, or knows otherwise.
void check_same_plan(const LogPart& a, const LogPart& b, const std::string& flavor) {
  for (const auto& [key, row] : a.cases) {
    if (key.first != flavor) continue;
    const auto other = b.cases.find(key);
    if (other == b.cases.end()) {
      throw MergeError(fmt::format(
          "{} and {} cannot be merged: {} of `{}` is in the plan of the one alone; run all shards "
          "with the same program, flavors and filters",
          a.name, b.name, key.second, flavor));
    }
    if (row.shard == other->second.shard && row.planned == other->second.planned) continue;
    throw MergeError(
        fmt::format("{} and {} cannot be merged: they plan {} of `{}` differently; run all shards "
                    "with the same "
                    "program, flavors and options",
                    a.name, b.name, key.second, flavor));
  }
}

/// The logs that have a flavor; those with a whole plan first.
std::vector<const LogPart*> parts_with(const std::vector<LogPart>& parts,
                                       const std::string& flavor) {
  std::vector<const LogPart*> found;
  for (const LogPart& part : parts) {
    if (part.find_flavor(flavor) != nullptr) found.push_back(&part);
  }
  std::stable_partition(found.begin(), found.end(),
                        [](const LogPart* part) { return part->planned; });
  return found;
}

void check_no_shard_twice(const std::vector<const LogPart*>& parts, const std::string& flavor) {
  std::map<int, const LogPart*> seen;
  for (const LogPart* part : parts) {
    if (!part->shard) continue;
    const auto [other, added] = seen.emplace(part->shard->index, part);
    if (added) continue;
    throw MergeError(fmt::format("{} of `{}` is there twice: {} and {}", shard_words(*part), flavor,
                                 other->second->name, part->name));
  }
}

void check_no_case_twice(const std::vector<LogPart>& parts) {
  std::map<std::pair<std::string, std::string>, const LogPart*> seen;
  for (const LogPart& part : parts) {
    for (const auto& [key, row] : part.cases) {
      if (!row.own) continue;
      const auto [other, added] = seen.emplace(key, &part);
      if (added) continue;
      throw MergeError(fmt::format("{} of `{}` is there twice: in {} and in {}", key.second,
                                   key.first, other->second->name, part.name));
    }
  }
}

/// What has to be the same is compared with one of them: so the work is linear in the logs.
void check_flavor(const std::vector<LogPart>& parts, const std::string& flavor) {
  const std::vector<const LogPart*> found = parts_with(parts, flavor);
  const LogPart& first = *found.front();
  for (const LogPart* part : found) check_same_total(first, *part, flavor);
  check_no_shard_twice(found, flavor);
  for (const LogPart* part : found) {
    check_same_declaration(first, *part, flavor);
    if (!first.shard || !part->planned) continue;
    check_same_plan(first, *part, flavor);
    check_same_plan(*part, first, flavor);
  }
}

}  // namespace

void check_parts_fit(const std::vector<LogPart>& parts) {
  if (parts.empty()) return;
  const LogPart* planned = nullptr;
  std::set<std::string> flavors;
  for (const LogPart& part : parts) {
    check_same_key(parts.front(), part, "version", "the version of the program");
    check_same_key(parts.front(), part, "time_scale", "the time scale");
    check_same_key(parts.front(), part, "mutant", "the mutant");
    check_same_filters(parts.front(), part);
    check_both_listed(parts.front(), part);
    if (part.planned && planned != nullptr) {
      check_same_rules(*planned, part);
      check_same_list(*planned, part);
    }
    if (part.planned && planned == nullptr) planned = &part;
    for (const std::string& flavor : part.flavor_names()) flavors.insert(flavor);
  }
  for (const std::string& flavor : flavors) check_flavor(parts, flavor);
  check_no_case_twice(parts);
}

}  // namespace sandproof::conformance
