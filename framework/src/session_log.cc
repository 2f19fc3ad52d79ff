// SPDX-License-Identifier: Apache-2.0
// The log of one session (session_log.h).
//
// end() and a logging call meet over two variables, each of which writes its own and then reads the
// other's, both sequentially consistent: the call counts itself in calls_ and then looks at ended_;
// end() sets ended_ and then waits for calls_ to be 0. So either the call sees that it is too late,
// or end() sees the call.
#include "session_log.h"

#include <cstdio>
#include <utility>
#include <vector>

#include "report_quietly.h"
#include "sandproof/words.h"

namespace sandproof {
namespace {

std::string seconds_text(std::chrono::nanoseconds elapsed) {
  char text[32];  // The nanoseconds of 64 bits have 10 digits before the point.
  const double seconds = std::chrono::duration<double>(elapsed).count();
  const int size = std::snprintf(text, sizeof(text), "%.1fs", seconds);
  return std::string(text, static_cast<std::size_t>(size));
}

std::string finished_text(const ExitStatus& status, std::chrono::nanoseconds elapsed) {
  const std::optional<int> code = status.integer();
  if (!code) return "FAIL status lost: " + status.why();
  return (status.success() ? "OK" : "FAIL") + (" exit code " + std::to_string(*code)) + " in " +
         seconds_text(elapsed) + (status.timed_out() ? " (timed out)" : "");
}

}  // namespace

// Counts a call in for as long as it lives.
class SessionLog::Call {
 public:
  explicit Call(SessionLog& log) : log_(log) { log_.calls_.fetch_add(1); }
  ~Call() {
    if (log_.calls_.fetch_sub(1) != 1 || !log_.ended_.load()) return;
    if (log_.end_deferred_.load()) log_.end_source();
    const std::lock_guard lock(log_.mutex_);
    log_.changed_.notify_all();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  bool too_late() const { return log_.ended_.load(); }

 private:
  SessionLog& log_;
};

SessionLog::SessionLog(std::optional<StepContext> step, const std::string& session_id,
                       Redactor redactor, std::shared_ptr<Diagnostics> diagnostics)
    : store_(step ? std::move(step->logs) : nullptr),
      name_("sandbox:" + session_id),
      redactor_(std::move(redactor)),
      diagnostics_(std::move(diagnostics)) {}

void SessionLog::command(std::span<const std::string> argv) noexcept {
  if (!active()) return;
  try {
    if (redactor_.empty()) {
      write(LogLevel::kInfo, "$ " + quote_words(argv));
      return;
    }
    // Word by word first, since quoting changes what a word looks like; write() does the whole, for
    // a value that spans words.
    std::vector<std::string> words;
    words.reserve(argv.size());
    for (const std::string& word : argv) words.push_back(redactor_.redacted(word));
    write(LogLevel::kInfo, "$ " + quote_words(words));
  } catch (...) {
    report_once("log a command to");
  }
}

void SessionLog::line(Stream stream, std::string_view text) noexcept {
  if (!active()) return;
  if (text.ends_with('\n')) text.remove_suffix(1);
  write(stream == Stream::kOut ? LogLevel::kInfo : LogLevel::kError, text);
}

void SessionLog::finished(const ExitStatus& status, std::chrono::nanoseconds elapsed) noexcept {
  if (!active()) return;
  try {
    write(status.success() ? LogLevel::kInfo : LogLevel::kError, finished_text(status, elapsed));
  } catch (...) {
    report_once("log an exit status to");
  }
}

void SessionLog::launch_failed(std::string_view reason) noexcept {
  if (!active()) return;
  try {
    write(LogLevel::kError, "FAIL " + std::string(reason));
  } catch (...) {
    report_once("log a failed launch to");
  }
}

void SessionLog::unconsumed(std::uint64_t lines) noexcept {
  if (!active() || lines == 0) return;
  try {
    write(LogLevel::kWarning, std::to_string(lines) + (lines == 1 ? " line" : " lines") +
                                  " of output " + (lines == 1 ? "was" : "were") + " never read");
  } catch (...) {
    report_once("log a count to");
  }
}

void SessionLog::end() noexcept {
  if (store_ == nullptr || ended_.exchange(true)) return;
  bool idle = false;
  {
    std::unique_lock lock(mutex_);
    changed_.notify_all();  // Those who wait for the opener need not wait any longer.
    idle = changed_.wait_for(lock, kLogEndWait, [this] { return calls_.load() == 0; });
  }
  if (!idle) {
    // From here on, whoever takes calls_ to 0 ends the source; the last call may have done so just
    // before the flag was up.
    end_deferred_.store(true);
    idle = calls_.load() == 0;
  }
  if (idle) {
    end_source();
    return;
  }
  report_quietly(diagnostics_.get(), LogLevel::kWarning, [this] {
    return "`" + name_ + "` is not ended yet: its log store has been busy for " +
           std::to_string(kLogEndWait.count()) +
           " ms; it will be ended when the store returns, and nothing more is logged";
  });
}

void SessionLog::write(LogLevel level, std::string_view text) noexcept {
  const Call call(*this);
  if (call.too_late() || !ensure_open()) return;
  try {
    std::string buffer;
    source_->log(level, redactor_.redact(text, buffer));
  } catch (...) {
    report_once("log to");
  }
}

bool SessionLog::ensure_open() noexcept {
  Phase phase = phase_.load(std::memory_order_acquire);
  if (phase == Phase::kOpen) return true;
  if (phase == Phase::kUnopened && phase_.compare_exchange_strong(phase, Phase::kOpening)) {
    return open();
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return phase_.load() != Phase::kOpening || ended_.load(); });
  return phase_.load() == Phase::kOpen;
}

bool SessionLog::open() noexcept {
  try {
    source_ = store_->open_source(name_);
  } catch (...) {
    report_once("open");
  }
  // A store that gives no source wants no lines.
  const bool opened = source_ != nullptr;
  phase_.store(opened ? Phase::kOpen : Phase::kFailed);
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
  return opened;
}

void SessionLog::end_source() noexcept {
  if (phase_.load() != Phase::kOpen || source_ended_.exchange(true)) return;
  try {
    source_->end();
  } catch (...) {
    report_once("end");
  }
}

void SessionLog::report_once(const std::string& what) noexcept {
  if (reported_.exchange(true)) return;
  report_quietly(diagnostics_.get(), LogLevel::kWarning, [&] {
    return "cannot " + what + " `" + name_ + "`: " + current_exception_text() +
           "; the session goes on, and this is said once";
  });
}

}  // namespace sandproof
