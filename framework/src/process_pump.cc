// SPDX-License-Identifier: Apache-2.0
// The pump of ProcessCore: what a leader does, and how the lead moves on.
#include <algorithm>
#include <cerrno>
#include <utility>

#include "process_core.h"

namespace sandproof {
namespace {

std::uint64_t count_newlines(std::string_view text) {
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

}  // namespace

bool ProcessCore::work_left() const { return !status_ || out_.open || err_.open; }

void ProcessCore::notify() {
  if (pump_.has_followers()) changed_.notify_all();
}

/// One turn of the leader: poll, transfer, publish. Entered and left with the mutex held.
void ProcessCore::lead_once(std::unique_lock<std::mutex>& lock, Deadline until) {
  Turn turn = plan_turn(until);
  // A stream counts as quiet only if it was looked at after the exit was known.
  const bool ended_before = status_.has_value();
  bool idle[2] = {ended_before, ended_before};
  lock.unlock();
  wait_for_events(turn);
  Chunk chunk;
  for (const Stream stream : {Stream::kOut, Stream::kErr}) {
    const auto i = static_cast<std::size_t>(stream);
    const int item = turn.lane_item[i];
    if (item == -1 || (item >= 0 && turn.items[item].revents == 0)) continue;
    read_lane(stream, turn.room[i], chunk, idle[i]);
  }
  if (turn.input_item != -1 &&
      (turn.input_item == -2 || turn.items[turn.input_item].revents != 0)) {
    feed_input(turn.input);
  }
  if (turn.exit_item != -1 && (turn.exit_item == -2 || turn.items[turn.exit_item].revents != 0)) {
    check_exit();
  }
  lock.lock();
  after_turn(lock, idle);
}

ProcessCore::Turn ProcessCore::plan_turn(Deadline until) {
  Turn turn;
  bool blind = false;
  const auto add = [&](Channel channel, short events) {
    const int fd = hooks_->do_descriptor(channel);
    if (fd < 0) {
      blind = true;
      return -2;
    }
    turn.items[turn.count] = {fd, events, 0};
    return static_cast<int>(turn.count++);
  };
  for (const Stream stream : {Stream::kOut, Stream::kErr}) {
    Lane& lane = this->lane(stream);
    const auto i = static_cast<std::size_t>(stream);
    if (!lane.open) continue;
    turn.room[i] = lane.ended ? kChunkBytes : lane.buffer.room();
    lane.full = turn.room[i] == 0;
    if (!lane.full) {
      turn.lane_item[i] = add(stream == Stream::kOut ? Channel::kOut : Channel::kErr, POLLIN);
    }
  }
  if (!status_) turn.exit_item = add(Channel::kExit, POLLIN);
  if (!input_.empty() && !input_closed_) {
    turn.input = input_;
    writing_ = true;
    turn.input_item = add(Channel::kIn, POLLOUT);
  }
  turn.items[turn.count++] = {wake_.descriptor(), POLLIN, 0};

  Deadline next = until;
  const auto at_most = [&](Clock::time_point time) { next = next ? std::min(*next, time) : time; };
  const bool draining = (out_.open && !out_.ended) || (err_.open && !err_.ended);
  if (deadline_ && !status_) at_most(*deadline_);
  if (status_ && draining) at_most(exited_at_ + drain_grace_);
  if (blind) at_most(Clock::now() + kBlindPoll);
  if (next) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now());
    turn.timeout_ms = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 3'600'000));
  }
  if (finishing_) turn.timeout_ms = std::min(turn.timeout_ms < 0 ? 10 : turn.timeout_ms, 10);
  return turn;
}

void ProcessCore::wait_for_events(Turn& turn) {
  if (::poll(turn.items, turn.count, turn.timeout_ms) >= 0) return;
  // EINTR and the like: a turn that found nothing; the caller looks at its deadline and comes again.
  for (nfds_t i = 0; i < turn.count; ++i) turn.items[i].revents = 0;
}

