// SPDX-License-Identifier: Apache-2.0
// A handle to one running command, its two output streams and its input.
//
// Pure interfaces: what users, cases, wrappers and mutants see. Thread-safe: any verb may be called
// from any thread at any time. Handles are thin: destroying one detaches, and the command, its
// pump and its reaping go on under the session (SESSION-011). Every verb takes the caller's place
// last, for the wait records (wait_board.h).
#pragma once

#include <chrono>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sandproof/exit_status.h"
#include "sandproof/output.h"
#include "sandproof/where.h"

namespace sandproof {

/// One output stream as lines of UTF-8 text. Lines come in order, each with its '\n'; a last line
/// without one comes as it is; invalid bytes become U+FFFD, one per maximal invalid part. Each line
/// goes to exactly one caller. Owned by its process handle.
class LineStream {
 public:
  virtual ~LineStream() = default;

  /// Blocks until a line is there. Returns false at the end of the stream, and again for ever.
  /// The caller's buffer is reused. Throws SandboxLostError if the transport broke (after the
  /// bytes received), SessionClosedError where the session was closed and the flavor does not
  /// outlive it.
  virtual bool next(std::string& line, Where where = Where::current()) = 0;

  /// How the stream ended; empty while it has not.
  virtual std::optional<StreamEnd> end_state() const = 0;

  /// A single-pass range over next(); an iterator owns its line.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::string;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::string*;
    using reference = const std::string&;

    Iterator() = default;
    explicit Iterator(LineStream* stream) : stream_(stream) { ++*this; }
    reference operator*() const { return line_; }
    pointer operator->() const { return &line_; }
    Iterator& operator++() {
      if (!stream_->next(line_)) stream_ = nullptr;
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(const Iterator& other) const { return stream_ == other.stream_; }

   private:
    LineStream* stream_ = nullptr;
    std::string line_;
  };
  Iterator begin() { return Iterator(this); }
  Iterator end() { return {}; }
};

/// The writing end of a command's standard input. Owned by its process handle.
class StdinWriter {
 public:
  virtual ~StdinWriter() = default;
  /// Blocks until all bytes are taken, the command has closed its input or ended (false), or the
  /// writer was closed (false). Never raises SIGPIPE. Whole calls do not mix.
  virtual bool write(std::string_view bytes, Where where = Where::current()) = 0;
  /// End of file for the command, after what was written. Idempotent.
  virtual void close() = 0;
};

/// The upper bound of every timeout argument: beyond it a number is a mistake, not a wish.
inline constexpr std::chrono::milliseconds kLargestTimeout = std::chrono::hours(24 * 366 * 100);

class Process {
 public:
  virtual ~Process() = default;

  virtual LineStream& out() = 0;
  virtual LineStream& err() = 0;

  /// The next bytes of a stream, exactly as written, as soon as there are any; shares its position
  /// with the lines. Blocks; returns 0 at the end of the stream. Errors as LineStream::next.
  virtual std::size_t read_some(Stream stream, std::span<std::byte> buffer,
                                Where where = Where::current()) = 0;

  /// With Stdin::pipe() only; InvalidArgumentError otherwise.
  virtual StdinWriter& in() = 0;

  /// The command's own exit, whatever its descendants hold open (WAIT-004). Throws
  /// SandboxLostError for a status that cannot be learned.
  virtual ExitStatus wait(Where where = Where::current()) = 0;
  /// Throws TimeoutError when it expires; the command goes on. 0: the status, if there is one.
  /// InvalidArgumentError for a negative or oversized timeout.
  virtual ExitStatus wait(std::chrono::milliseconds timeout, Where where = Where::current()) = 0;
  /// Empty while running. Never blocks.
  virtual std::optional<ExitStatus> exit_status() const = 0;

  /// Ends the command and its tree (SIGKILL). Idempotent; does nothing after exit; never throws:
  /// trouble goes to the log and shows in wait() (KILL-010).
  virtual void kill(Where where = Where::current()) = 0;

  /// Drains both streams and waits, once per process. Throws AlreadyCollectedError the second
  /// time, the drain's own error where draining failed, InvalidArgumentError for bad options.
  virtual Output collect(const CollectOptions& options = {}, Where where = Where::current()) = 0;
};

}  // namespace sandproof
