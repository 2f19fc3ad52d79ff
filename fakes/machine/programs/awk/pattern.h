// SPDX-License-Identifier: Apache-2.0
// Regular expressions of awk: those of a program's text, and strings that become one as it runs.
// One thread at a time per object.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "fakes/machine/programs/awk/code.h"

namespace sandproof::machine::programs::awk {

/// What to do with a text that is no extended expression: in busybox a string is then tried as a
/// basic one.
enum class PatternFallback : unsigned char { kNone, kBasic };
/// Throws Failure: "bad regex 'x': …".
Pattern compile_pattern(const std::string& text, PatternFallback fallback);

/// Keeps the last kMaxCachedPatterns or so.
class PatternCache {
 public:
  /// Good until the next call.
  const Pattern& get(const std::string& text);

 private:
  std::map<std::string, Pattern> patterns_;
};

inline const Regex& regex_of(const Pattern& pattern, bool ignore_case) {
  return ignore_case ? pattern.any_case : pattern.exact;
}

}  // namespace sandproof::machine::programs::awk
