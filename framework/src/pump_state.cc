// SPDX-License-Identifier: Apache-2.0
// See pump_state.h.
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
    caller.following_ = caller.followed_ = true;
    ++followers_;
    return Step::kFollow;
  }
  caller.leading_ = leader_ = led_since_armed_ = true;
  return Step::kLead;
}

PumpState::HandOver PumpState::leave(Caller& caller, bool work_left) {
  if (caller.following_) {
    caller.following_ = false;
    --followers_;
  }
  if (caller.leading_) {
    caller.leading_ = leader_ = false;
    if (followers_ > 0) return HandOver::kNotifyFollowers;
  } else if (!caller.followed_ || leader_ || followers_ > 0) {
    // It changed nothing; or there is a leader; or the one that left has notified all followers,
    // and the last of them that does not lead comes by here.
    return HandOver::kNothing;
  }
  return arm(work_left, HandOver::kArmLater);
}

PumpState::HandOver PumpState::start(bool work_left, bool urgent) {
  return arm(work_left, urgent ? HandOver::kArmNow : HandOver::kArmLater);
}

PumpState::Fired PumpState::poller_fired() {
  if (armed_ && later_ && !leader_ && led_since_armed_) {
    led_since_armed_ = false;
    return Fired::kPostpone;
  }
  armed_ = false;
  // With a leader there is nothing to do: it will hand over when it leaves. Without one, but with
  // followers, one of them was notified and will lead; leading first does no harm.
  if (leader_) return Fired::kNothing;
  leader_ = true;
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
    // Whatever armed_ says: the poller may have fired and been armed again meanwhile.
    armed_ = false;
    return HandOver::kDisarm;
  }
  // What the poller watches is what was to be watched before this caller led or followed: a stream
  // that was full then may have room now. So it has to come and look at everything anew.
  if (armed_ && (later_ || how == HandOver::kArmNow)) return HandOver::kNothing;
  armed_ = true;
  later_ = how == HandOver::kArmLater;
  led_since_armed_ = false;
  return how;
}

}  // namespace sandproof
