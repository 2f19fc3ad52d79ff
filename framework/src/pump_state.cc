// SPDX-License-Identifier: Apache-2.0
#include "pump_state.h"

namespace sandproof {

bool PumpState::try_lead() {
  if (leader_) return false;
  leader_ = true;
  ++turns_;
  return true;
}

PumpState::HandOver PumpState::resign(bool work_left) {
  leader_ = false;
  if (followers_ > 0) return HandOver::kNotifyFollowers;
  return needs_arming(work_left) ? HandOver::kArmPoller : HandOver::kNothing;
}

bool PumpState::poller_fired() {
  armed_ = false;
  // With a leader there is nothing to do: it will hand over when it resigns. Without one, but
  // with followers, one of them was notified and will lead; leading first does no harm.
  return try_lead();
}

bool PumpState::needs_arming(bool work_left) {
  if (leader_ || followers_ > 0 || armed_ || !work_left) return false;
  armed_ = true;
  return true;
}

}  // namespace sandproof
