// SPDX-License-Identifier: Apache-2.0
// Draining and waiting of one collect(); see collector.h.
#include "collector.h"

#include <algorithm>
#include <utility>

#include "newlines.h"
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
    side->bytes_before = lane.buffer.received() - lane.buffer.unread() - lane.in_hand();
  }
}

Output Collector::run() {
  for (;;) {
    take_available(out_);
    take_available(err_);
    if (is_broken()) fail_for_broken_stream();
    if (is_over()) break;
    if (is_late() || !wait_for_progress()) handle_deadline();
  }
  Output result = output();
  if (result.status.is_lost()) {
    const std::string text =
        "the status of " + process_.name() + " is lost: " + result.status.why();
    throw SandboxLostError(text, std::make_shared<const Output>(std::move(result)));
  }
  return result;
}

bool Collector::is_over() {
  const std::lock_guard lock(process_.mutex_);
  return out_.at_end && err_.at_end && process_.status_;
}

/// Also while there always is something to take.
bool Collector::is_late() const { return deadline_ && ProcessCore::Clock::now() >= *deadline_; }

/// What has come of one stream; at most about kRound, so that the deadline and the other stream get
/// their turn whatever the command writes.
void Collector::take_available(Side& side) {
  logging_ = logging_ && process_.log_->active();
  side.more = false;
  for (std::size_t taken = 0; taken < kRound; taken += first_.size() + others_.size()) {
    if (side.truncated && !logging_) {
      throw_away(side);
      return;
    }
    const ProcessCore::Got got = take_lines(side);
    if (got == ProcessCore::Got::kEnd) {
      if (!begun_.empty()) process_.log_raw(side.stream, std::exchange(begun_, {}));
      side.at_end = true;
      return;
    }
    if (got == ProcessCore::Got::kLine) {
      handle_lines(side, first_);
      handle_lines(side, others_.text());
    } else if (!side.truncated || logging_) {
      return;
    }
  }
  side.more = true;
}

/// Lines into first_ and others_; or, past the cap, a piece of one that is too long to be kept for
/// the log.
ProcessCore::Got Collector::take_lines(Side& side) {
  ProcessCore::Lane& lane = process_.lane(side.stream);
  const std::lock_guard reader(lane.reader);
  if (process_.take_lines(lane, first_, others_, lane.splitter.pending() + kRound)) {
    lane.handed.finish(begun_);
    if (logging_) lane.lines_taken += (first_.empty() ? 0 : 1) + count_newlines(others_.text());
    return ProcessCore::Got::kLine;
  }
  const ProcessCore::Got got = process_.end_of_lines(lane, first_);
  if (got == ProcessCore::Got::kLine) ++lane.lines_taken;
  if (got != ProcessCore::Got::kNothing) {
    lane.handed.finish(begun_);
    return got;
  }
  side.more = !lane.current.empty();
  const std::size_t pending = lane.splitter.pending();
  if (!side.truncated) side.truncated = is_too_long(side, pending);
  if (!side.truncated || !logging_ || pending < ProcessCore::kLoggedPiece) return got;
  lane.splitter.finish(first_);
  return ProcessCore::Got::kLine;
}

/// From here on the leader throws away what it reads: nothing is split, decoded or copied.
void Collector::throw_away(Side& side) {
  ProcessCore::Lane& lane = process_.lane(side.stream);
  process_.discard(lane);
  {
    const std::lock_guard reader(lane.reader);
    lane.drop_in_hand();
  }
  const std::lock_guard lock(process_.mutex_);
  side.at_end = lane.ended.has_value();
}

/// Whole lines, or the last one. Checked at once: almost all output is valid.
void Collector::handle_lines(Side& side, std::string_view lines) {
  if (lines.empty()) return;
  const bool is_text = is_valid_utf8(lines);
  while (!lines.empty()) {
    const std::size_t size = std::min(lines.find('\n'), lines.size() - 1) + 1;
    handle_line(side, lines.substr(0, size), is_text);
    lines.remove_prefix(size);
    if (side.truncated && !logging_) return;
  }
}

void Collector::handle_line(Side& side, std::string_view line, bool is_text) {
  std::string_view text = line;
  if (!is_text && (logging_ || !raw_)) {
    decoded_.clear();
    append_sanitized(line, decoded_);
    text = decoded_;
  }
  if (!side.truncated && !keep(side, line, text)) side.truncated = true;
  if (!begun_.empty()) {
    process_.log_raw(side.stream, std::exchange(begun_, {}).append(line));
  } else if (logging_) {
    process_.log_->line(side.stream, text);
  }
}

bool Collector::keep(Side& side, std::string_view raw, std::string_view text) {
  if (raw_) {
    if (static_cast<std::int64_t>(raw.size()) > side.left) return false;
    side.left -= static_cast<std::int64_t>(raw.size());
  } else if (!side.cap.admit(text)) {
    return false;
  }
  side.text += raw_ ? raw : text;
  return true;
}

/// A line that is not whole yet, and that cannot fit any more, need not be kept.
bool Collector::is_too_long(Side& side, std::size_t pending) {
  if (raw_) return static_cast<std::int64_t>(pending) > side.left;
  return pending > 0 && !side.cap.may_admit(pending);
}

/// False when the deadline passed.
bool Collector::wait_for_progress() {
  std::unique_lock lock(process_.mutex_);
  const auto has_news = [this](const Side& side) {
    const ProcessCore::Lane& lane = process_.lane(side.stream);
    return side.more || (!side.at_end && (!lane.buffer.empty() || lane.ended));
  };
  return process_.drive(
      lock,
      [&] {
        return has_news(out_) || has_news(err_) || (out_.at_end && err_.at_end && process_.status_);
      },
      deadline_);
}

/// The deadline passed: the tree is killed, and what it wrote is still taken, for a while.
void Collector::handle_deadline() {
  if (timed_out_) {
    std::string text =
        process_.name() + " was killed at collect()'s deadline, but its end was not reported";
    {
      const std::lock_guard lock(process_.mutex_);
      if (!process_.kill_trouble_.empty()) text += "; the kill failed: " + process_.kill_trouble_;
    }
    throw SandboxLostError(text, std::make_shared<const Output>(output()));
  }
  process_.kill_tree(true);
  timed_out_ = true;
  deadline_ = ProcessCore::Clock::now() + process_.drain_grace_ + kKillBound;
}

/// A stream's transport broke, and its bytes were all taken.
bool Collector::is_broken() {
  const std::lock_guard lock(process_.mutex_);
  return broken_stream() != nullptr && broken_stream()->at_end;
}

/// Under the mutex. Stdout's error wins.
const Collector::Side* Collector::broken_stream() const {
  for (const Side* side : {&out_, &err_}) {
    if (process_.lane(side->stream).ended == StreamEnd::kBroken) return side;
  }
  return nullptr;
}

/// COLLECT-011: the command is killed and waited for, then the drain's own error is thrown. What
/// the other stream has is taken to its end meanwhile, which may be an error too.
void Collector::fail_for_broken_stream() {
  process_.kill_tree(false);
  deadline_ = ProcessCore::Clock::now() + process_.drain_grace_ + kKillBound;
  do {
    take_available(out_);
    take_available(err_);
  } while (!is_over() && !is_late() && wait_for_progress());
  std::string text;
  {
    const std::lock_guard lock(process_.mutex_);
    const Stream stream = broken_stream()->stream;
    text = std::string(stream == Stream::kOut ? "stdout of " : "stderr of ") + process_.name() +
           " broke while it was collected: " + process_.lane(stream).error.message() +
           "; the command was killed";
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

}  // namespace sandproof
