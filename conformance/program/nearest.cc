// SPDX-License-Identifier: Apache-2.0
// Names near to a name; see nearest.h.
#include "conformance/program/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace sandproof::conformance {
namespace {

constexpr std::size_t kMostSuggestions = 3;
/// A list that is longer than this is no help in a sentence.
constexpr std::size_t kMostKnown = 8;

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// Insertions, deletions and replacements that turn one into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

std::string quoted_list(const std::vector<std::string>& names, std::string_view last_word) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? fmt::format(" {} ", last_word) : ", ";
    text += fmt::format("`{}`", names[i]);
  }
  return text;
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view name,
                                       const std::vector<std::string>& known) {
  const std::string wanted = lower(name);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : known) {
    const std::string other = lower(candidate);
    // What was begun and not finished is near, however much is missing.
    const bool begun = wanted.size() >= 3 && other.starts_with(wanted);
    const std::size_t distance = begun ? 1 : edit_distance(wanted, other);
    if (distance <= std::max<std::size_t>(1, wanted.size() / 3)) {
      near.emplace_back(distance, candidate);
    }
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(near.size(), kMostSuggestions); ++i) {
    names.push_back(near[i].second);
  }
  return names;
}

std::string known_text(const std::vector<std::string>& known) {
  if (known.empty()) return {};
  return fmt::format("; known {} {}", known.size() == 1 ? "is" : "are", quoted_list(known, "and"));
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known,
                       std::string_view list_command) {
  const std::vector<std::string> near = nearest_names(name, known);
  if (!near.empty()) return fmt::format("; did you mean {}?", quoted_list(near, "or"));
  if (known.size() <= kMostKnown) return known_text(known);
  return list_command.empty() ? std::string() : fmt::format("; `{}` lists them", list_command);
}

}  // namespace sandproof::conformance
