// SPDX-License-Identifier: Apache-2.0
// The line splitter of line_splitter.h. Not thread-safe.
#include "line_splitter.h"

namespace sandproof {

bool LineSplitter::next(std::string_view& chunk, std::string& line) {
  const std::size_t newline = chunk.find('\n');  // memchr; over new bytes only.
  if (newline == std::string_view::npos) {
    partial_.append(chunk);
    chunk = {};
    return false;
  }
  const std::string_view head = chunk.substr(0, newline + 1);
  chunk.remove_prefix(head.size());
  if (partial_.empty()) {
    line.assign(head);
    return true;
  }
  partial_.append(head);
  line.swap(partial_);
  partial_.clear();
  return true;
}

bool LineSplitter::finish(std::string& line) {
  if (partial_.empty()) return false;
  line.swap(partial_);
  partial_.clear();
  return true;
}

}  // namespace sandproof
