// SPDX-License-Identifier: Apache-2.0
// The state of one running command, shared by its handle, its session and the poller; the pump
// that reads for all of them. (DESIGN §3, "The pump".)
//
// Thread-safe. Locks, in their order: a lane's reader lock, then the exit lock, then the process's
// mutex, then the poller's. None is held while a hook, the log or a caller's code runs, but for
// the exit lock, which is held over do_poll_exit() (non-blocking), and a reader lock over reads of
// the spill file.
//
// The leader alone calls do_read(), do_write() and do_close_input(). It drops the mutex around poll
// and transfers, and publishes under it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "line_splitter.h"
#include "poller.h"
#include "pump_state.h"
#include "sandproof/hooks.h"
#include "sandproof/output.h"
#include "sandproof/step.h"
#include "sandproof/wait_board.h"
#include "session_log.h"
#include "stream_buffer.h"
#include "wake_event.h"

namespace sandproof {

struct ProcessParts {
  /// "process 3 of local-0123456789ab"; for messages and wait records.
  std::string name;
  std::unique_ptr<ProcessHooks> hooks;
  /// What must outlive the hooks.
  std::shared_ptr<void> keep_alive;
  std::shared_ptr<Poller> poller;
  std::shared_ptr<SessionLog> log;
  std::shared_ptr<Diagnostics> diagnostics;
  std::chrono::milliseconds drain_grace{1000};
  std::uint64_t spill_limit = 0;
  std::string spill_dir;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  Stdin input;
  std::chrono::steady_clock::time_point started;
};

class ProcessCore : public PollerClient, public std::enable_shared_from_this<ProcessCore> {
 public:
  using Clock = std::chrono::steady_clock;
  using Deadline = std::optional<Clock::time_point>;

  explicit ProcessCore(ProcessParts parts);
  ~ProcessCore() override;
  /// Puts the poller in charge until somebody waits. Once, after construction.
  void start();

  const std::string& name() const { return name_; }
  bool has_input_pipe() const { return input_is_pipe_; }

  bool next_line(Stream stream, std::string& line);
  std::size_t read_some(Stream stream, std::span<std::byte> buffer);
  std::optional<StreamEnd> end_state(Stream stream) const;
  ExitStatus wait(std::optional<std::chrono::milliseconds> timeout);
  std::optional<ExitStatus> exit_status();
  void kill();
  Output collect(const CollectOptions& options);
  bool write(std::string_view bytes);
  void close_input();

  /// The handle is gone: nobody reads any more.
  void detach();
  /// The session was closed or destroyed and ended its processes: learns the status, delivers what
  /// is there and ends both streams, within kCloseBound.
  void finish();
  /// Lines that came and that nobody took; meaningful with an active log.
  std::uint64_t unconsumed_lines();

  void on_poller() override;

 private:
  friend class Collector;

  /// After everything was killed, a status is there in an instant; a backend may need a round trip.
  static constexpr std::chrono::seconds kCloseBound{2};
  /// A registration waits this long before it asks the kernel: a caller that iterates comes back
  /// sooner than that, and neither needs the poller nor pays for it.
  static constexpr std::chrono::milliseconds kArmDelay{2};
  /// How often a channel without a descriptor is looked at.
  static constexpr std::chrono::milliseconds kBlindPoll{20};
  /// Reads of one stream before the others get their turn.
  static constexpr int kReadsPerTurn = 4;
  /// What is still read after the drain grace: what a pipe can hold, so that a descendant that
  /// writes for ever cannot make the end wait.
  static constexpr std::uint64_t kLateBytes = 1 << 20;

  /// One output stream.
  struct Lane {
    Lane(std::string dir, std::uint64_t limit) : buffer(std::move(dir), limit) {}

    // Under the process's mutex.
    StreamBuffer buffer;
    bool open = true;  ///< The transport may still give bytes.
    bool full = false;  ///< Not polled, since the buffer has no room.
    bool warned = false;
    std::optional<StreamEnd> ended;
    std::error_code error;
    std::uint64_t late_bytes = 0;
    std::uint64_t newlines = 0;
    bool partial_tail = false;

    // Under the reader lock.
    std::mutex reader;
    Chunk current;
    std::string rest;  ///< A partial line that read_some() took back from the splitter.
    std::size_t rest_taken = 0;
    LineSplitter splitter;
    std::uint64_t lines_taken = 0;
  };

