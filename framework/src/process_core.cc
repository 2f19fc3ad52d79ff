// SPDX-License-Identifier: Apache-2.0
// The verbs of ProcessCore that are not reading or writing: wait, kill, and how the handle and the
// session let go of it.
#include "process_core.h"

#include <algorithm>
#include <utility>

#include "report_quietly.h"
#include "sandproof/errors.h"
#include "sandproof/process.h"

namespace sandproof {

ProcessCore::ProcessCore(ProcessParts parts)
    : name_(std::move(parts.name)),
      keep_alive_(std::move(parts.keep_alive)),
      poller_(std::move(parts.poller)),
      kill_pool_(parts.kill_pool),
      hooks_(std::move(parts.hooks)),
      log_(std::move(parts.log)),
      diagnostics_(std::move(parts.diagnostics)),
      redactor_(std::move(parts.redactor)),
      lines_lost_(std::move(parts.lines_lost)),
      drain_grace_(parts.drain_grace),
      started_(parts.started),
      input_is_pipe_(parts.input.is_pipe()),
      board_(name_),
      wake_(std::move(parts.wake)),
      out_(parts.spill_dir, parts.spill_limit),
      err_(parts.spill_dir, parts.spill_limit),
      deadline_(parts.deadline) {
  if (const std::string* data = parts.input.data()) {
    owned_input_ = *data;
    input_ = std::as_bytes(std::span(owned_input_));
    input_closing_ = true;
  }
  input_closed_ = parts.input.is_empty();
}

ProcessCore::~ProcessCore() {
  if (lines_lost_ && log_->active()) *lines_lost_ += unconsumed_lines();
}

void ProcessCore::start() {
  const std::lock_guard lock(mutex_);
  settle_input();
  // Bytes for the command's input do not wait for somebody to lead.
  hand_over(pump_.start(work_left(), !input_.empty()));
}

std::optional<StreamEnd> ProcessCore::end_state(Stream stream) {
  Lane& lane = this->lane(stream);
  const std::lock_guard reader(lane.reader);
  const std::lock_guard lock(mutex_);
  return lane.buffer.empty() && lane.in_hand() == 0 ? lane.ended : std::nullopt;
}

std::optional<ExitStatus> ProcessCore::exit_status() {
  check_exit();
  const std::lock_guard lock(mutex_);
  return status_;
}

ExitStatus ProcessCore::wait(std::optional<std::chrono::milliseconds> timeout) {
  if (timeout && (timeout->count() < 0 || *timeout > kLargestTimeout)) {
    throw InvalidArgumentError("wait on " + name_ + ": the timeout is " +
                               std::to_string(timeout->count()) +
                               " ms; it must be between 0 and 100 years");
  }
  const Deadline until = timeout ? Deadline(Clock::now() + *timeout) : std::nullopt;
  check_exit();
  std::unique_lock lock(mutex_);
  if (drive(
          lock, [this] { return status_.has_value(); }, until)) {
    throw_if_lost(*status_);
    return *status_;
  }
  throw TimeoutError(name_ + " did not end within " + std::to_string(timeout->count()) + " ms" +
                     why_still_running());
}

/// Under the mutex.
std::string ProcessCore::why_still_running() const {
  std::string why;
  for (const Stream stream : {Stream::kOut, Stream::kErr}) {
    const Lane& lane = this->lane(stream);
    if (!lane.open || lane.ended || lane.buffer.room() > 0) continue;
    why += std::string("; it is blocked on output: its ") +
           (stream == Stream::kOut ? "stdout" : "stderr") + " was not read and " +
           (lane.buffer.file_broken() ? "cannot be put into a file in spill_dir"
                                      : "spill_limit is reached") +
           ", so read it or collect()";
  }
  if (!kill_trouble_.empty()) why += "; kill() failed: " + kill_trouble_;
  return why;
}

/// Under the mutex.
void ProcessCore::throw_if_lost(const ExitStatus& status) const {
  if (!status.is_lost()) return;
  std::string text = "the status of " + name_ + " is lost: " + status.why();
  if (!kill_trouble_.empty()) text += "; kill() had failed: " + kill_trouble_;
  throw SandboxLostError(text);
}

ExitStatus ProcessCore::status_or_lost() {
  const std::lock_guard lock(mutex_);
  return status_.value_or(ExitStatus::lost("not observed"));
}

void ProcessCore::kill() { kill_tree(false); }

void ProcessCore::kill_tree(bool for_deadline) {
  check_exit();
  {
    const std::lock_guard lock(mutex_);
    if (status_) return;
    if (for_deadline) killed_by_deadline_ = true;
  }
  std::string trouble;
  try {
    const std::lock_guard kill_lock(kill_mutex_);
    hooks_->do_kill();
  } catch (...) {
    trouble = redactor_.redacted(current_exception_text());
  }
  if (!trouble.empty()) report(LogLevel::kWarning, "kill of " + name_ + " failed: " + trouble);
  check_exit();
  const std::lock_guard lock(mutex_);
  kill_trouble_ = std::move(trouble);
  if (pump_.led()) wake_leader();
}

/// The deadline of exec() passed. Under the mutex, which is dropped where there is no pool.
void ProcessCore::kill_at_deadline(std::unique_lock<std::mutex>& lock) {
  deadline_.reset();
  lock.unlock();
  try {
    if (kill_pool_ != nullptr) {
      kill_pool_->post([self = shared_from_this()] { self->kill_tree(true); });
    } else {
      kill_tree(true);
    }
  } catch (const std::exception&) {  // No thread to be had: better late than never.
    kill_tree(true);
  }
  lock.lock();
}

void ProcessCore::report(LogLevel level, const std::string& text) noexcept {
  report_quietly(diagnostics_.get(), level, [&] { return text; });
}

void ProcessCore::detach() {
  for (Lane* lane : {&out_, &err_}) {
    discard(*lane);
    const std::lock_guard reader(lane->reader);
    lane->drop_in_hand();
  }
  const std::lock_guard lock(mutex_);
  if (input_is_pipe_) input_closing_ = true;
  if (!pump_.led()) settle_input();
  interest_changed();
}

void ProcessCore::begin_finish() {
  check_exit();
  const std::lock_guard lock(mutex_);
  finishing_ = true;
  input_closing_ = true;
  notify();  // Writers.
  interest_changed();
}

void ProcessCore::finish(Clock::time_point until) {
  std::unique_lock lock(mutex_);
  drive(
      lock, [this] { return status_ && out_.ended && err_.ended; },
      std::max(until, Clock::now() + kLeastFinish));
  if (!status_) {
    status_ = ExitStatus::lost("the session was closed and the backend did not report an exit");
    exited_at_ = Clock::now();
  }
  for (Lane* lane : {&out_, &err_}) {
    if (!lane->ended) lane->ended = StreamEnd::kHeldByDescendant;
    lane->open = false;
  }
  if (!pump_.led()) settle_input();
  notify();
  interest_changed();
}

std::uint64_t ProcessCore::unconsumed_lines() { return unconsumed_of(out_) + unconsumed_of(err_); }

std::uint64_t ProcessCore::unconsumed_of(Lane& lane) {
  const std::lock_guard reader(lane.reader);
  const std::lock_guard lock(mutex_);
  // A last line without an end counts as one until its last byte was taken.
  if (!lane.buffer.discarding() && lane.buffer.empty() && lane.in_hand() == 0) return 0;
  const std::uint64_t came = lane.newlines + (lane.partial_tail ? 1 : 0);
  return came > lane.lines_taken ? came - lane.lines_taken : 0;
}

}  // namespace sandproof
