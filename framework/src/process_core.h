// SPDX-License-Identifier: Apache-2.0
// The state of one running command, shared by its handle, its session and the poller; the pump
// that reads for all of them. (DESIGN §3, "The pump".)
//
// Thread-safe. Locks, in their order: a lane's reader lock, then the exit lock, then the process's
// mutex, then the poller's. The log, the diagnostics and a caller's code run under none of them.
// Of the hooks do_poll_exit() runs under the exit lock, do_descriptor() and do_close_input() under
// the mutex: none of the three blocks. Reads of the spill file run under the reader lock.
//
// The leader alone calls do_read() and do_write(). It drops the mutex around poll and transfers,
// and publishes under it. do_close_input() is called by the leader, or while nobody leads.
//
// process_core.cc: wait, kill, the ends. process_input.cc: what is written to the command.
// process_pump.cc: who leads, and one turn of it. process_transfer.cc: what a turn moves.
// process_reader.cc: lines and bytes for the callers. collector.cc: collect().
#pragma once

#include <atomic>
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
#include <utility>
#include <vector>

#include "exec_pool.h"
#include "line_splitter.h"
#include "poller.h"
#include "pump_state.h"
#include "redaction.h"
#include "sandproof/command.h"
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
  /// Made before the command is started, so that a start never fails half-way for want of it.
  std::unique_ptr<WakeEvent> wake;
  std::shared_ptr<Poller> poller;
  /// Where deadlines kill: a kill may take a round trip, and neither the poller nor a caller with a
  /// deadline of its own waits for it. Kept by keep_alive.
  ExecPool* kill_pool = nullptr;
  std::shared_ptr<SessionLog> log;
  std::shared_ptr<Diagnostics> diagnostics;
  Redactor redactor;
  /// Gets, when the process goes, the lines that nobody took.
  std::shared_ptr<std::atomic<std::uint64_t>> lines_lost;
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

  /// After everything was killed, a status is there in an instant; a backend may need a round trip.
  static constexpr std::chrono::seconds kCloseBound{2};

  explicit ProcessCore(ProcessParts parts);
  ~ProcessCore() override;
  ProcessCore(const ProcessCore&) = delete;
  ProcessCore& operator=(const ProcessCore&) = delete;
  /// Puts the poller in charge until somebody waits. Once, after construction.
  void start();

  const std::string& name() const { return name_; }
  bool has_input_pipe() const { return input_is_pipe_; }

  bool next_line(Stream stream, std::string& line);
  std::size_t read_some(Stream stream, std::span<std::byte> buffer);
  std::optional<StreamEnd> end_state(Stream stream);
  ExitStatus wait(std::optional<std::chrono::milliseconds> timeout);
  std::optional<ExitStatus> exit_status();
  void kill();
  Output collect(const CollectOptions& options);
  bool write(std::string_view bytes);
  void close_input();

  /// The handle is gone: nobody reads any more.
  void detach();
  /// The session was closed or destroyed and ended its processes. First for all of them: nobody
  /// waits for a grace any more.
  void begin_finish();
  /// Then for each: learns the status, delivers what is there and ends both streams, by `until`.
  void finish(Clock::time_point until);
  /// Lines that came and that nobody took; meaningful with an active log.
  std::uint64_t unconsumed_lines();

  void on_poller() noexcept override;

 private:
  friend class Collector;

  /// What finish() takes at least for a process, so that what is there is delivered even when
  /// others have used the time up. 64 processes need less than a second more.
  static constexpr std::chrono::milliseconds kLeastFinish{10};
  /// A registration waits this long before it asks the kernel: a caller that iterates comes back
  /// sooner than that, and neither needs the poller nor pays for it.
  static constexpr std::chrono::milliseconds kArmDelay{2};
  /// And looks again so much later while the caller is busy: 64 busy processes make 6400 looks in a
  /// second.
  static constexpr std::chrono::milliseconds kPostponement{10};
  /// How often a channel without a descriptor is looked at.
  static constexpr std::chrono::milliseconds kBlindPoll{20};
  /// So long after a consumer took a chunk, what comes is not put into the file for it but left in
  /// the pipe: it is at work, comes back for more, and then reads without a detour over the disk.
  /// 64 KiB in that time are 13 MB/s; who is slower than that does not notice the file.
  static constexpr std::chrono::milliseconds kConsumerPause{5};
  /// Reads of one stream before the others get their turn.
  static constexpr int kReadsPerTurn = 4;
  /// A line that only the log is to see whole is cut at this size: memory stays bounded.
  static constexpr std::size_t kLoggedPiece = 16 << 20;
  /// What is still read after the drain grace: what a pipe can hold, so that a descendant that
  /// writes for ever cannot make the end wait.
  static constexpr std::uint64_t kLateBytes = 1 << 20;

  /// One output stream.
  struct Lane {
    Lane(std::string dir, std::uint64_t limit) : buffer(std::move(dir), limit) {}

    // Under the process's mutex.
    StreamBuffer buffer;
    bool open = true;   ///< The transport may still give bytes.
    bool full = false;  ///< Not polled, since the buffer has no room.
    bool left = false;  ///< Not polled, since its consumer is at work.
    /// The hooks have not said yet that there is nothing more: they may hold bytes that the
    /// descriptor does not tell of.
    bool more = true;
    bool warned = false;
    std::optional<StreamEnd> ended;
    std::error_code error;
    std::uint64_t late_bytes = 0;
    std::uint64_t newlines = 0;
    bool partial_tail = false;
    Clock::time_point taken_at{};  ///< By a consumer, from the buffer.
    /// Times that a reader took something from the buffer. Written under both locks, so read under
    /// either: one that has waited knows that another may have taken its bytes in hand meanwhile.
    std::uint64_t takes = 0;

    // Under the reader lock.
    std::mutex reader;
    Chunk current;
    std::string rest;  ///< A partial line that read_some() took back from the splitter.
    std::size_t rest_taken = 0;
    LineSplitter splitter;
    /// The beginning of a line that went out as bytes: it is logged when its end goes out.
    LineSplitter handed;
    std::uint64_t lines_taken = 0;

    std::size_t rest_left() const { return rest.size() - rest_taken; }
    /// Bytes that were taken out of the buffer and not handed out.
    std::size_t in_hand() const { return current.size() + rest_left() + splitter.pending(); }
    void drop_in_hand();
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

    bool lane_more[2] = {false, false};

    bool is_ready(int item) const { return item == -2 || (item >= 0 && items[item].revents != 0); }
    bool is_lane_ready(std::size_t i) const {
      return lane_item[i] != -1 && (lane_more[i] || is_ready(lane_item[i]));
    }
  };

  /// One drive(): leaves the pump however the call ends.
  class Seat;
  /// One write(): the writer's bytes are the command's input until it ends.
  class Loan;

  template <typename Done>
  bool drive(std::unique_lock<std::mutex>& lock, const Done& done, Deadline until);
  void hand_over(PumpState::HandOver what);
  void arm_now();
  void arm_later(std::chrono::milliseconds delay);
  void lead_once(std::unique_lock<std::mutex>& lock, Deadline until);
  Turn plan_turn(Deadline until);
  int turn_timeout_ms(Deadline next, bool blind) const;
  void wake_leader();
  bool is_left_to_consumer(const Lane& lane, Deadline& look_again) const;
  static bool wait_for_events(Turn& turn);
  void after_turn(std::unique_lock<std::mutex>& lock, const bool (&idle)[2]);
  void room_was_made(Lane& lane);
  void interest_changed() { hand_over(pump_.interest_changed(work_left())); }
  bool work_left() const { return !status_ || out_.open || err_.open; }
  bool drain_is_over() const;
  void notify();

  void read_lane(Stream stream, std::size_t room, Chunk& chunk, bool& idle);
  void publish(std::unique_lock<std::mutex>& lock, Lane& lane, Chunk& chunk);
  void file_chunk(std::unique_lock<std::mutex>& lock, Lane& lane, Chunk& chunk);
  void end_lane(Lane& lane, StreamEnd end);
  void end_quiet_lanes(const bool (&idle)[2]);
  void warn_of_full_lanes(std::unique_lock<std::mutex>& lock);
  void check_exit();

  void feed_input(std::span<const std::byte> bytes);
  void settle_input();

  void kill_tree(bool for_deadline);
  void kill_at_deadline(std::unique_lock<std::mutex>& lock);
  void report(LogLevel level, const std::string& text) noexcept;
  void throw_if_lost(const ExitStatus& status) const;
  std::string why_still_running() const;
  ExitStatus status_or_lost();
  std::uint64_t unconsumed_of(Lane& lane);

  enum class Got { kLine, kNothing, kEnd };
  bool fetch(Lane& lane);
  bool take_line(Lane& lane, std::string& line);
  bool take_lines(Lane& lane, std::string& first, Chunk& others, std::size_t most_pending);
  Got end_of_lines(Lane& lane, std::string& line);
  std::size_t take_bytes(Lane& lane, std::span<std::byte> buffer);
  static void note_handed(Lane& lane, std::string_view bytes, std::vector<std::string>& lines);
  void log_raw(Stream stream, const std::string& line);
  /// Until there are bytes, or the end. A reader of raw bytes says how many `takes` there were when
  /// it looked: what a reader of lines has in hand is for it as well.
  void wait_for_bytes(Lane& lane, std::optional<std::uint64_t> takes = std::nullopt);
  void throw_if_broken(Lane& lane);
  bool reached_end(Lane& lane);
  void discard(Lane& lane);
  Lane& lane(Stream stream) { return stream == Stream::kOut ? out_ : err_; }
  const Lane& lane(Stream stream) const { return stream == Stream::kOut ? out_ : err_; }

  const std::string name_;
  const std::shared_ptr<void> keep_alive_;  // Before hooks_: destroyed after them.
  const std::shared_ptr<Poller> poller_;
  ExecPool* const kill_pool_;
  const std::unique_ptr<ProcessHooks> hooks_;
  const std::shared_ptr<SessionLog> log_;
  const std::shared_ptr<Diagnostics> diagnostics_;
  const Redactor redactor_;
  const std::shared_ptr<std::atomic<std::uint64_t>> lines_lost_;
  const std::chrono::milliseconds drain_grace_;
  const Clock::time_point started_;
  const bool input_is_pipe_;
  WaitObject board_;
  const std::unique_ptr<WakeEvent> wake_;

  std::mutex exit_mutex_;
  std::mutex kill_mutex_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  PumpState pump_;
  Lane out_;
  Lane err_;
  std::optional<ExitStatus> status_;
  Clock::time_point exited_at_{};
  bool late_ = false;  ///< The drain grace is over.
  Deadline deadline_;
  bool killed_by_deadline_ = false;
  bool finishing_ = false;
  bool wake_is_set_ = false;
  std::string kill_trouble_;

  // Input. The view is of owned_input_ or of a writer's own memory while it blocks in write().
  std::string owned_input_;
  std::span<const std::byte> input_;
  std::size_t input_taken_ = 0;
  bool lent_ = false;           ///< A Loan lives.
  bool input_closing_ = false;  ///< To be closed once nothing is left to be written.
  bool input_broken_ = false;   ///< The command reads no more.
  bool input_closed_ = false;
  bool writing_ = false;  ///< The leader's turn holds a copy of the view.

  // collect()
  bool collected_ = false;
  std::exception_ptr collect_error_;
};

