// SPDX-License-Identifier: Apache-2.0
// One collect() of one process: drains both streams at once, keeps whole lines under the caps,
// waits. Lives on the stack of the calling thread; uses the process's locks as its readers do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "process_core.h"
#include "text_cap.h"

namespace sandproof {

class Collector {
 public:
  Collector(ProcessCore& process, const CollectOptions& options);
  /// Throws SandboxLostError with what came so far when draining fails or the status is lost.
  Output run();

 private:
  /// Lines that are only logged are cut at this size: past the cap memory stays bounded.
  static constexpr std::size_t kLoggedPiece = 16 << 20;

  struct Side {
    Side(Stream which, std::int64_t max_chars) : stream(which), cap(max_chars), left(max_chars) {}
    Stream stream;
    TextCap cap;
    std::int64_t left;  ///< Bytes, for raw.
    bool truncated = false;
    std::string text;
    std::uint64_t bytes_before = 0;
  };

  void take_available(Side& side);
  void take_line(Side& side, std::string& line);
  bool keep(Side& side, std::string& line);
  void give_up_if_too_long(Side& side, ProcessCore::Lane& lane);
  bool wait_for_progress(ProcessCore::Deadline until);
  void handle_deadline();
  void throw_drain_error();
  Output output();

  ProcessCore& process_;
  const bool raw_;
  ProcessCore::Deadline deadline_;
  bool timed_out_ = false;
  bool logging_;
  Side out_;
  Side err_;
};

}  // namespace sandproof
