// SPDX-License-Identifier: Apache-2.0
// What `collect()` returns, and how it is asked for. Values; any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "sandproof/exit_status.h"

namespace sandproof {

enum class Stream { kOut, kErr };

/// How a stream came to its end.
enum class StreamEnd {
  kComplete,          ///< End of file: every byte was delivered.
  kHeldByDescendant,  ///< Still open `drain_grace` after the command's exit; given up.
  kBroken,            ///< The transport broke; what was received was delivered.
};

/// The whole lines of a command's output that fit under the cap, and how it ended.
struct Output {
  std::string out;
  std::string err;
  ExitStatus status = ExitStatus::lost("not observed");
  bool out_truncated = false;
  bool err_truncated = false;
  StreamEnd out_end = StreamEnd::kComplete;
  StreamEnd err_end = StreamEnd::kComplete;
  /// The deadline of `collect` or of `exec` passed and the tree was killed.
  bool timed_out = false;
  /// Bytes received per stream by this `collect`, kept or not.
  std::uint64_t out_bytes = 0;
  std::uint64_t err_bytes = 0;

  friend bool operator==(const Output&, const Output&) = default;
};

/// The default of CollectOptions::max_chars (COLLECT-003).
inline constexpr std::int64_t kDefaultMaxChars = 1'048'576;

struct CollectOptions {
  /// Code points per stream, terminators included. 0 .. kLargestMaxChars (text_cap.h), else
  /// InvalidArgumentError.
  std::int64_t max_chars = kDefaultMaxChars;
  /// From the call on. At the deadline the tree is killed. Empty: no deadline. Negative or over a
  /// hundred years: InvalidArgumentError.
  std::optional<std::chrono::milliseconds> timeout;
  /// Keep the exact bytes: no decoding. The cap then counts bytes.
  bool raw = false;
};

}  // namespace sandproof
