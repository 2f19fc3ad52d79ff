// SPDX-License-Identifier: Apache-2.0
// Looking for texts.
#include "fakes/machine/programs/support/text_patterns.h"

#include <algorithm>
#include <cctype>

namespace sandproof::machine::programs {
namespace {

bool is_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return lower;
}

}  // namespace

bool TextPatterns::add(const std::string& pattern) {
  One one;
  if (options_.fixed) {
    one.text = options_.ignore_case ? lowered(pattern) : pattern;
  } else {
    one.regex = Regex::compile(
        pattern,
        {.extended = options_.extended, .ignore_case = options_.ignore_case, .multiline = true});
    if (!one.regex) return false;
  }
  patterns_.push_back(std::move(one));
  return true;
}

TextPatterns::Found TextPatterns::find_one(const One& one, std::string_view line,
                                           std::size_t from) const {
  if (one.regex) {
    Regex::Match match;
    if (!one.regex->search(line, from, match)) return {};
    // The leftmost match is the longest: if one is the whole line, it is this.
    if (options_.whole_lines && (match[0].begin > 0 || match[0].end < line.size())) return {};
    return match[0];
  }
  if (options_.whole_lines && line.size() != one.text.size()) return {};
  const std::size_t at =
      options_.ignore_case ? lowered(line).find(one.text, from) : line.find(one.text, from);
  if (at == line.npos) return {};
  return {.begin = at, .end = at + one.text.size()};
}

TextPatterns::Found TextPatterns::search(const One& one, std::string_view line,
                                         std::size_t from) const {
  Found found = find_one(one, line, from);
  if (!options_.whole_words) return found;
  while (found.matched()) {
    const bool begins = found.begin == 0 || !is_word(line[found.begin - 1]);
    const bool ends = found.end == line.size() || !is_word(line[found.end]);
    if (begins && ends) return found;
    if (found.begin + 1 > line.size()) return {};
    found = find_one(one, line, found.begin + 1);
  }
  return found;
}

TextPatterns::Found TextPatterns::find(std::string_view line, std::size_t from) const {
  Found best;
  for (const One& one : patterns_) {
    const Found found = search(one, line, from);
    if (!found.matched()) continue;
    if (!best.matched() || found.begin < best.begin ||
        (found.begin == best.begin && found.end > best.end)) {
      best = found;
    }
  }
  return best;
}

}  // namespace sandproof::machine::programs
