// SPDX-License-Identifier: Apache-2.0
// Finding where records end. A terminator that touches the end of what was read may go on in what
// was not.
#include "fakes/machine/programs/awk/record_reader.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "fakes/machine/programs/awk/limits.h"

namespace sandproof::machine::programs::awk {
namespace {

constexpr std::size_t kReadBytes = 4096;

}  // namespace

RecordReader::Bounds RecordReader::find_byte(char byte) {
  // A NUL ends a record, too: strings end there.
  const std::string_view bytes(byte == '\0' ? "\0" : &byte, 1);
  std::size_t end = held_.find(bytes, std::max(at_, searched_));
  const std::size_t nul = held_.find('\0', std::max(at_, searched_));
  end = std::min(end, nul);
  searched_ = held_.size();
  if (end == held_.npos) return {.begin = at_, .end = held_.size(), .next = held_.size()};
  searched_ = 0;
  return {.begin = at_, .end = end, .next = end + 1, .found = true};
}

RecordReader::Bounds RecordReader::find_pattern(const Regex& regex) const {
  const std::string_view rest = std::string_view(held_).substr(at_);
  Regex::Range found;
  if (!search_separator(regex, rest, found)) {
    return {.begin = at_, .end = held_.size(), .next = held_.size()};
  }
  const std::size_t next = at_ + found.end;
  return {.begin = at_,
          .end = at_ + found.begin,
          .next = next,
          .found = at_end_ || next < held_.size()};
}

RecordReader::Bounds RecordReader::find_paragraph() const {
  const std::size_t begin = std::min(held_.find_first_not_of('\n', at_), held_.size());
  const std::size_t end = held_.find("\n\n", begin);
  if (end == held_.npos) return {.begin = begin, .end = held_.size(), .next = held_.size()};
  const std::size_t next = std::min(held_.find_first_not_of('\n', end), held_.size());
  return {.begin = begin, .end = end, .next = next, .found = at_end_ || next < held_.size()};
}

RecordReader::Took RecordReader::take(const Separator& separator, bool ignore_case, Read& into) {
  const bool nothing = at_ == held_.size();
  if (nothing && at_end_) return Took::kEnd;
  if (nothing) return Took::kNeedsMore;
  Bounds bounds;
  switch (separator.kind) {
    case Separator::Kind::kPattern:
      bounds = find_pattern(regex_of(*separator.pattern, ignore_case));
      break;
    case Separator::Kind::kEvery:
      bounds = find_paragraph();
      break;
    default:
      bounds = find_byte(separator.byte);
  }
  if (!bounds.found && !at_end_ && held_.size() - at_ < kMaxTextBytes) return Took::kNeedsMore;
  into.text.assign(held_, bounds.begin, bounds.end - bounds.begin);
  into.terminator.assign(held_, bounds.end, bounds.next - bounds.end);
  at_ = bounds.next;
  return Took::kRecord;
}

Task<void> RecordReader::fill() {
  held_.erase(0, at_);
  searched_ -= std::min(searched_, at_);
  at_ = 0;
  std::array<std::byte, kReadBytes> part;
  const Result<std::size_t> count = co_await self_.read(fd_, part);
  if (count.error() == Errno::kIntr) co_return;
  if (!count) error_ = count.error();
  if (count.value_or(0) == 0) {
    at_end_ = true;
  } else {
    held_.append(reinterpret_cast<const char*>(part.data()), *count);
  }
}

}  // namespace sandproof::machine::programs::awk
