// SPDX-License-Identifier: Apache-2.0
// Choosing what to remember of a failure; see failure_fragment.h.
#include "conformance/program/failure_fragment.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "conformance/report/known_failures.h"
#include "conformance/report/terminal.h"

namespace sandproof::conformance {
namespace {

/// What a person still reads as one thing.
constexpr std::size_t kLongest = 80;
/// A shorter one is found in too many other failures.
constexpr std::size_t kShortest = 8;
/// A longer word is a digest or a line without blanks.
constexpr std::size_t kLongestWord = 40;

/// Numbers, paths, ids, escapes: what another run writes differently.
bool is_stable(std::string_view word) {
  return word.size() <= kLongestWord && std::none_of(word.begin(), word.end(), [](unsigned char c) {
           return (c >= '0' && c <= '9') || c == '/' || c == '\\' || c < ' ' || c >= 0x7f;
         });
}

/// What GoogleTest says with every failure, or of the value that came.
bool is_common(const std::string& line) {
  for (const char* start : {"Expected equality of these values:", "Actual:", "Which is:", "Failed",
                            "Google Test trace:"}) {
    if (line.starts_with(start)) return true;
  }
  return false;
}

/// The longest run of stable words of a line.
std::string stable_run(const std::string& line) {
  std::istringstream words(line);
  std::string best;
  std::string run;
  for (std::string word; words >> word;) {
    if (!is_stable(word)) {
      run.clear();
      continue;
    }
    const std::string longer = run.empty() ? word : run + " " + word;
    run = longer.size() > kLongest ? word : longer;
    if (run.size() > best.size()) best = run;
  }
  return best;
}

}  // namespace

std::string stable_fragment(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    std::string best;
    for (const std::string& raw : lines_of(text)) {
      const std::string line = collapse_space(raw);
      if (is_common(line)) continue;
      const std::string run = stable_run(line);
      if (run.size() > best.size()) best = run;
    }
    if (best.size() >= kShortest) return best;
  }
  if (texts.empty()) return {};
  std::string start = collapse_space(texts.front());
  if (start.size() <= kLongest) return start;
  std::size_t end = start.rfind(' ', kLongest);
  if (end == std::string::npos) {
    end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(start[end]) & 0xc0U) == 0x80U) --end;
  }
  return start.substr(0, end);
}

}  // namespace sandproof::conformance
