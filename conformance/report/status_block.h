// SPDX-License-Identifier: Apache-2.0
// A few lines at the end of a terminal that are rewritten in place. Owns nothing but the knowledge
// of how many lines it drew; one thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/terminal.h"

namespace sandproof::conformance {

/// A terminal is redrawn at most this often, in ms: 20 times a second looks smooth, costs nothing.
inline constexpr double kRedrawMs = 50;

class StatusBlock {
 public:
  /// `terminal.live` must be true for draw() to write anything.
  StatusBlock(int fd, const Terminal& terminal) : fd_(fd), terminal_(terminal) {}

  /// Shows these lines in place of the last ones; each is cut to the width.
  void draw(const std::vector<std::string>& lines);
  /// Takes them away.
  void clear() { draw({}); }
  /// Writes lines that stay, above the block, which is gone until the next draw().
  void print(std::string_view text);

 private:
  int fd_;
  Terminal terminal_;
  std::size_t drawn_ = 0;
};

}  // namespace sandproof::conformance
