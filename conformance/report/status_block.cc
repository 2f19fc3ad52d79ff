// SPDX-License-Identifier: Apache-2.0
// Lines rewritten in place; see status_block.h.
#include "conformance/report/status_block.h"

#include <fmt/format.h>

#include <algorithm>

namespace sandproof::conformance {

void StatusBlock::draw(const std::vector<std::string>& lines) {
  if (!terminal_.live) return;
  std::string text;
  if (drawn_ > 0) text += fmt::format("\x1b[{}A", drawn_);
  // Wrapped lines could not be counted, and a full terminal scrolls: both stay below the limits.
  const std::size_t most = terminal_.height > 2 ? terminal_.height - 2 : 1;
  const std::size_t count = std::min(lines.size(), most);
  for (std::size_t i = 0; i < count; ++i) {
    text += "\r\x1b[K" + cut_to(lines[i], terminal_.width - 1) + "\n";
  }
  text += "\r\x1b[J";
  if (drawn_ > 0 || count > 0) write_text(fd_, text);
  drawn_ = count;
}

void StatusBlock::print(std::string_view text) {
  clear();
  write_text(fd_, text);
}

}  // namespace sandproof::conformance
