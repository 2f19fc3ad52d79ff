// SPDX-License-Identifier: Apache-2.0
// Compiling them, by way of the C library.
#include "fakes/machine/programs/awk/pattern.h"

#include <regex.h>

#include <array>
#include <optional>
#include <utility>

#include "fakes/machine/programs/awk/failure.h"
#include "fakes/machine/programs/awk/limits.h"

namespace sandproof::machine::programs::awk {
namespace {

/// The library's own words about a pattern that it refuses in one of its forms.
std::string refusal_of(const std::string& text, bool extended) {
  for (const int flags : {0, REG_ICASE}) {
    ::regex_t expression{};
    const int error = ::regcomp(&expression, text.c_str(), flags | (extended ? REG_EXTENDED : 0));
    if (error == 0) {
      ::regfree(&expression);
      continue;
    }
    std::array<char, 256> words{};
    ::regerror(error, &expression, words.data(), words.size());
    return words.data();
  }
  return "it is too large";
}

}  // namespace

Pattern compile_pattern(const std::string& text, PatternFallback fallback) {
  for (const bool extended : {true, false}) {
    std::optional<Regex> exact = Regex::compile(text, {.extended = extended});
    std::optional<Regex> any_case =
        Regex::compile(text, {.extended = extended, .ignore_case = true});
    if (exact && any_case) {
      return {.text = text, .exact = std::move(*exact), .any_case = std::move(*any_case)};
    }
    if (fallback == PatternFallback::kNone) break;
  }
  throw Failure("bad regex '" + text +
                "': " + refusal_of(text, fallback == PatternFallback::kNone));
}

const Pattern& PatternCache::get(const std::string& text) {
  const auto found = patterns_.find(text);
  if (found != patterns_.end()) return found->second;
  if (patterns_.size() >= kMaxCachedPatterns) patterns_.clear();
  return patterns_.emplace(text, compile_pattern(text, PatternFallback::kBasic)).first->second;
}

}  // namespace sandproof::machine::programs::awk
