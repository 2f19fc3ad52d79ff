// SPDX-License-Identifier: Apache-2.0
// The pump of ProcessCore: one turn of a leader, and how the lead moves on.
#include <poll.h>

#include <algorithm>
#include <utility>

#include "process_core.h"

namespace sandproof {

/// Under the mutex.
void ProcessCore::notify() {
  if (pump_.has_followers()) changed_.notify_all();
}

/// Under the mutex, which the leader takes again before it resets the event.
void ProcessCore::wake_leader() {
  if (!std::exchange(wake_is_set_, true)) wake_->set();
}

/// Under the mutex, as what was decided there.
void ProcessCore::hand_over(PumpState::HandOver what) {
  switch (what) {
    case PumpState::HandOver::kNothing:
      break;
    case PumpState::HandOver::kNotifyFollowers:
      changed_.notify_all();
      break;
    case PumpState::HandOver::kWakeLeader:
      wake_leader();
      break;
    case PumpState::HandOver::kArmNow:
      arm_now();
      break;
    case PumpState::HandOver::kArmLater:
      arm_later(kArmDelay);
      break;
    case PumpState::HandOver::kDisarm:
      poller_->disarm(this);
      break;
  }
}

/// Registers what a leader would poll, but for the wake event.
void ProcessCore::arm_now() {
  const Turn turn = plan_turn(std::nullopt);
  Deadline when;
  if (turn.timeout_ms >= 0) when = Clock::now() + std::chrono::milliseconds(turn.timeout_ms);
  poller_->arm(shared_from_this(), {turn.items, turn.count - 1}, when);
}

void ProcessCore::arm_later(std::chrono::milliseconds delay) {
  poller_->arm(shared_from_this(), {}, Clock::now() + delay);
}

void ProcessCore::on_poller() noexcept {
  std::unique_lock lock(mutex_);
  switch (pump_.poller_fired()) {
    case PumpState::Fired::kNothing:
      return;
    case PumpState::Fired::kPostpone:
      arm_later(kPostponement);
      return;
    case PumpState::Fired::kLead:
      lead_once(lock, Clock::now());
      hand_over(pump_.poller_leaves(work_left()));
      return;
  }
}

/// One turn of the leader: poll, transfer, publish. Entered and left with the mutex held.
void ProcessCore::lead_once(std::unique_lock<std::mutex>& lock, Deadline until) {
  Turn turn = plan_turn(until);
  writing_ = turn.input_item != -1;
  const bool ended_before = status_.has_value();
  lock.unlock();
  const bool looked = wait_for_events(turn);
  // A stream counts as idle only if it was looked at after the exit was known.
  bool idle[2] = {};
  Chunk chunk;
  for (const Stream stream : {Stream::kOut, Stream::kErr}) {
    const auto i = static_cast<std::size_t>(stream);
    idle[i] = ended_before && looked && turn.lane_item[i] != -1;
    if (turn.is_lane_ready(i)) read_lane(stream, turn.room[i], chunk, idle[i]);
  }
  if (turn.is_ready(turn.input_item)) feed_input(turn.input);
  if (turn.is_ready(turn.exit_item)) check_exit();
  lock.lock();
  after_turn(lock, idle);
}

/// Under the mutex.
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
    lane.left = !lane.full && is_left_to_consumer(lane, until);
    if (!lane.full && !lane.left) {
      turn.lane_item[i] = add(stream == Stream::kOut ? Channel::kOut : Channel::kErr, POLLIN);
      turn.lane_more[i] = lane.more;
    }
  }
  if (!status_) turn.exit_item = add(Channel::kExit, POLLIN);
  if (!input_.empty() && !input_closed_ && !input_broken_) {
    turn.input = input_;
    turn.input_item = add(Channel::kIn, POLLOUT);
  }
  turn.items[turn.count++] = {wake_->descriptor(), POLLIN, 0};
  const bool at_once = turn.lane_more[0] || turn.lane_more[1];
  turn.timeout_ms = at_once ? 0 : turn_timeout_ms(until, blind);
  return turn;
}

/// True for a stream whose consumer is at work and has not taken all that is in memory.
bool ProcessCore::is_left_to_consumer(const Lane& lane, Deadline& look_again) const {
  if (finishing_ || lane.ended) return false;
  if (lane.buffer.destination() != StreamBuffer::Destination::kFile) return false;
  const Clock::time_point until = lane.taken_at + kConsumerPause;
  if (Clock::now() >= until) return false;
  look_again = look_again ? std::min(*look_again, until) : until;
  return true;
}

/// Until when a turn may sleep; -1 for ever.
int ProcessCore::turn_timeout_ms(Deadline next, bool blind) const {
  const auto at_most = [&](Clock::time_point time) { next = next ? std::min(*next, time) : time; };
  // A stream that is not looked at is not given up, so its grace is nothing to wake up for.
  const auto drains = [](const Lane& lane) {
    return lane.open && !lane.ended && !lane.full && !lane.left;
  };
  if (deadline_ && !status_) at_most(*deadline_);
  if (status_ && (drains(out_) || drains(err_))) {
    at_most(finishing_ ? exited_at_ : exited_at_ + drain_grace_);
  }
  if (blind) at_most(Clock::now() + kBlindPoll);
  if (!next) return -1;
  constexpr std::int64_t kLongest = 3'600'000;  // An hour: the caller looks at its clock again.
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, kLongest));
}

/// Without the mutex. False when nothing was learned (EINTR and the like): the caller looks at its
/// deadline and comes again.
bool ProcessCore::wait_for_events(Turn& turn) {
  if (::poll(turn.items, turn.count, turn.timeout_ms) >= 0) return true;
  for (nfds_t i = 0; i < turn.count; ++i) turn.items[i].revents = 0;
  return false;
}

void ProcessCore::after_turn(std::unique_lock<std::mutex>& lock, const bool (&idle)[2]) {
  if (std::exchange(wake_is_set_, false)) wake_->reset();
  if (std::exchange(writing_, false)) changed_.notify_all();  // A Loan may wait for it.
  settle_input();
  end_quiet_lanes(idle);
  if (deadline_ && !status_ && Clock::now() >= *deadline_) kill_at_deadline(lock);
  warn_of_full_lanes(lock);
}

bool ProcessCore::drain_is_over() const {
  return status_ && (finishing_ || Clock::now() >= exited_at_ + drain_grace_);
}

/// A consumer took bytes, or wants no more. Under the mutex.
void ProcessCore::room_was_made(Lane& lane) {
  if (!lane.full || lane.buffer.room() == 0) return;
  lane.full = false;
  interest_changed();
}

}  // namespace sandproof
