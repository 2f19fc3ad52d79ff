// SPDX-License-Identifier: Apache-2.0
// The bounded end of an output (output_tail.h).
#include "conformance/runner/output_tail.h"

namespace sandproof::conformance::runner {

void OutputTail::add(std::string_view bytes) {
  if (bytes.size() > kBytes) bytes.remove_prefix(bytes.size() - kBytes);
  bytes_ += bytes;
  // Cut only when it has doubled, so that a byte is moved once at most.
  if (bytes_.size() > 2 * kBytes) bytes_.erase(0, bytes_.size() - kBytes);
}

std::string OutputTail::text() const {
  std::string_view tail = bytes_;
  if (tail.size() > kBytes) tail.remove_prefix(tail.size() - kBytes);
  if (!tail.empty() && tail.back() == '\n') tail.remove_suffix(1);
  std::size_t begin = tail.size();
  for (std::size_t lines = 0; lines < kLines && begin > 0; ++lines) {
    const std::size_t newline = tail.rfind('\n', begin - 1);
    if (newline == std::string_view::npos) return std::string(tail);
    begin = newline;
  }
  if (begin < tail.size() && tail[begin] == '\n') ++begin;
  return std::string(tail.substr(begin));
}

}  // namespace sandproof::conformance::runner
