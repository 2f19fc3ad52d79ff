// SPDX-License-Identifier: Apache-2.0
#include "pump_state.h"

namespace sandproof {

PumpState::Step PumpState::next(Caller& caller, bool satisfied) {
  if (caller.following_) {
    caller.following_ = false;
    --followers_;
  }
  if (satisfied) return Step::kLeave;
  if (caller.leading_) return Step::kLead;
  if (leader_) {
    caller.following_ = true;
    ++followers_;
    return Step::kFollow;
  }
  caller.leading_ = leader_ = true;
  ++turns_;
  return Step::kLead;
}

PumpState::HandOver PumpState::leave(Caller& caller, bool work_left) {
  if (caller.following_) {
    caller.following_ = false;
    --followers_;
  }
  const bool led = caller.leading_;
  if (led) {
    caller.leading_ = leader_ = false;
    if (followers_ > 0) return HandOver::kNotifyFollowers;
  } else if (leader_ || followers_ > 0) {
    // There is a leader; or the one that left has notified all followers, and each of them comes
    // by here or leads.
    return HandOver::kNothing;
  }
  return arm(work_left, led ? HandOver::kArmLater : HandOver::kArmNow);
}

PumpState::Fired PumpState::poller_fired() {
  if (armed_ && later_ && !leader_ && turns_ != turns_when_armed_) {
    turns_when_armed_ = turns_;
    return Fired::kPostpone;
  }
  armed_ = false;
  // With a leader there is nothing to do: it will hand over when it leaves. Without one, but with
  // followers, one of them was notified and will lead; leading first does no harm.
  if (leader_) return Fired::kNothing;
  leader_ = true;
  ++turns_;
  return Fired::kLead;
}

PumpState::HandOver PumpState::poller_leaves(bool work_left) {
  leader_ = false;
  if (followers_ > 0) return HandOver::kNotifyFollowers;
  return arm(work_left, HandOver::kArmNow);
}

PumpState::HandOver PumpState::interest_changed(bool work_left) {
  if (leader_) return HandOver::kWakeLeader;
  if (armed_ && work_left) {
    // A poller that comes later looks at everything anew when it comes.
    return later_ ? HandOver::kNothing : HandOver::kArmNow;
  }
  if (followers_ > 0) return HandOver::kNothing;  // As in leave().
  return arm(work_left, HandOver::kArmNow);
}

/// Nobody leads and nobody follows.
PumpState::HandOver PumpState::arm(bool work_left, HandOver how) {
  if (!work_left) {
    if (!armed_) return HandOver::kNothing;
    armed_ = false;
    return HandOver::kDisarm;
  }
  if (armed_) return HandOver::kNothing;
  armed_ = true;
  later_ = how == HandOver::kArmLater;
  turns_when_armed_ = turns_;
  return how;
}

}  // namespace sandproof
