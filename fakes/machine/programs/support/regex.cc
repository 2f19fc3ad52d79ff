// SPDX-License-Identifier: Apache-2.0
// Over <regex.h>.
#include "fakes/machine/programs/support/regex.h"

#include <regex.h>

#include <algorithm>
#include <array>

namespace sandproof::machine::programs {
namespace {

/// A bound from above of the copies that the repetitions of a pattern make: the product of all.
std::size_t copies_of(std::string_view pattern) {
  std::size_t copies = 1;
  for (std::size_t at = 0; (at = pattern.find('{', at)) != pattern.npos; ++at) {
    std::size_t largest = 1;
    std::size_t number = 0;
    for (std::size_t i = at + 1; i < pattern.size(); ++i) {
      const char letter = pattern[i];
      if (letter >= '0' && letter <= '9') {
        number = std::min<std::size_t>(number * 10 + static_cast<std::size_t>(letter - '0'),
                                       Regex::kMaxCopies);
        largest = std::max(largest, number);
      } else if (letter == ',') {
        number = 0;
      } else {
        break;
      }
    }
    copies = std::min(copies * largest, Regex::kMaxCopies + 1);
  }
  return copies;
}

}  // namespace

struct Regex::Compiled {
  Compiled() = default;
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  ~Compiled() {
    if (valid) ::regfree(&expression);
  }
  ::regex_t expression{};
  bool valid = false;
};

std::optional<Regex> Regex::compile(std::string_view pattern, RegexSyntax syntax,
                                    std::string* why) {
  if (pattern.size() > kMaxPatternBytes || copies_of(pattern) > kMaxCopies) {
    if (why != nullptr) *why = "Regular expression too big";
    return std::nullopt;
  }
  int flags = 0;
  if (syntax.extended) flags |= REG_EXTENDED;
  if (syntax.ignore_case) flags |= REG_ICASE;
  if (syntax.multiline) flags |= REG_NEWLINE;
  const auto compiled = std::make_shared<Compiled>();
  const std::string text(pattern);
  const int error = ::regcomp(&compiled->expression, text.c_str(), flags);
  if (error != 0) {
    std::array<char, 256> reason{};
    ::regerror(error, &compiled->expression, reason.data(), reason.size());
    if (why != nullptr) *why = reason.data();
    return std::nullopt;
  }
  compiled->valid = true;
  Regex regex;
  regex.compiled_ = compiled;
  return regex;
}

bool Regex::search(std::string_view text, std::size_t from, Match& match) const {
  std::array<::regmatch_t, kGroups> ranges{};
  ranges[0].rm_so = static_cast<::regoff_t>(from);
  ranges[0].rm_eo = static_cast<::regoff_t>(text.size());
  // With REG_STARTEND the offsets given back are from the beginning of the text; ^ is told by
  // REG_NOTBOL.
  const int flags = REG_STARTEND | (from > 0 ? REG_NOTBOL : 0);
  const char* const data = text.data() != nullptr ? text.data() : "";
  if (::regexec(&compiled_->expression, data, kGroups, ranges.data(), flags) != 0) return false;
  match.assign(kGroups, Range{});
  for (std::size_t i = 0; i < kGroups; ++i) {
    if (ranges[i].rm_so < 0) continue;
    match[i] = {.begin = static_cast<std::size_t>(ranges[i].rm_so),
                .end = static_cast<std::size_t>(ranges[i].rm_eo)};
  }
  return true;
}

bool Regex::matches(std::string_view text) const {
  Match match;
  return search(text, 0, match);
}

std::size_t Regex::groups() const { return compiled_->expression.re_nsub; }

}  // namespace sandproof::machine::programs
