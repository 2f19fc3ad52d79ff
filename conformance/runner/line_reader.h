// SPDX-License-Identifier: Apache-2.0
// Lines out of a descriptor, bounded: what comes from a worker is not trusted to be short. Owned by
// one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace sandproof::conformance::runner {

/// The longest line between supervisor and worker. A worker bounds what it writes far below it
/// (event_sink.h); a longer line is cut, and so is no event any more.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;

class LineReader {
 public:
  enum class State {
    kMore,   ///< `budget` bytes were read; there may be more.
    kAgain,  ///< Nothing there at the moment (non-blocking descriptors only).
    kEnd,    ///< End of file, or an error that amounts to it. A torn last line is dropped.
  };
  using OnLine = std::function<void(std::string_view line)>;

  /// Reads about `budget` bytes at most and calls `on_line` for each whole line, without its
  /// newline. Blocks on a blocking descriptor.
  State read(int fd, std::size_t budget, const OnLine& on_line);

 private:
  void take(std::string_view bytes, const OnLine& on_line);
  std::string partial_;
};

}  // namespace sandproof::conformance::runner
