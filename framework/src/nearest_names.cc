// SPDX-License-Identifier: Apache-2.0
// Suggestions for names that do not exist (nearest_names.h). Pure functions; any thread.
#include "nearest_names.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "utf8.h"

namespace sandproof {
namespace {

// More than a few suggestions are no help; then the list of all names is.
constexpr std::size_t kMostSuggestions = 3;
// Names are short words; a message has to fit a terminal.
constexpr std::size_t kShownBytes = 60;
// What is longer was not mistyped. Bounds the work, which is the product of the lengths.
constexpr std::size_t kLongestCompared = 200;

// Optimal string alignment distance, in three rows.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view name,
                                       const std::vector<std::string>& known) {
  if (name.empty() || name.size() > kLongestCompared) return {};
  const std::size_t limit = std::max<std::size_t>(2, name.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongestCompared) continue;
    const std::size_t edits = distance(name, candidate);
    // Two edits turn any two-letter word into any other.
    if (edits <= limit && edits < name.size()) near.emplace_back(edits, candidate);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (near.size() > kMostSuggestions) near.resize(kMostSuggestions);
  std::vector<std::string> names;
  names.reserve(near.size());
  for (auto& [edits, candidate] : near) names.push_back(std::move(candidate));
  return names;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known,
                       const std::string& plural) {
  std::vector<std::string> near = nearest_names(name, known);
  if (near.empty()) {
    return known.empty() ? "there are no " + plural
                         : "the " + plural + " are " + joined(known, "and");
  }
  for (std::string& candidate : near) candidate.insert(0, "`").append("`");
  return "did you mean " + joined(near, "or") + "?";
}

std::string joined(const std::vector<std::string>& names, const std::string& last) {
  std::string text;
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (index > 0) text += index + 1 == names.size() ? " " + last + " " : ", ";
    text += names[index];
  }
  return text;
}

std::string shown(std::string_view text) {
  const bool cut = text.size() > kShownBytes;
  std::string clean = sanitize(text.substr(0, kShownBytes));
  for (char& c : clean) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) c = '?';
  }
  if (cut) clean += "…";
  return clean;
}

}  // namespace sandproof