/// Without the mutex. `idle` becomes false when bytes came: more may be waiting.
void ProcessCore::read_lane(Stream stream, std::size_t room, Chunk& chunk, bool& idle) {
  Lane& lane = this->lane(stream);
  for (int i = 0; i < kReadsPerTurn && room > 0; ++i) {
    const IoResult result = hooks_->do_read(stream, chunk.space().first(room));
    if (result.state == IoState::kAgain) return;
    std::unique_lock lock(mutex_);
    if (result.state == IoState::kReady) {
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

void ProcessCore::publish(std::unique_lock<std::mutex>& lock, Lane& lane, Chunk& chunk) {
  if (lane.ended || chunk.empty()) {
    // A descendant goes on writing after the stream was given up: it is not held back, and nobody
    // sees it.
    chunk.clear();
    return;
  }
  board_.saw(chunk.bytes());
  if (status_) lane.late_bytes += chunk.size();
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
  if (lane.buffer.discarding()) {
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
  if (!std::exchange(lane.warned, true)) {
    lock.unlock();
    diagnostics_->report(LogLevel::kWarning,
                         name_ + " is held back: its unread output cannot be put into a file (" +
                             error.message() + "); read its streams, or free space in spill_dir");
    lock.lock();
  }
}

void ProcessCore::feed_input(std::span<const std::byte> bytes) {
  const IoResult result = hooks_->do_write(bytes);
  const std::lock_guard lock(mutex_);
  if (result.state == IoState::kReady) {
    input_ = input_.subspan(std::min(result.count, input_.size()));
  } else if (result.state != IoState::kAgain) {
    input_ = {};
    input_closing_ = true;
  }
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
  const std::lock_guard lock(mutex_);
  const bool timed_out = killed_by_deadline_ && status->integer() == 137;
  status_ = timed_out ? status->with_timed_out() : std::move(*status);
  exited_at_ = Clock::now();
  if (pump_.led()) wake_.set();
  notify();
}

void ProcessCore::after_turn(std::unique_lock<std::mutex>& lock, const bool (&idle)[2]) {
  wake_.reset();
  writing_ = false;
  settle_input();
  if (deadline_ && !status_ && Clock::now() >= *deadline_) run_deadline_kill(lock);
  end_quiet_lanes(idle);
  for (const Stream stream : {Stream::kOut, Stream::kErr}) {
    Lane& lane = this->lane(stream);
    if (!lane.full || lane.warned) continue;
    lane.warned = true;
    lock.unlock();
    diagnostics_->report(LogLevel::kWarning, name_ +
                                                 " is held back: nobody reads its output and "
                                                 "spill_limit is reached");
    lock.lock();
  }
}

void ProcessCore::end_lane(Lane& lane, StreamEnd end) {
  lane.ended = end;
  notify();
}

/// After the exit, a stream whose end does not come is given up at the end of the drain grace, but
/// never while bytes are still to be had.
void ProcessCore::end_quiet_lanes(const bool (&idle)[2]) {
  if (!status_) return;
  const bool over = finishing_ || Clock::now() >= exited_at_ + drain_grace_;
  if (!over) return;
  for (const Stream stream : {Stream::kOut, Stream::kErr}) {
    Lane& lane = this->lane(stream);
    if (!lane.open || lane.ended || (lane.full && !finishing_)) continue;
    if (idle[static_cast<std::size_t>(stream)] || lane.late_bytes > kLateBytes) {
      end_lane(lane, StreamEnd::kHeldByDescendant);
    }
  }
}

/// Closes the input when that was asked for and everything was written, or when nobody is left to
/// read it. By the leader, or while nobody leads.
void ProcessCore::settle_input() {
  if (input_closed_ || writing_) return;
  if (status_) input_ = {};
  if (!input_.empty() || (!input_closing_ && !status_)) return;
  input_closed_ = true;
  hooks_->do_close_input();
  owned_input_ = {};
  notify();
}

void ProcessCore::run_deadline_kill(std::unique_lock<std::mutex>& lock) {
  killed_by_deadline_ = true;
  deadline_.reset();
  lock.unlock();
  kill_tree(true);
  lock.lock();
}

/// The leader leaves. Under the mutex.
void ProcessCore::resign(bool by_poller) {
  switch (pump_.resign(work_left())) {
    case PumpState::HandOver::kNothing:
      break;
    case PumpState::HandOver::kNotifyFollowers:
      changed_.notify_all();
      break;
    case PumpState::HandOver::kArmPoller:
      if (by_poller) {
        arm_now();
      } else {
        arm_delayed_ = true;
        turns_when_armed_ = pump_.turns();
        poller_->arm(shared_from_this(), {}, Clock::now() + kArmDelay);
      }
      break;
  }
}

/// Registers what a leader would poll. Under the mutex.
void ProcessCore::arm_now() {
  arm_delayed_ = false;
  Turn turn = plan_turn(std::nullopt);
  writing_ = false;
  Deadline when;
  if (turn.timeout_ms >= 0) when = Clock::now() + std::chrono::milliseconds(turn.timeout_ms);
  poller_->arm(shared_from_this(), {turn.items, turn.count - 1}, when);  // Without the wake event.
}

void ProcessCore::on_poller() {
  std::unique_lock lock(mutex_);
  if (arm_delayed_ && !pump_.led() && pump_.turns() != turns_when_armed_) {
    // Somebody iterates: look again later.
    turns_when_armed_ = pump_.turns();
    pump_.poller_postponed();
    poller_->arm(shared_from_this(), {}, Clock::now() + kArmDelay);
    return;
  }
  arm_delayed_ = false;
  if (!pump_.poller_fired()) return;
  lead_once(lock, Clock::now());
  resign(true);
}

/// A consumer took bytes. Under the mutex.
void ProcessCore::room_was_made(Lane& lane) {
  if (!lane.full || lane.buffer.room() == 0) return;
  lane.full = false;
  lane.warned = false;
  if (pump_.led()) {
    wake_.set();
  } else if (pump_.armed()) {
    arm_now();
  } else if (pump_.needs_arming(work_left())) {
    arm_now();
  }
}

}  // namespace sandproof