class ProcessCore::Seat {
 public:
  Seat(ProcessCore& core, std::unique_lock<std::mutex>& lock) : core_(core), lock_(lock) {}
  ~Seat() {
    if (!lock_.owns_lock()) lock_.lock();
    const bool led = core_.pump_.led();
    const PumpState::HandOver what = core_.pump_.leave(caller, core_.work_left());
    // Set still when a turn threw.
    if (led && !core_.pump_.led() && std::exchange(core_.writing_, false)) {
      core_.changed_.notify_all();
    }
    core_.hand_over(what);
  }
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

  PumpState::Caller caller;

 private:
  ProcessCore& core_;
  std::unique_lock<std::mutex>& lock_;
};

/// Waits until `done()` holds, leading or following; false when `until` passed first. `lock` is
/// held on entry, on exit, and whenever `done` is called.
template <typename Done>
bool ProcessCore::drive(std::unique_lock<std::mutex>& lock, const Done& done, Deadline until) {
  Seat seat(*this, lock);
  const auto may_go_on = [&] { return pump_.may_go_on(done()); };
  for (;;) {
    const bool is_done = done();
    const bool late = !is_done && until && Clock::now() >= *until;
    switch (pump_.next(seat.caller, is_done || late)) {
      case PumpState::Step::kLead:
        lead_once(lock, until);
        break;
      case PumpState::Step::kFollow:
        if (until) {
          changed_.wait_until(lock, *until, may_go_on);
        } else {
          changed_.wait(lock, may_go_on);
        }
        break;
      case PumpState::Step::kLeave:
        return is_done;
    }
  }
}

}  // namespace sandproof
