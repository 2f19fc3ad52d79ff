// SPDX-License-Identifier: Apache-2.0
// The end of what a worker printed: everything is drained, little is kept. Owned by one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sandproof::conformance::runner {

class OutputTail {
 public:
  /// Enough for an assertion of the C++ library, a sanitizer's report or a backtrace.
  static constexpr std::size_t kBytes = std::size_t{16} * 1024;
  static constexpr std::size_t kLines = 64;

  void add(std::string_view bytes);
  void clear() { bytes_.clear(); }
  /// The last lines, as they came: not necessarily UTF-8.
  std::string text() const;

 private:
  std::string bytes_;
};

}  // namespace sandproof::conformance::runner
