// SPDX-License-Identifier: Apache-2.0
// A world for the schedule explorer of pump_state_test.cc: the pump of a process without
// descriptors, threads or time. It makes the calls that ProcessCore::drive(), lead_once() and
// on_poller() make, each critical section as one step, and leaves the order of the steps to the
// explorer.
//
// A value: copied, compared, and moved on by one step at a time. Single-threaded.
#pragma once

#include <array>
#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "pump_state.h"

namespace sandproof {

/// A step of the hand-over that is left out, so that the explorer can prove that it would notice.
enum class PumpFault {
  kNone,
  kLeaderForgetsFollowers,
  kLeaderForgetsPoller,
  kFollowerForgetsPoller,
  kPollerForgetsFollowers,
  kPollerForgetsItself,
  kPublishForgetsFollowers,
  kChangeForgetsLeader,
  kChangeForgetsPoller,
  kPollerKeepsWhatItWatched,
  kDisarmForgotten,
};

class PumpWorld {
 public:
  enum class Wish { kOut, kErr, kExit };
  struct CallerPlan {
    Wish wish = Wish::kOut;
    int times = 1;  ///< How many pieces it reads, at most; drives that often.
    bool has_deadline = false;
  };
  struct Plan {
    std::vector<CallerPlan> callers;
    std::array<int, 2> pieces{};  ///< What the command writes to stdout and stderr.
    int capacity = 1;             ///< Pieces that a buffer takes.
    int spurious_wakeups = 1;
    bool has_exit_check = false;  ///< Somebody calls exit_status() once.
    PumpFault fault = PumpFault::kNone;
  };

  explicit PumpWorld(const Plan& plan);

  enum class Kind { kInternal, kExternal };
  struct Choice {
    enum class Do {
      kCaller,     ///< The next critical section of a caller.
      kExpire,     ///< Its deadline passes.
      kSpurious,   ///< Its condition variable wakes it for nothing.
      kFire,       ///< The poller's registration fires.
      kOnPoller,   ///< The next critical section of the poller's thread.
      kWrite,      ///< The command writes a piece.
      kClose,      ///< It closes a stream.
      kExit,       ///< It ends.
      kCheckExit,  ///< Somebody calls exit_status().
    };
    Do what;
    int index = 0;
    Kind kind = Kind::kInternal;
  };
  /// Everything that can happen next. Internal: will happen by itself.
  std::vector<Choice> choices() const;
  void take(const Choice& choice);

  /// What is wrong; empty if nothing is. `quiet`: nothing internal can happen.
  std::string fault_now(bool quiet) const;
  std::string describe() const;

  auto operator<=>(const PumpWorld&) const = default;

 private:
  static constexpr int kExitBit = 4;  ///< Bits 1 and 2 are stdout and stderr.
  enum class State { kIdle, kWaiting, kPolling, kReading, kTaking, kDone };

  struct Lane {
    int to_write = 0;
    int unread = 0;
    int buffered = 0;
    bool closed = false;  ///< By the command.
    bool open = true;     ///< As the pump knows.
    bool full = false;
    auto operator<=>(const Lane&) const = default;
  };
  /// One that leads: a caller or the poller.
  struct Turn {
    int interest = 0;
    int ready = 0;
    auto operator<=>(const Turn&) const = default;
  };
  struct Caller {
    Wish wish = Wish::kOut;
    int times = 1;
    bool has_deadline = false;
    bool expired = false;
    State state = State::kIdle;
    bool notified = false;
    PumpState::Caller seat;
    Turn turn;
    auto operator<=>(const Caller&) const = default;
  };
  struct Registration {
    bool later = false;
    int interest = 0;
    auto operator<=>(const Registration&) const = default;
  };

  bool is_done(const Caller& caller) const;
  bool work_left() const { return !exited_ || lanes_[0].open || lanes_[1].open; }
  int ready() const;
  int plan_interest();
  void notify_all();
  void publish(int bit);
  enum class Who { kLeader, kFollower, kPoller, kChange };
  bool is_forgotten(PumpState::HandOver what, Who who) const;
  void hand_over(PumpState::HandOver what, Who who);
  void interest_changed();
  void note_exit();
  void ask(Caller& caller);
  void step(Caller& caller);
  void take_piece(Caller& caller);
  void step_poller();
  bool can_step(const Caller& caller) const;
  bool forgets(PumpFault fault) const { return fault_ == fault; }

  PumpState pump_;
  std::array<Lane, 2> lanes_;
  std::vector<Caller> callers_;
  int capacity_ = 1;
  int spurious_left_ = 0;
  bool exit_check_left_ = false;
  bool ended_ = false;   ///< The command.
  bool exited_ = false;  ///< As the pump knows.
  bool wake_ = false;
  std::optional<Registration> registration_;
  State poller_ = State::kIdle;  ///< kWaiting: its call is due.
  Turn poller_turn_;
  PumpFault fault_ = PumpFault::kNone;
};

}  // namespace sandproof
