// SPDX-License-Identifier: Apache-2.0
// What a turn of the pump moves: output into the buffers, the exit, the ends of the streams.
#include <algorithm>
#include <utility>

#include "newlines.h"
#include "process_core.h"

namespace sandproof {
/// Without the mutex. `idle` becomes false when bytes came: more may be waiting.
void ProcessCore::read_lane(Stream stream, std::size_t room, Chunk& chunk, bool& idle) {
  Lane& lane = this->lane(stream);
  for (int i = 0; i < kReadsPerTurn && room > 0; ++i) {
    chunk.provide();
    const IoResult result = hooks_->do_read(stream, chunk.space().first(room));
    std::unique_lock lock(mutex_);
    lane.more = result.state == IoState::kReady && result.count > 0;
    if (result.state == IoState::kAgain) return;
    if (result.state == IoState::kReady) {
      if (result.count == 0) return;
      idle = false;
      chunk.added(result.count);
      publish(lock, lane, chunk);
      room = lane.ended ? kChunkBytes : lane.buffer.room();
      continue;
    }
    lane.open = false;
    lane.error = result.error;
    if (!lane.ended) {
      end_lane(lane, result.state == IoState::kError ? StreamEnd::kBroken : StreamEnd::kComplete);
    }
    return;
  }
}

/// Leaves the chunk empty.
void ProcessCore::publish(std::unique_lock<std::mutex>& lock, Lane& lane, Chunk& chunk) {
  if (lane.ended) {
    // A descendant goes on writing after the stream was given up: it is not held back, and nobody
    // sees it.
    chunk.clear();
    return;
  }
  board_.saw(chunk.bytes());
  if (late_) lane.late_bytes += chunk.size();
  if (log_->active()) {
    lane.newlines += count_newlines(chunk.text());
    lane.partial_tail = chunk.text().back() != '\n';
  }
  switch (lane.buffer.destination()) {
    case StreamBuffer::Destination::kMemory:
      lane.buffer.put(chunk);
      break;
    case StreamBuffer::Destination::kNowhere:
      lane.buffer.put_nowhere(chunk.size());
      chunk.clear();
      return;  // Nobody waits for what is thrown away.
    case StreamBuffer::Destination::kFile:
      file_chunk(lock, lane, chunk);
      break;
  }
  notify();
}

/// The leader alone moves the file's tail, so the order of the stream holds although the mutex is
/// dropped around the write.
void ProcessCore::file_chunk(std::unique_lock<std::mutex>& lock, Lane& lane, Chunk& chunk) {
  lock.unlock();
  const std::error_code error = lane.buffer.write_to_file(chunk.bytes());
  lock.lock();
  if (lane.buffer.discarding() || lane.ended) {
    // Nobody wants it any more, or the session has ended the stream.
    lane.buffer.put_nowhere(chunk.size());
    chunk.clear();
    return;
  }
  if (!error) {
    lane.buffer.filed(chunk.size());
    chunk.clear();
    return;
  }
  lane.buffer.hold(chunk);
  if (std::exchange(lane.warned, true)) return;
  lock.unlock();
  report(LogLevel::kWarning,
         name_ + " is held back: its unread output cannot be put into a file (" + error.message() +
             "); read its streams, or give it space in spill_dir");
  lock.lock();
}

/// Under the mutex.
void ProcessCore::end_lane(Lane& lane, StreamEnd end) {
  lane.ended = end;
  notify();
}

/// After the exit, a stream whose end does not come is given up at the end of the drain grace, but
/// never while bytes are still to be had. Under the mutex.
void ProcessCore::end_quiet_lanes(const bool (&idle)[2]) {
  if (!drain_is_over()) return;
  late_ = true;
  for (const Stream stream : {Stream::kOut, Stream::kErr}) {
    Lane& lane = this->lane(stream);
    if (!lane.open || lane.ended) continue;
    // Nobody will make room in a full one once the session is closed.
    const bool is_over =
        lane.full ? finishing_
                  : idle[static_cast<std::size_t>(stream)] || lane.late_bytes > kLateBytes;
    if (is_over) end_lane(lane, StreamEnd::kHeldByDescendant);
  }
}

/// Once for each stream. Under the mutex, which is dropped meanwhile.
void ProcessCore::warn_of_full_lanes(std::unique_lock<std::mutex>& lock) {
  for (const Stream stream : {Stream::kOut, Stream::kErr}) {
    Lane& lane = this->lane(stream);
    const bool is_full = lane.open && !lane.ended && lane.buffer.room() == 0;
    if (!is_full || std::exchange(lane.warned, true)) continue;
    lock.unlock();
    report(LogLevel::kWarning, name_ + " is held back: its unread " +
                                   (stream == Stream::kOut ? "stdout" : "stderr") +
                                   " has reached spill_limit; read it");
    lock.lock();
  }
}

/// Without the mutex. Nothing that comes from now on is kept.
void ProcessCore::discard(Lane& lane) {
  bool has_file = false;
  {
    const std::lock_guard lock(mutex_);
    if (lane.buffer.discarding()) return;
    has_file = lane.buffer.discard();
    room_was_made(lane);
  }
  if (has_file) lane.buffer.empty_file();
}

/// Any thread, without the mutex: so that no caller sees "running" for a command that has ended.
void ProcessCore::check_exit() {
  const std::lock_guard exit_lock(exit_mutex_);
  {
    const std::lock_guard lock(mutex_);
    if (status_) return;
  }
  std::optional<ExitStatus> status = hooks_->do_poll_exit();
  if (!status) return;
  if (status->is_lost()) status = ExitStatus::lost(redactor_.redacted(status->why()));
  const std::lock_guard lock(mutex_);
  if (status_) return;  // finish() has given up meanwhile, and said so.
  const bool timed_out = killed_by_deadline_ && status->integer() == 137;
  status_ = timed_out ? status->with_timed_out() : std::move(*status);
  exited_at_ = Clock::now();
  notify();
  if (!pump_.led()) settle_input();
  interest_changed();
}

}  // namespace sandproof
