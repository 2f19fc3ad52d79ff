// SPDX-License-Identifier: Apache-2.0
// The readers of ProcessCore: lines and raw bytes, from one shared position per stream.
#include <algorithm>
#include <cstring>
#include <utility>

#include "process_core.h"
#include "sandproof/errors.h"
#include "utf8.h"

namespace sandproof {

/// With the reader lock. Gives the memory back too.
void ProcessCore::Lane::drop_in_hand() {
  current = Chunk();
  rest = {};
  rest_taken = 0;
  splitter = LineSplitter();
}

/// With the reader lock. True when `current` has bytes.
bool ProcessCore::fetch(Lane& lane) {
  if (!lane.current.empty()) return true;
  std::unique_lock lock(mutex_);
  lane.taken_at = Clock::now();
  if (std::optional<Chunk> chunk = lane.buffer.take()) {
    lane.current = std::move(*chunk);
    ++lane.takes;
    room_was_made(lane);
    return true;
  }
  const StreamBuffer::FilePart part = lane.buffer.file_part();
  if (part.count == 0) return false;
  lock.unlock();
  const std::error_code error = lane.buffer.read_from_file(part, lane.current);
  lock.lock();
  if (lane.buffer.discarding()) {
    lane.current.clear();
    return false;
  }
  if (error) {
    // What is behind is lost, and the command is not held back for it.
    lane.error = error;
    end_lane(lane, StreamEnd::kBroken);
    lock.unlock();
    discard(lane);
    return false;
  }
  lane.buffer.unfiled(part);
  ++lane.takes;
  room_was_made(lane);
  return true;
}

/// With the reader lock. A whole line out of what has come; undecoded.
bool ProcessCore::take_line(Lane& lane, std::string& line) {
  while (lane.rest_left() > 0) {
    std::string_view rest = std::string_view(lane.rest).substr(lane.rest_taken);
    const bool whole = lane.splitter.next(rest, line);
    lane.rest_taken = lane.rest.size() - rest.size();
    if (whole) return true;
  }
  while (fetch(lane)) {
    std::string_view text = lane.current.text();
    const bool whole = lane.splitter.next(text, line);
    lane.current.taken(lane.current.size() - text.size());
    if (whole) return true;
  }
  return false;
}

/// With the reader lock. Whole lines, as many as can be had at once: `first` is one that was begun
/// before, `others` are those behind it; either may be empty. False without any. Looks no further
/// once the beginning of a line has `most_pending` bytes.
bool ProcessCore::take_lines(Lane& lane, std::string& first, Chunk& others,
                             std::size_t most_pending) {
  first.clear();
  others.clear();
  if (lane.rest_left() > 0) return take_line(lane, first);
  while (lane.splitter.pending() < most_pending && fetch(lane)) {
    std::string_view text = lane.current.text();
    if (lane.splitter.pending() > 0 && lane.splitter.next(text, first)) {
      lane.current.taken(lane.current.size() - text.size());
    }
    const std::size_t end = text.rfind('\n') + 1;  // 0 for none.
    if (end > 0) {
      others = std::exchange(lane.current, Chunk());
      others.cut(end);
    } else {
      lane.current.clear();
    }
    // The beginning of a line; there is none in what the splitter has taken already.
    std::string_view tail = text.substr(end);
    std::string none;
    lane.splitter.next(tail, none);
    if (!first.empty() || !others.empty()) return true;
  }
  return false;
}

/// With the reader lock. Nothing more will be published.
bool ProcessCore::reached_end(Lane& lane) {
  const std::lock_guard lock(mutex_);
  return lane.ended && lane.buffer.empty();
}

/// With the reader lock, when no whole line could be taken: the unterminated rest at the end.
ProcessCore::Got ProcessCore::end_of_lines(Lane& lane, std::string& line) {
  if (!lane.current.empty() || !reached_end(lane)) return Got::kNothing;
  return lane.splitter.finish(line) ? Got::kLine : Got::kEnd;
}

void ProcessCore::wait_for_bytes(Lane& lane, std::optional<std::uint64_t> takes) {
  std::unique_lock lock(mutex_);
  // Nothing is taken that was not published before, and that woke everybody.
  const auto look_again = [&] {
    return !lane.buffer.empty() || lane.ended || (takes && lane.takes != *takes);
  };
  drive(lock, look_again, std::nullopt);
}

void ProcessCore::throw_if_broken(Lane& lane) {
  const std::lock_guard lock(mutex_);
  if (lane.ended != StreamEnd::kBroken) return;
  throw SandboxLostError("a stream of " + name_ + " broke: " + lane.error.message());
}

/// A line as it came, or a piece of one.
void ProcessCore::log_raw(Stream stream, const std::string& line) {
  if (is_valid_utf8(line)) {
    log_->line(stream, line);
  } else {
    log_->line(stream, sanitize(line));
  }
}

bool ProcessCore::next_line(Stream stream, std::string& line) {
  Lane& lane = this->lane(stream);
  std::string begun;
  Got got = Got::kNothing;
  for (;;) {
    {
      const std::lock_guard reader(lane.reader);
      got = take_line(lane, line) ? Got::kLine : end_of_lines(lane, line);
      if (got == Got::kLine) ++lane.lines_taken;
      if (got != Got::kNothing) lane.handed.finish(begun);
    }
    if (got != Got::kNothing) break;
    wait_for_bytes(lane);
  }
  if (!begun.empty()) log_raw(stream, got == Got::kLine ? begun + line : begun);
  if (got == Got::kEnd) {
    throw_if_broken(lane);
    return false;
  }
  if (!is_valid_utf8(line)) line = sanitize(line);
  if (begun.empty() && log_->active()) log_->line(stream, line);
  return true;
}

/// With the reader lock. `lines` gets the lines whose ends are in `bytes`.
void ProcessCore::note_handed(Lane& lane, std::string_view bytes, std::vector<std::string>& lines) {
  std::string line;
  while (lane.handed.next(bytes, line)) {
    ++lane.lines_taken;
    lines.push_back(std::exchange(line, {}));
  }
  if (lane.handed.pending() >= kLoggedPiece && lane.handed.finish(line)) lines.push_back(line);
}

/// With the reader lock. Bytes of what has come; what a reader of lines has begun comes first.
std::size_t ProcessCore::take_bytes(Lane& lane, std::span<std::byte> buffer) {
  std::string partial;
  if (lane.splitter.finish(partial)) {
    lane.rest = std::move(partial) + lane.rest.substr(lane.rest_taken);
    lane.rest_taken = 0;
  }
  const bool from_rest = lane.rest_left() > 0;
  if (!from_rest && !fetch(lane)) return 0;
  const std::span<const std::byte> source =
      from_rest ? std::as_bytes(std::span(lane.rest)).subspan(lane.rest_taken)
                : lane.current.bytes();
  const std::size_t count = std::min(source.size(), buffer.size());
  std::memcpy(buffer.data(), source.data(), count);
  if (from_rest) {
    lane.rest_taken += count;
  } else {
    lane.current.taken(count);
  }
  return count;
}

std::size_t ProcessCore::read_some(Stream stream, std::span<std::byte> buffer) {
  if (buffer.empty()) return 0;
  Lane& lane = this->lane(stream);
  std::vector<std::string> lines;
  std::size_t count = 0;
  for (;;) {
    std::uint64_t takes = 0;
    {
      const std::lock_guard reader(lane.reader);
      takes = lane.takes;
      count = take_bytes(lane, buffer);
      if (count > 0) {
        const auto* text = reinterpret_cast<const char*>(buffer.data());
        if (log_->active()) note_handed(lane, {text, count}, lines);
        break;
      }
      // Bytes that were published between the two looks keep it from being the end.
      if (reached_end(lane)) {
        std::string rest;
        if (lane.handed.finish(rest)) lines.push_back(std::move(rest));
        break;
      }
    }
    wait_for_bytes(lane, takes);
  }
  for (const std::string& line : lines) log_raw(stream, line);
  if (count == 0) throw_if_broken(lane);
  return count;
}

}  // namespace sandproof
