// SPDX-License-Identifier: Apache-2.0
// See support_pump_world.h.
#include "tests/framework/support_pump_world.h"

#include <algorithm>

namespace sandproof {

using Do = PumpWorld::Choice::Do;

PumpWorld::PumpWorld(const Plan& plan)
    : capacity_(plan.capacity),
      spurious_left_(plan.spurious_wakeups),
      exit_check_left_(plan.has_exit_check),
      fault_(plan.fault) {
  for (std::size_t i = 0; i < 2; ++i) lanes_[i].to_write = plan.pieces[i];
  for (const CallerPlan& one : plan.callers) {
    Caller caller;
    caller.wish = one.wish;
    caller.times = one.times;
    caller.has_deadline = one.has_deadline;
    callers_.push_back(caller);
  }
  hand_over(pump_.start(work_left(), false), Who::kChange);
}

bool PumpWorld::is_done(const Caller& caller) const {
  if (caller.wish == Wish::kExit) return exited_;
  const Lane& lane = lanes_[static_cast<std::size_t>(caller.wish)];
  return lane.buffered > 0 || !lane.open;
}

/// What the descriptors would say; a flavor may close one whose end was seen.
int PumpWorld::ready() const {
  int bits = ended_ && !exited_ ? kExitBit : 0;
  for (int i = 0; i < 2; ++i) {
    const Lane& lane = lanes_[static_cast<std::size_t>(i)];
    if (lane.open && (lane.unread > 0 || lane.closed)) bits |= 1 << i;
  }
  return bits;
}

/// As plan_turn().
int PumpWorld::plan_interest() {
  int bits = exited_ ? 0 : kExitBit;
  for (int i = 0; i < 2; ++i) {
    Lane& lane = lanes_[static_cast<std::size_t>(i)];
    if (!lane.open) continue;
    lane.full = lane.buffered >= capacity_;
    if (!lane.full) bits |= 1 << i;
  }
  return bits;
}

void PumpWorld::notify_all() {
  for (Caller& caller : callers_) caller.notified |= caller.state == State::kWaiting;
}

bool PumpWorld::is_forgotten(PumpState::HandOver what, Who who) const {
  using HandOver = PumpState::HandOver;
  const bool arms = what == HandOver::kArmNow || what == HandOver::kArmLater;
  switch (fault_) {
    case PumpFault::kLeaderForgetsFollowers:
      return who == Who::kLeader && what == HandOver::kNotifyFollowers;
    case PumpFault::kLeaderForgetsPoller:
      return who == Who::kLeader && arms;
    case PumpFault::kFollowerForgetsPoller:
      return who == Who::kFollower && arms;
    case PumpFault::kPollerForgetsFollowers:
      return who == Who::kPoller && what == HandOver::kNotifyFollowers;
    case PumpFault::kPollerForgetsItself:
      return who == Who::kPoller && arms;
    case PumpFault::kChangeForgetsLeader:
      return what == HandOver::kWakeLeader;
    case PumpFault::kChangeForgetsPoller:
      return who == Who::kChange && arms;
    case PumpFault::kPollerKeepsWhatItWatched:
      return what == HandOver::kArmLater && registration_.has_value();
    case PumpFault::kDisarmForgotten:
      return what == HandOver::kDisarm;
    default:
      return false;
  }
}

void PumpWorld::hand_over(PumpState::HandOver what, Who who) {
  if (is_forgotten(what, who)) return;
  switch (what) {
    case PumpState::HandOver::kNothing:
      return;
    case PumpState::HandOver::kNotifyFollowers:
      notify_all();
      return;
    case PumpState::HandOver::kWakeLeader:
      wake_ = true;
      return;
    case PumpState::HandOver::kArmNow:
      registration_ = Registration{false, plan_interest()};
      return;
    case PumpState::HandOver::kArmLater:
      registration_ = Registration{true, 0};
      return;
    case PumpState::HandOver::kDisarm:
      registration_.reset();
      return;
  }
}

void PumpWorld::interest_changed() { hand_over(pump_.interest_changed(work_left()), Who::kChange); }

/// As check_exit().
void PumpWorld::note_exit() {
  if (!ended_ || exited_) return;
  exited_ = true;
  if (!forgets(PumpFault::kPublishForgetsFollowers)) notify_all();
  interest_changed();
}

/// As read_lane(): everything that is there and fits, or the end.
void PumpWorld::publish(int bit) {
  if (bit == kExitBit) {
    note_exit();
    return;
  }
  Lane& lane = lanes_[static_cast<std::size_t>(bit - 1)];
  const int count = std::min(lane.unread, capacity_ - lane.buffered);
  lane.unread -= count;
  lane.buffered += count;
  if (lane.unread == 0 && lane.closed) lane.open = false;
  if (!forgets(PumpFault::kPublishForgetsFollowers)) notify_all();
}

/// As the loop of drive(): from the look at `done` to where the mutex is dropped.
void PumpWorld::ask(Caller& caller) {
  const bool done = is_done(caller);
  switch (pump_.next(caller.seat, done || caller.expired)) {
    case PumpState::Step::kLead:
      caller.turn = {plan_interest(), 0};
      caller.state = State::kPolling;
      return;
    case PumpState::Step::kFollow:
      caller.state = State::kWaiting;
      caller.notified = false;
      return;
    case PumpState::Step::kLeave: {
      const Who who = caller.state == State::kReading ? Who::kLeader : Who::kFollower;
      hand_over(pump_.leave(caller.seat, work_left()), who);
      caller.state = done ? State::kTaking : State::kDone;
      return;
    }
  }
}

bool PumpWorld::can_step(const Caller& caller) const {
  switch (caller.state) {
    case State::kIdle:
    case State::kReading:
    case State::kTaking:
      return true;
    case State::kWaiting:
      return caller.notified || caller.expired;
    case State::kPolling:
      return wake_ || caller.expired || (ready() & caller.turn.interest) != 0;
    case State::kDone:
      return false;
  }
  return false;
}

void PumpWorld::step(Caller& caller) {
  switch (caller.state) {
    case State::kIdle:
      if (caller.times == 0) {
        caller.state = State::kDone;
        return;
      }
      caller.seat = {};
      ask(caller);
      return;
    case State::kWaiting:
      caller.notified = false;
      if (caller.expired || pump_.may_go_on(is_done(caller))) ask(caller);
      return;
    case State::kPolling:
      caller.turn.ready = ready() & caller.turn.interest;
      caller.state = State::kReading;
      return;
    case State::kReading:
      if (caller.turn.ready != 0) {
        const int bit = caller.turn.ready & -caller.turn.ready;
        caller.turn.ready &= ~bit;
        publish(bit);
        return;
      }
      wake_ = false;
      ask(caller);
      return;
    case State::kTaking:
      take_piece(caller);
      return;
    case State::kDone:
      return;
  }
}

/// As fetch() and room_was_made().
void PumpWorld::take_piece(Caller& caller) {
  caller.state = State::kIdle;
  --caller.times;
  if (caller.wish == Wish::kExit) return;
  Lane& lane = lanes_[static_cast<std::size_t>(caller.wish)];
  if (lane.buffered == 0) return;  // Another reader was faster.
  --lane.buffered;
  if (!lane.full) return;
  lane.full = false;
  interest_changed();
}

/// As on_poller(), in the sections that it has.
void PumpWorld::step_poller() {
  switch (poller_) {
    case State::kWaiting:
      switch (pump_.poller_fired()) {
        case PumpState::Fired::kNothing:
          poller_ = State::kIdle;
          return;
        case PumpState::Fired::kPostpone:
          poller_ = State::kIdle;
          registration_ = Registration{true, 0};
          return;
        case PumpState::Fired::kLead:
          poller_ = State::kPolling;
          poller_turn_ = {plan_interest(), 0};
          return;
      }
      return;
    case State::kPolling:
      poller_turn_.ready = ready() & poller_turn_.interest;
      poller_ = State::kReading;
      return;
    case State::kReading:
      if (poller_turn_.ready != 0) {
        const int bit = poller_turn_.ready & -poller_turn_.ready;
        poller_turn_.ready &= ~bit;
        publish(bit);
        return;
      }
      wake_ = false;
      poller_ = State::kIdle;
      poller_turn_ = {};
      hand_over(pump_.poller_leaves(work_left()), Who::kPoller);
      return;
    default:
      return;
  }
}

std::vector<PumpWorld::Choice> PumpWorld::choices() const {
  std::vector<Choice> result;
  for (int i = 0; i < static_cast<int>(callers_.size()); ++i) {
    const Caller& caller = callers_[static_cast<std::size_t>(i)];
    if (can_step(caller)) result.push_back({Do::kCaller, i});
    if (caller.has_deadline && !caller.expired && caller.state != State::kDone) {
      result.push_back({Do::kExpire, i, Kind::kExternal});
    }
    if (spurious_left_ > 0 && caller.state == State::kWaiting && !caller.notified) {
      result.push_back({Do::kSpurious, i, Kind::kExternal});
    }
  }
  // The poller's one thread fires nothing while it is in a call.
  if (registration_ && poller_ == State::kIdle &&
      (registration_->later || (ready() & registration_->interest) != 0)) {
    result.push_back({Do::kFire});
  }
  if (poller_ != State::kIdle) result.push_back({Do::kOnPoller});
  for (int i = 0; i < 2; ++i) {
    const Lane& lane = lanes_[static_cast<std::size_t>(i)];
    if (lane.to_write > 0) result.push_back({Do::kWrite, i, Kind::kExternal});
    if (lane.to_write == 0 && !lane.closed) result.push_back({Do::kClose, i, Kind::kExternal});
  }
  if (!ended_) result.push_back({Do::kExit, 0, Kind::kExternal});
  if (exit_check_left_) result.push_back({Do::kCheckExit, 0, Kind::kExternal});
  return result;
}

void PumpWorld::take(const Choice& choice) {
  const auto index = static_cast<std::size_t>(choice.index);
  switch (choice.what) {
    case Do::kCaller:
      step(callers_[index]);
      return;
    case Do::kExpire:
      callers_[index].expired = true;
      return;
    case Do::kSpurious:
      --spurious_left_;
      callers_[index].notified = true;
      return;
    case Do::kFire:
      registration_.reset();
      poller_ = State::kWaiting;
      return;
    case Do::kOnPoller:
      step_poller();
      return;
    case Do::kWrite:
      --lanes_[index].to_write;
      ++lanes_[index].unread;
      return;
    case Do::kClose:
      lanes_[index].closed = true;
      return;
    case Do::kExit:
      ended_ = true;
      return;
    case Do::kCheckExit:
      exit_check_left_ = false;
      note_exit();
      return;
  }
}

std::string PumpWorld::fault_now(bool quiet) const {
  const auto leads = [](State state) {
    return state == State::kPolling || state == State::kReading;
  };
  auto leaders = std::ranges::count_if(callers_, [&](const Caller& c) { return leads(c.state); });
  if (leads(poller_)) ++leaders;
  if (leaders > 1) return "there are two leaders";
  if (!quiet) return {};
  for (const Caller& caller : callers_) {
    if (caller.state != State::kDone && is_done(caller))
      return "a caller sleeps, but its wish is met";
  }
  for (const Lane& lane : lanes_) {
    if (lane.open && lane.buffered < capacity_ && (lane.unread > 0 || lane.closed)) {
      return "bytes or an end of a stream wait, there is room, and nobody comes";
    }
  }
  if (ended_ && !exited_) return "the command has ended, and nobody comes";
  if (!work_left() && registration_)
    return "nothing is left to come, but the poller holds the process";
  return {};
}

std::string PumpWorld::describe() const {
  std::string text = "led " + std::to_string(pump_.led()) + " ended " + std::to_string(ended_) +
                     " exited " + std::to_string(exited_);
  for (const Lane& lane : lanes_) {
    text += "; lane to_write " + std::to_string(lane.to_write) + " unread " +
            std::to_string(lane.unread) + " buffered " + std::to_string(lane.buffered) +
            " closed " + std::to_string(lane.closed) + " open " + std::to_string(lane.open) +
            " full " + std::to_string(lane.full);
  }
  for (const Caller& caller : callers_) {
    text += "; caller wish " + std::to_string(static_cast<int>(caller.wish)) + " state " +
            std::to_string(static_cast<int>(caller.state));
  }
  if (registration_) text += "; registered for " + std::to_string(registration_->interest);
  return text;
}

}  // namespace sandproof
