// SPDX-License-Identifier: Apache-2.0
// The log of one session (CONTRACT.md, LOG): what becomes a record, in which words and at which
// level, and the life of its one source.
//
// Bound to the step that the session was created in; without one, or without a log store in it,
// every call is a no-op. Owns the source `sandbox:<id>`, which the first event opens.
//
// Threads: any call from any thread at any time, until the destructor. No lock is held while a sink
// is called, so a slow sink holds up its own callers and nobody else, and log() and end() of a
// source may call the session back. A thread's records keep their order; those of two threads may
// interleave. No call throws: a sink's first exception is reported to the diagnostics, later ones
// are swallowed.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "redaction.h"
#include "sandproof/exit_status.h"
#include "sandproof/output.h"
#include "sandproof/step.h"

namespace sandproof {

/// How long end() waits for calls that are inside the sink. As the 2 s that CONTRACT.md adds to
/// every bound: close() is to return bounded whatever the sink does (LOG-007).
inline constexpr std::chrono::milliseconds kLogEndWait{2000};

class SessionLog {
 public:
  /// `diagnostics` may be null.
  SessionLog(std::optional<StepContext> step, const std::string& session_id, Redactor redactor,
             std::shared_ptr<Diagnostics> diagnostics);
  /// Does not end the log: end() does, at close() and destroy().
  ~SessionLog() = default;
  SessionLog(const SessionLog&) = delete;
  SessionLog& operator=(const SessionLog&) = delete;

  /// False where nothing will ever be logged any more, so that callers can skip the work. Two
  /// relaxed loads.
  bool active() const noexcept {
    return store_ != nullptr && !ended_.load(std::memory_order_relaxed) &&
           phase_.load(std::memory_order_relaxed) != Phase::kFailed;
  }

  /// `$ <command>`, each word quoted where needed, at INFO. A word's newlines stay.
  void command(std::span<const std::string> argv) noexcept;
  /// One decoded line, its newline cut off: kOut at INFO, kErr at ERROR.
  void line(Stream stream, std::string_view text) noexcept;
  /// `OK exit code 0 in 1.2s` at INFO; `FAIL exit code 3 in 0.0s` or `FAIL status lost: <why>` at
  /// ERROR; with ` (timed out)` where a deadline ended the command.
  void finished(const ExitStatus& status, std::chrono::nanoseconds elapsed) noexcept;
  /// `FAIL <reason>` at ERROR.
  void launch_failed(std::string_view reason) noexcept;
  /// One record at WARNING; nothing for 0.
  void unconsumed(std::uint64_t lines) noexcept;

  /// Nothing is opened or logged after it, by any thread. Waits at most kLogEndWait for calls that
  /// are inside the sink; the last of those then ends the source in its stead, and it is reported.
  /// Idempotent; a second call does not wait for the first. Bounded as long as the sink's own end()
  /// returns.
  void end() noexcept;

 private:
  enum class Phase { kUnopened, kOpening, kOpen, kFailed };
  class Call;

  void write(LogLevel level, std::string_view text) noexcept;
  bool ensure_open() noexcept;
  bool open() noexcept;
  void end_source() noexcept;
  void report_once(const std::string& what) noexcept;

  const std::shared_ptr<LogStore> store_;
  const std::string name_;
  const Redactor redactor_;
  const std::shared_ptr<Diagnostics> diagnostics_;

  std::atomic<Phase> phase_{Phase::kUnopened};
  std::atomic<bool> ended_{false};
  std::atomic<bool> end_deferred_{false};
  std::atomic<bool> source_ended_{false};
  std::atomic<bool> reported_{false};
  /// Calls between their look at ended_ and their return from the sink.
  std::atomic<std::uint32_t> calls_{0};
  /// Written by the opener before kOpen, constant after.
  std::unique_ptr<LogSource> source_;

  /// For sleeping only: guards no data, and is never held around a callback.
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace sandproof
