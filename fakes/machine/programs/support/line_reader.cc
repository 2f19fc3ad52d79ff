// SPDX-License-Identifier: Apache-2.0
// Reading lines.
#include "fakes/machine/programs/support/line_reader.h"

#include <algorithm>
#include <array>

namespace sandproof::machine::programs {

bool LineReader::take(std::string& line) {
  const std::size_t found = held_.find(end_, std::max(at_, searched_));
  taken_ = true;
  if (found != held_.npos) {
    line.assign(held_, at_, found - at_);
    at_ = searched_ = found + 1;
    ended_ = true;
    return true;
  }
  searched_ = held_.size();
  if (!at_end_ && held_.size() - at_ < kMaxLineBytes) return false;
  line.assign(held_, at_);
  taken_ = !line.empty();
  held_.clear();
  at_ = searched_ = 0;
  ended_ = false;
  return true;
}

Task<void> LineReader::fill(std::string& line) {
  do {
    held_.erase(0, at_);
    searched_ -= at_;
    at_ = 0;
    std::array<std::byte, kChunkBytes> chunk;
    const Result<std::size_t> count = co_await self_.read(fd_, chunk);
    if (count.error() == Errno::kIntr) continue;
    if (!count) error_ = count.error();
    if (count.value_or(0) == 0) {
      at_end_ = true;
    } else {
      held_.append(reinterpret_cast<const char*>(chunk.data()), *count);
    }
  } while (!take(line));
}

}  // namespace sandproof::machine::programs
