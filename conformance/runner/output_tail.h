// SPDX-License-Identifier: Apache-2.0
// The end of what a worker printed: everything is drained, little is kept. Owned by one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sandproof::conformance::runner {

class OutputTail {
 public:
  /// Enough for an assertion of the C++ library, a backtrace, or a whole report of a sanitizer,
  /// whose first lines matter most: a race of threads has four stacks of forty long lines.
  static constexpr std::size_t kBytes = std::size_t{64} * 1024;
  static constexpr std::size_t kLines = 256;

  void add(std::string_view bytes);
  void clear() { bytes_.clear(); }
  /// The last lines, as they came: not necessarily UTF-8.
  std::string text() const;

 private:
  std::string bytes_;
};

}  // namespace sandproof::conformance::runner
