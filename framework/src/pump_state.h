// SPDX-License-Identifier: Apache-2.0
// Who reads for a process: every decision of the leader/follower pump, without descriptors.
//
// A caller that needs progress becomes the leader if there is none, else it follows: it waits on
// the process's condition variable. A leader that is done hands over to the followers, or, when
// none waits and work is left, to the one background poller, which reads only as leader too.
//
// Every method is called under the process's mutex; the machine has no lock of its own. What it
// answers has to be done before the mutex is released. ProcessCore::drive() and on_poller() do
// nothing but obey; tests/framework/pump_state_test.cc runs the same calls under a schedule
// explorer.
#pragma once

#include <compare>

namespace sandproof {

class PumpState {
 public:
  /// What changes hands when somebody left, or when there is something new to watch.
  enum class HandOver {
    kNothing,
    kNotifyFollowers,  ///< All of them: one will lead.
    kWakeLeader,       ///< It watches what was to be watched before.
    kArmNow,           ///< The poller watches what a leader would poll, in place of what it had.
    kArmLater,         ///< The poller comes in a moment, in place of what it watched before: a
                       ///< caller that iterates is sooner back.
    kDisarm,           ///< The poller has nothing to watch any more; harmless where it had not.
  };

  /// One call of ProcessCore::drive().
  class Caller {
   public:
    /// For the explorer, which remembers the states that it has seen.
    auto operator<=>(const Caller&) const = default;

   private:
    friend class PumpState;
    bool leading_ = false;
    bool following_ = false;
    bool followed_ = false;  ///< Ever: it may be the one that a leader notified.
  };
  enum class Step {
    kLead,    ///< Take one turn, then ask again.
    kFollow,  ///< Wait until may_go_on() holds, then ask again.
    kLeave,   ///< Call leave(), and return.
  };
  /// `satisfied`: what the caller wants has come, or its deadline has.
  Step next(Caller& caller, bool satisfied);
  bool may_go_on(bool satisfied) const { return satisfied || !leader_; }
  /// After kLeave, or when a turn threw. `work_left`: something can still arrive.
  HandOver leave(Caller& caller, bool work_left);

  /// The first registration; before anything else. `urgent`: somebody has to look at once.
  HandOver start(bool work_left, bool urgent);

  enum class Fired {
    kNothing,   ///< Somebody leads, who will arm the poller again.
    kLead,      ///< Take one turn, then call poller_leaves().
    kPostpone,  ///< Somebody led since the poller was asked to come later: again later.
  };
  /// The poller's registration fired, or its time came.
  Fired poller_fired();
  HandOver poller_leaves(bool work_left);

  /// Somebody who does not lead changed what there is to watch: space came free in a full stream,
  /// the command ended, bytes are to be written.
  HandOver interest_changed(bool work_left);

  bool led() const { return leader_; }
  /// Something changed that followers may wait for; true when there is anybody to notify.
  bool has_followers() const { return followers_ > 0; }
  auto operator<=>(const PumpState&) const = default;

 private:
  HandOver arm(bool work_left, HandOver how);

  bool leader_ = false;
  bool armed_ = false;
  /// Armed for a time alone; it watches nothing.
  bool later_ = false;
  bool led_since_armed_ = false;
  int followers_ = 0;
};

}  // namespace sandproof
