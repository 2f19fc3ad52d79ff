// SPDX-License-Identifier: Apache-2.0
// Bounded lines (line_reader.h).
#include "conformance/runner/line_reader.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include "conformance/runner/system.h"

namespace sandproof::conformance::runner {

void LineReader::take(std::string_view bytes, const OnLine& on_line) {
  while (true) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    const std::size_t room = kLongestLine - partial_.size();
    partial_.append(piece.substr(0, std::min(room, piece.size())));
    if (end == std::string_view::npos) return;
    // The callback may throw: the reader has to be ready for the next line by then.
    const std::string line = std::exchange(partial_, {});
    on_line(line);
    bytes.remove_prefix(end + 1);
  }
}

LineReader::State LineReader::read(int fd, std::size_t budget, const OnLine& on_line) {
  std::array<char, 16 * 1024> buffer;
  for (std::size_t total = 0; total < budget;) {
    const long count = read_some_bytes(fd, buffer.data(), buffer.size());
    if (count == 0) return State::kEnd;
    if (count < 0) return errno == EAGAIN ? State::kAgain : State::kEnd;
    total += static_cast<std::size_t>(count);
    take({buffer.data(), static_cast<std::size_t>(count)}, on_line);
  }
  return State::kMore;
}

}  // namespace sandproof::conformance::runner
