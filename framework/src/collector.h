// SPDX-License-Identifier: Apache-2.0
// One collect() of one process: drains both streams at once, keeps whole lines under the caps,
// waits. Lives on the stack of the calling thread; uses the process's locks as its readers do.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "process_core.h"
#include "text_cap.h"

namespace sandproof {

class Collector {
 public:
  Collector(ProcessCore& process, const CollectOptions& options);
  /// Throws SandboxLostError with what came so far when draining fails or the status is lost.
  Output run();

 private:
  /// After a kill: what a backend may need to report the end.
  static constexpr std::chrono::seconds kKillBound{2};
  /// Taken of one stream at a time, and looked at for a line's end before its length is judged.
  static constexpr std::size_t kRound = 1 << 20;

  struct Side {
    Side(Stream which, std::int64_t max_chars) : stream(which), cap(max_chars), left(max_chars) {}
    Stream stream;
    TextCap cap;
    std::int64_t left;  ///< Bytes, for raw.
    bool truncated = false;
    bool at_end = false;  ///< Of the stream, with everything taken.
    bool more = false;    ///< Left for the next round; may be none.
    std::string text;
    std::uint64_t bytes_before = 0;
  };

  void take_available(Side& side);
  ProcessCore::Got take_lines(Side& side);
  void throw_away(Side& side);
  void handle_lines(Side& side, std::string_view lines);
  void handle_line(Side& side, std::string_view line, bool is_text);
  bool keep(Side& side, std::string_view raw, std::string_view text);
  bool is_too_long(Side& side, std::size_t pending);
  bool is_over();
  bool is_late() const;
  bool wait_for_progress();
  void handle_deadline();
  bool is_broken();
  const Side* broken_stream() const;
  [[noreturn]] void fail_for_broken_stream();
  Output output();

  ProcessCore& process_;
  const bool raw_;
  ProcessCore::Deadline deadline_;
  bool timed_out_ = false;
  bool logging_;
  Side out_;
  Side err_;

  // What one round has taken and not handled; here so that their memory is used again. `begun_` is
  // what went out before, as bytes, of the line that comes first: for the log.
  std::string begun_;
  std::string first_;
  Chunk others_;
  std::string decoded_;
};

}  // namespace sandproof
