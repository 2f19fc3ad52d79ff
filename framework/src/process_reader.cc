// SPDX-License-Identifier: Apache-2.0
// The readers of ProcessCore: lines and raw bytes, from one shared position per stream.
#include <algorithm>
#include <cstring>
#include <utility>

#include "process_core.h"
#include "sandproof/errors.h"
#include "utf8.h"

namespace sandproof {

/// With the reader lock. True when `current` has bytes.
bool ProcessCore::fetch(Lane& lane) {
  if (!lane.current.empty()) return true;
  std::unique_lock lock(mutex_);
  if (std::optional<Chunk> chunk = lane.buffer.take()) {
    lane.current = std::move(*chunk);
    room_was_made(lane);
    return true;
  }
  const StreamBuffer::FilePart part = lane.buffer.file_part();
  if (part.count == 0) return false;
  lock.unlock();
  const std::error_code error = lane.buffer.read_from_file(part, lane.current);
  lock.lock();
  lane.buffer.unfiled(part);
  room_was_made(lane);
  if (error) {
    lane.buffer.discard();
    lane.error = error;
    lane.ended = StreamEnd::kBroken;
    notify();
    return false;
  }
  return true;
}

/// With the reader lock. A whole line out of what has come; undecoded.
bool ProcessCore::take_line(Lane& lane, std::string& line) {
  while (lane.rest_taken < lane.rest.size()) {
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

/// With the reader lock. Nothing more will be published.
bool ProcessCore::reached_end(Lane& lane) {
  const std::lock_guard lock(mutex_);
  return lane.ended && lane.buffer.empty();
}

/// With the reader lock. A line, or the unterminated rest at the end; undecoded.
ProcessCore::Got ProcessCore::try_line(Lane& lane, std::string& line) {
  if (take_line(lane, line)) return Got::kLine;
  if (!reached_end(lane)) return Got::kNothing;
  // What was published between the two looks is still to come.
  return take_line(lane, line) || lane.splitter.finish(line) ? Got::kLine : Got::kEnd;
}

void ProcessCore::wait_for_bytes(Lane& lane) {
  std::unique_lock lock(mutex_);
  drive(lock, [&] { return !lane.buffer.empty() || lane.ended; }, std::nullopt);
}

void ProcessCore::throw_if_broken(Lane& lane) {
  const std::lock_guard lock(mutex_);
  if (lane.ended != StreamEnd::kBroken) return;
  throw SandboxLostError("a stream of " + name_ + " broke: " + lane.error.message());
}

bool ProcessCore::next_line(Stream stream, std::string& line) {
  Lane& lane = this->lane(stream);
  for (;;) {
    Got got;
    {
      const std::lock_guard reader(lane.reader);
      got = try_line(lane, line);
      if (got == Got::kLine) ++lane.lines_taken;
    }
    if (got == Got::kNothing) {
      wait_for_bytes(lane);
      continue;
    }
    if (got == Got::kEnd) {
      throw_if_broken(lane);
      return false;
    }
    if (!is_valid_utf8(line)) line = sanitize(line);
    if (log_->active()) log_->line(stream, line);
    return true;
  }
}

std::size_t ProcessCore::read_some(Stream stream, std::span<std::byte> buffer) {
  if (buffer.empty()) return 0;
  Lane& lane = this->lane(stream);
  for (;;) {
    {
      const std::lock_guard reader(lane.reader);
      std::string partial;
      if (lane.splitter.finish(partial)) {
        lane.rest = partial + lane.rest.substr(lane.rest_taken);
        lane.rest_taken = 0;
      }
      std::span<const std::byte> source;
      const bool from_rest = lane.rest_taken < lane.rest.size();
      if (from_rest) {
        source = std::as_bytes(std::span(lane.rest)).subspan(lane.rest_taken);
      } else if (fetch(lane)) {
        source = lane.current.bytes();
      }
      const std::size_t count = std::min(source.size(), buffer.size());
      if (count > 0) {
        std::memcpy(buffer.data(), source.data(), count);
        lane.lines_taken += static_cast<std::uint64_t>(
            std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(count),
                       std::byte{'\n'}));
        if (from_rest) {
          lane.rest_taken += count;
        } else {
          lane.current.taken(count);
        }
        return count;
      }
      if (reached_end(lane) && !fetch(lane)) break;
    }
    wait_for_bytes(lane);
  }
  throw_if_broken(lane);
  return 0;
}

}  // namespace sandproof
