// SPDX-License-Identifier: Apache-2.0
#include "collector.h"

#include <utility>

#include "sandproof/errors.h"
#include "sandproof/process.h"
#include "utf8.h"

namespace sandproof {

Collector::Collector(ProcessCore& process, const CollectOptions& options)
    : process_(process),
      raw_(options.raw),
      logging_(process.log_->active()),
      out_(Stream::kOut, options.max_chars),
      err_(Stream::kErr, options.max_chars) {
  if (options.timeout) deadline_ = ProcessCore::Clock::now() + *options.timeout;
  for (Side* side : {&out_, &err_}) {
    ProcessCore::Lane& lane = process_.lane(side->stream);
    const std::lock_guard reader(lane.reader);
    const std::lock_guard lock(process_.mutex_);
    side->bytes_before = lane.buffer.received() - lane.buffer.unread() - lane.current.size() -
                         (lane.rest.size() - lane.rest_taken) - lane.splitter.pending();
  }
}

Output Collector::run() {
  for (;;) {
    take_available(out_);
    take_available(err_);
    throw_drain_error();
    {
      const std::lock_guard lock(process_.mutex_);
      const auto done = [](const ProcessCore::Lane& lane) {
        return lane.ended && lane.buffer.empty();
      };
      if (process_.status_ && done(process_.out_) && done(process_.err_)) break;
    }
    if (!wait_for_progress(deadline_)) handle_deadline();
  }
  take_available(out_);
  take_available(err_);
  Output result = output();
  if (result.status.is_lost()) {
    throw SandboxLostError("the status of " + process_.name() + " is lost: " + result.status.why(),
                           std::make_shared<const Output>(std::move(result)));
  }
  return result;
}

/// Everything that has come of one stream, line by line.
void Collector::take_available(Side& side) {
  ProcessCore::Lane& lane = process_.lane(side.stream);
  std::string line;
  for (;;) {
    ProcessCore::Got got;
    {
      const std::lock_guard reader(lane.reader);
      if (side.truncated && !logging_) {
        lane.current.clear();
        lane.rest.clear();
        lane.rest_taken = 0;
        std::string dropped;
        lane.splitter.finish(dropped);
        const std::lock_guard lock(process_.mutex_);
        // From here on the leader throws away what it reads: nothing is split, decoded or copied.
        if (!lane.buffer.discarding()) lane.buffer.discard();
        return;
      }
      got = process_.try_line(lane, line);
      if (got == ProcessCore::Got::kLine) ++lane.lines_taken;
      if (got == ProcessCore::Got::kNothing) give_up_if_too_long(side, lane);
    }
    if (got != ProcessCore::Got::kLine) {
      if (side.truncated && !logging_) continue;
      return;
    }
    take_line(side, line);
  }
}

void Collector::take_line(Side& side, std::string& line) {
  if (!side.truncated && !keep(side, line)) side.truncated = true;
  if (!logging_) return;
  if (!is_valid_utf8(line)) line = sanitize(line);
  process_.log_->line(side.stream, line);
}

bool Collector::keep(Side& side, std::string& line) {
  if (raw_) {
    if (static_cast<std::int64_t>(line.size()) > side.left) return false;
    side.left -= static_cast<std::int64_t>(line.size());
  } else {
    if (!is_valid_utf8(line)) line = sanitize(line);
    if (!side.cap.admit(line)) return false;
  }
  side.text += line;
  return true;
}

/// With the reader lock. A line that is not whole yet and cannot fit any more need not be kept.
void Collector::give_up_if_too_long(Side& side, ProcessCore::Lane& lane) {
  const std::size_t pending = lane.splitter.pending();
  if (!side.truncated) {
    side.truncated = raw_ ? static_cast<std::int64_t>(pending) > side.left
                          : pending > 0 && !side.cap.may_admit(pending);
  }
  if (!side.truncated || !logging_ || pending < kLoggedPiece) return;
  std::string piece;
  lane.splitter.finish(piece);
  process_.log_->line(side.stream, sanitize(piece));
}

/// False when the deadline passed.
bool Collector::wait_for_progress(ProcessCore::Deadline until) {
  std::unique_lock lock(process_.mutex_);
  ProcessCore::Lane& out = process_.out_;
  ProcessCore::Lane& err = process_.err_;
  const auto broken = [](const ProcessCore::Lane& lane) {
    return lane.ended == StreamEnd::kBroken;
  };
  return process_.drive(
      lock,
      [&] {
        return !out.buffer.empty() || !err.buffer.empty() || broken(out) || broken(err) ||
               (out.ended && err.ended && process_.status_);
      },
      until);
}

/// The deadline passed: the tree is killed, and what it wrote is still taken, for a while.
void Collector::handle_deadline() {
  if (timed_out_) {
    throw SandboxLostError(process_.name() + " was killed at collect()'s deadline, but the backend "
                                             "did not report its end",
                           std::make_shared<const Output>(output()));
  }
  process_.kill_tree(true);
  timed_out_ = true;
  deadline_ = ProcessCore::Clock::now() + process_.drain_grace_ + std::chrono::seconds(2);
}

/// COLLECT-011: the command is killed and waited for, then the drain's own error is thrown.
void Collector::throw_drain_error() {
  std::string text;
  {
    const std::lock_guard lock(process_.mutex_);
    for (const Stream stream : {Stream::kOut, Stream::kErr}) {
      const ProcessCore::Lane& lane = process_.lane(stream);
      // What was received is delivered first.
      if (lane.ended != StreamEnd::kBroken || !lane.buffer.empty()) continue;
      text = std::string(stream == Stream::kOut ? "stdout of " : "stderr of ") + process_.name() +
             " broke while it was collected: " + lane.error.message() + "; the command was killed";
      break;
    }
  }
  if (text.empty()) return;
  process_.kill_tree(false);
  {
    std::unique_lock lock(process_.mutex_);
    process_.drive(
        lock, [this] { return process_.status_.has_value(); },
        ProcessCore::Clock::now() + ProcessCore::kCloseBound);
  }
  throw SandboxLostError(text, std::make_shared<const Output>(output()));
}

Output Collector::output() {
  Output result;
  const std::lock_guard lock(process_.mutex_);
  result.out = std::move(out_.text);
  result.err = std::move(err_.text);
  if (process_.status_) result.status = *process_.status_;
  result.out_truncated = out_.truncated;
  result.err_truncated = err_.truncated;
  result.out_end = process_.out_.ended.value_or(StreamEnd::kBroken);
  result.err_end = process_.err_.ended.value_or(StreamEnd::kBroken);
  result.timed_out = result.status.timed_out();
  result.out_bytes = process_.out_.buffer.received() - out_.bytes_before;
  result.err_bytes = process_.err_.buffer.received() - err_.bytes_before;
  return result;
}

Output ProcessCore::collect(const CollectOptions& options) {
  check_max_chars(options.max_chars);
  if (options.timeout && (options.timeout->count() < 0 || *options.timeout > kLargestTimeout)) {
    throw InvalidArgumentError("collect on " + name_ + ": the timeout is " +
                               std::to_string(options.timeout->count()) +
                               " ms; it must be between 0 and 100 years");
  }
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(collected_, true)) {
      if (collect_error_) std::rethrow_exception(collect_error_);
      throw AlreadyCollectedError("the output of " + name_ +
                                  " was collected already; keep the first result");
    }
  }
  try {
    Output result = Collector(*this, options).run();
    if (log_->active()) log_->finished(result.status, Clock::now() - started_);
    return result;
  } catch (const Error&) {
    {
      const std::lock_guard lock(mutex_);
      collect_error_ = std::current_exception();
    }
    if (log_->active()) log_->finished(status_or_lost(), Clock::now() - started_);
    throw;
  }
}

ExitStatus ProcessCore::status_or_lost() {
  const std::lock_guard lock(mutex_);
  return status_.value_or(ExitStatus::lost("not observed"));
}

}  // namespace sandproof