  /// What a leader does in one turn, decided under the mutex.
  struct Turn {
    pollfd items[5];
    nfds_t count = 0;
    int timeout_ms = -1;
    int lane_item[2] = {-1, -1};  ///< Index into items; -1 not to be read; -2 without descriptor.
    std::size_t room[2] = {0, 0};
    int exit_item = -1;
    int input_item = -1;
    std::span<const std::byte> input;
  };

  template <typename Done>
  bool drive(std::unique_lock<std::mutex>& lock, const Done& done, Deadline until);
  void lead_once(std::unique_lock<std::mutex>& lock, Deadline until);
  Turn plan_turn(Deadline until);
  static void wait_for_events(Turn& turn);
  void read_lane(Stream stream, std::size_t room, Chunk& chunk, bool& idle);
  void publish(std::unique_lock<std::mutex>& lock, Lane& lane, Chunk& chunk);
  void file_chunk(std::unique_lock<std::mutex>& lock, Lane& lane, Chunk& chunk);
  void feed_input(std::span<const std::byte> bytes);
  void check_exit();
  void after_turn(std::unique_lock<std::mutex>& lock, const bool (&idle)[2]);
  void end_lane(Lane& lane, StreamEnd end);
  void end_quiet_lanes(const bool (&idle)[2]);
  void settle_input();
  void run_deadline_kill(std::unique_lock<std::mutex>& lock);
  void resign(bool by_poller);
  void arm_now();
  void room_was_made(Lane& lane);
  bool work_left() const;
  void notify();
  void kill_tree(bool for_deadline);
  void throw_if_lost(const ExitStatus& status) const;
  std::string why_still_running();
  ExitStatus status_or_lost();

  enum class Got { kLine, kNothing, kEnd };
  bool fetch(Lane& lane);
  bool take_line(Lane& lane, std::string& line);
  Got try_line(Lane& lane, std::string& line);
  void wait_for_bytes(Lane& lane);
  void throw_if_broken(Lane& lane);
  bool reached_end(Lane& lane);
  Lane& lane(Stream stream) { return stream == Stream::kOut ? out_ : err_; }
  const Lane& lane(Stream stream) const { return stream == Stream::kOut ? out_ : err_; }

  const std::string name_;
  const std::shared_ptr<void> keep_alive_;  // Before hooks_: destroyed after them.
  const std::shared_ptr<Poller> poller_;
  const std::unique_ptr<ProcessHooks> hooks_;
  const std::shared_ptr<SessionLog> log_;
  const std::shared_ptr<Diagnostics> diagnostics_;
  const std::chrono::milliseconds drain_grace_;
  const Clock::time_point started_;
  const bool input_is_pipe_;
  WaitObject board_;
  WakeEvent wake_;

  std::mutex exit_mutex_;
  std::mutex kill_mutex_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  PumpState pump_;
  std::uint64_t turns_when_armed_ = 0;
  bool arm_delayed_ = false;
  Lane out_;
  Lane err_;
  std::optional<ExitStatus> status_;
  Clock::time_point exited_at_{};
  Deadline deadline_;
  bool killed_by_deadline_ = false;
  bool finishing_ = false;
  std::string kill_trouble_;

  // Input. The view is of owned_input_ or of a writer's own memory while it blocks in write().
  std::string owned_input_;
  std::span<const std::byte> input_;
  bool input_closing_ = false;
  bool input_closed_ = false;
  bool writing_ = false;

  // collect()
  bool collected_ = false;
  std::exception_ptr collect_error_;
};

/// Waits until `done()` holds, leading or following; false when `until` passed first. `lock` is
/// held on entry, on exit, and whenever `done` is called.
template <typename Done>
bool ProcessCore::drive(std::unique_lock<std::mutex>& lock, const Done& done, Deadline until) {
  bool leading = false;
  bool in_time = true;
  while (!done()) {
    if (until && Clock::now() >= *until) {
      in_time = false;
      break;
    }
    if (!leading && !pump_.try_lead()) {
      pump_.follow();
      if (until) {
        changed_.wait_until(lock, *until, [&] { return done() || !pump_.led(); });
      } else {
        changed_.wait(lock, [&] { return done() || !pump_.led(); });
      }
      pump_.left_following();
      continue;
    }
    leading = true;
    lead_once(lock, until);
  }
  if (leading) {
    resign(false);
  } else if (!pump_.led()) {
    // This follower was the one to be notified by a leader that left; it does not need to lead
    // any more, so somebody else has to.
    if (pump_.has_followers()) {
      notify();
    } else if (pump_.needs_arming(work_left())) {
      arm_now();
    }
  }
  return in_time;
}

}  // namespace sandproof
