// SPDX-License-Identifier: Apache-2.0
// The verbs of ProcessCore that are not reading: wait, kill, input, the handle's and the session's
// end.
#include "process_core.h"

#include <algorithm>
#include <utility>

#include "sandproof/errors.h"
#include "sandproof/process.h"

namespace sandproof {

ProcessCore::ProcessCore(ProcessParts parts)
    : name_(std::move(parts.name)),
      keep_alive_(std::move(parts.keep_alive)),
      poller_(std::move(parts.poller)),
      hooks_(std::move(parts.hooks)),
      log_(std::move(parts.log)),
      diagnostics_(std::move(parts.diagnostics)),
      drain_grace_(parts.drain_grace),
      started_(parts.started),
      input_is_pipe_(parts.input.is_pipe()),
      board_(name_),
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

ProcessCore::~ProcessCore() = default;

void ProcessCore::start() {
  const std::lock_guard lock(mutex_);
  settle_input();
  if (!pump_.needs_arming(work_left())) return;
  // Bytes for the command's input do not wait for somebody to lead.
  if (!input_.empty()) {
    arm_now();
    return;
  }
  arm_delayed_ = true;
  turns_when_armed_ = pump_.turns();
  Deadline when = Clock::now() + kArmDelay;
  poller_->arm(shared_from_this(), {}, when);
}

std::optional<StreamEnd> ProcessCore::end_state(Stream stream) const {
  const std::lock_guard lock(mutex_);
  const Lane& lane = this->lane(stream);
  return lane.buffer.empty() ? lane.ended : std::nullopt;
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
  if (drive(lock, [this] { return status_.has_value(); }, until)) {
    throw_if_lost(*status_);
    return *status_;
  }
  throw TimeoutError(name_ + " did not end within " + std::to_string(timeout->count()) + " ms" +
                     why_still_running());
}

/// Under the mutex.
std::string ProcessCore::why_still_running() {
  std::string why;
  for (const Stream stream : {Stream::kOut, Stream::kErr}) {
    const Lane& lane = this->lane(stream);
    if (!lane.open || lane.ended || lane.buffer.room() > 0) continue;
    why += std::string("; it is blocked on output: its ") +
           (stream == Stream::kOut ? "stdout" : "stderr") +
           " was not read and spill_limit is reached, so read it or collect()";
  }
  if (!kill_trouble_.empty()) why += "; kill() failed: " + kill_trouble_;
  return why;
}

void ProcessCore::throw_if_lost(const ExitStatus& status) const {
  if (!status.is_lost()) return;
  std::string text = "the status of " + name_ + " is lost: " + status.why();
  if (!kill_trouble_.empty()) text += "; kill() had failed: " + kill_trouble_;
  throw SandboxLostError(text);
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
  } catch (const std::exception& error) {
    trouble = error.what();
  } catch (...) {
    trouble = "an exception of unknown type";
  }
  if (!trouble.empty()) {
    diagnostics_->report(LogLevel::kWarning, "kill of " + name_ + " failed: " + trouble);
  }
  check_exit();
  const std::lock_guard lock(mutex_);
  kill_trouble_ = std::move(trouble);
  if (pump_.led()) wake_.set();
}

bool ProcessCore::write(std::string_view bytes) {
  std::unique_lock lock(mutex_);
  const auto closed = [this] { return input_closed_ || input_closing_; };
  // One writer at a time: whole calls do not mix.
  drive(lock, [&] { return input_.empty() || closed(); }, std::nullopt);
  if (closed()) return false;
  input_ = std::as_bytes(std::span(bytes));
  if (pump_.led()) wake_.set();
  drive(lock, [&] { return input_.empty() || closed() || status_; }, std::nullopt);
  const bool taken = input_.empty() && !closed();
  // The view ends with this call, and so must a transfer that a leader has under way.
  input_ = {};
  while (writing_ && pump_.led()) {
    wake_.set();
    pump_.follow();
    changed_.wait_for(lock, std::chrono::milliseconds(1));
    pump_.left_following();
  }
  return taken;
}

void ProcessCore::close_input() {
  const std::lock_guard lock(mutex_);
  input_closing_ = true;
  if (pump_.led()) {
    wake_.set();
  } else {
    settle_input();
  }
}

void ProcessCore::detach() {
  const std::lock_guard lock(mutex_);
  out_.buffer.discard();
  err_.buffer.discard();
  if (input_is_pipe_) input_closing_ = true;
  if (pump_.led()) {
    wake_.set();
    return;
  }
  settle_input();
  room_was_made(out_);
  room_was_made(err_);
  if (pump_.needs_arming(work_left())) arm_now();
}

void ProcessCore::finish() {
  check_exit();
  std::unique_lock lock(mutex_);
  finishing_ = true;
  input_closing_ = true;
  if (pump_.led()) wake_.set();
  drive(
      lock, [this] { return status_ && out_.ended && err_.ended; }, Clock::now() + kCloseBound);
  if (!status_) {
    status_ = ExitStatus::lost("the session was closed and the backend did not report an exit");
    exited_at_ = Clock::now();
  }
  for (const Stream stream : {Stream::kOut, Stream::kErr}) {
    Lane& lane = this->lane(stream);
    if (!lane.ended) lane.ended = StreamEnd::kHeldByDescendant;
    lane.open = false;
  }
  notify();
  if (pump_.led()) {
    wake_.set();
  } else {
    settle_input();
  }
}

std::uint64_t ProcessCore::unconsumed_lines() {
  std::uint64_t taken = 0;
  for (Lane* lane : {&out_, &err_}) {
    const std::lock_guard reader(lane->reader);
    taken += lane->lines_taken;
  }
  const std::lock_guard lock(mutex_);
  std::uint64_t came = 0;
  for (const Lane* lane : {&out_, &err_}) came += lane->newlines + (lane->partial_tail ? 1 : 0);
  return came > taken ? came - taken : 0;
}

}  // namespace sandproof
