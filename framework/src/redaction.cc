// SPDX-License-Identifier: Apache-2.0
// The redactor of redaction.h. A value; any thread.
#include "redaction.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sandproof {
namespace {

constexpr std::string_view kStars = "***";

struct Range {
  std::size_t begin;
  std::size_t end;
};

}  // namespace

Redactor::Redactor(const std::vector<std::string>& values) {
  const auto add = [this](std::string_view value) {
    if (value.size() >= kLeastRedactedBytes) values_.emplace_back(value);
  };
  for (const std::string& value : values) {
    add(value);
    if (value.find('\n') == std::string::npos) continue;
    for (std::size_t at = 0; at < value.size();) {
      const std::size_t end = std::min(value.find('\n', at), value.size());
      std::string_view line = std::string_view(value).substr(at, end - at);
      if (line.ends_with('\r')) line.remove_suffix(1);
      add(line);
      at = end + 1;
    }
  }
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
}

std::string_view Redactor::redact(std::string_view text, std::string& buffer) const {
  std::vector<Range> found;
  for (const std::string& value : values_) {
    for (std::size_t at = text.find(value); at != std::string_view::npos;
         at = text.find(value, at + 1)) {
      found.push_back({at, at + value.size()});
    }
  }
  if (found.empty()) return text;
  std::sort(found.begin(), found.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });

  std::string result;
  std::size_t copied = 0;
  for (std::size_t index = 0; index < found.size();) {
    Range range = found[index++];
    // What only touches is another secret, with stars of its own.
    while (index < found.size() && found[index].begin < range.end) {
      range.end = std::max(range.end, found[index++].end);
    }
    result.append(text, copied, range.begin - copied);
    result += kStars;
    copied = range.end;
  }
  result.append(text, copied);
  buffer = std::move(result);  // Only now: `text` may be a view of it.
  return buffer;
}

std::string Redactor::redacted(std::string text) const {
  std::string buffer;
  const std::string_view result = redact(text, buffer);
  return result.data() == text.data() && result.size() == text.size() ? std::move(text)
                                                                      : std::move(buffer);
}

}  // namespace sandproof
