// SPDX-License-Identifier: Apache-2.0
// Who reads for a process: the state machine of the leader/follower pump, without descriptors.
//
// A caller that needs progress becomes the leader if there is none, else it follows: it waits on
// the process's condition variable. A leader that is done hands over to a follower, or, when none
// waits and work is left, to the one background poller, which reads only as leader too.
//
// Every method is called under the process's mutex; the machine has no lock of its own.
// tests/framework/pump_state_test.cc runs it under a seeded schedule explorer.
#pragma once

#include <cstdint>

namespace sandproof {

class PumpState {
 public:
  /// What the leader that resigned has to do, after it released nothing but the lead.
  enum class HandOver {
    kNothing,
    kNotifyFollowers,  ///< One of them must try to lead.
    kArmPoller,        ///< Nobody waits: the poller looks after the process.
  };

  /// True: the caller leads now, and must resign().
  bool try_lead();
  /// The caller led and is done. `work_left`: something can still arrive.
  HandOver resign(bool work_left);

  /// The caller is about to wait on the condition variable; left_following() after it.
  void follow() { ++followers_; }
  void left_following() { --followers_; }
  /// Something changed that followers may wait for; true when there is anybody to notify.
  bool has_followers() const { return followers_ > 0; }

  /// The poller's registration fired, or its time came. True: it leads now, and must resign().
  bool poller_fired();
  /// The poller looked and found that somebody led a moment ago: it stays registered.
  void poller_postponed() { armed_ = true; }
  /// Nobody leads, nobody waits, the poller is not armed, and there is work (space came free in a
  /// full stream): true when the caller has to arm the poller.
  bool needs_arming(bool work_left);

  bool led() const { return leader_; }
  bool armed() const { return armed_; }
  /// Counts leads; tells whether anybody led since a moment that was noted.
  std::uint64_t turns() const { return turns_; }

 private:
  bool leader_ = false;
  bool armed_ = false;
  int followers_ = 0;
  std::uint64_t turns_ = 0;
};

}  // namespace sandproof
