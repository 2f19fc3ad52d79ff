// SPDX-License-Identifier: Apache-2.0
// Wait records: who is inside which verb, for how long, and what was last seen of the object.
//
// A board is a block of memory, mapped and shared by the runner with its worker, so that the
// supervisor can read it even after the worker was killed. Every public verb opens a record for the
// time of its call. With no board installed a record costs one relaxed load.
//
// Thread rules: records are claimed and released lock-free by any thread; a reader in another
// process may see a record half-written and must take its text as text, nothing else: every string
// is bounded and the reader bounds it again.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sandproof/where.h"

namespace sandproof {

/// At most this many verbs at once are recorded; more go unrecorded. A case runs 64 commands and a
/// handful of threads.
inline constexpr std::size_t kWaitSlots = 256;
/// At most this many objects (processes) keep their last bytes on the board.
inline constexpr std::size_t kObjectSlots = 256;
inline constexpr std::size_t kLastBytes = 160;

struct WaitSlot {
  std::atomic<std::uint32_t> used;  ///< 0 free, 1 being written, 2 open.
  std::uint32_t thread;
  std::int64_t since_ns;  ///< CLOCK_MONOTONIC.
  std::uint32_t line;
  char verb[24];
  char object[80];
  char file[120];
};

struct ObjectSlot {
  std::atomic<std::uint32_t> used;
  std::uint32_t length;
  std::atomic<std::int64_t> progress_ns;  ///< When bytes or a status last arrived.
  char object[80];
  char last_bytes[kLastBytes];
};

struct WaitBoard {
  WaitSlot waits[kWaitSlots];
  ObjectSlot objects[kObjectSlots];
  /// Counts verbs begun and bytes seen: a supervisor that sees it stand still sees no progress.
  std::atomic<std::uint64_t> progress;
};

/// Installs a zeroed board for this process; null removes it. The memory must outlive all use.
void install_wait_board(WaitBoard* board);

/// One verb in progress. `object` is "session local-1234", "process 77 of local-1234" …
class WaitScope {
 public:
  WaitScope(std::string_view verb, std::string_view object, const Where& where) noexcept;
  ~WaitScope();
  WaitScope(const WaitScope&) = delete;
  WaitScope& operator=(const WaitScope&) = delete;

 private:
  WaitSlot* slot_ = nullptr;
};

/// Keeps the last bytes of one object on the board for as long as it lives.
class WaitObject {
 public:
  explicit WaitObject(std::string_view object) noexcept;
  ~WaitObject();
  WaitObject(const WaitObject&) = delete;
  WaitObject& operator=(const WaitObject&) = delete;
  /// One writer at a time.
  void saw(std::span<const std::byte> bytes) noexcept;

 private:
  ObjectSlot* slot_ = nullptr;
};

/// What a reader gets out of a board: copies, bounded and made printable.
struct WaitRecord {
  std::string verb;
  std::string object;
  std::string file;
  std::uint32_t line = 0;
  std::int64_t since_ns = 0;
  std::string last_bytes;
};
std::vector<WaitRecord> read_wait_board(const WaitBoard& board);

}  // namespace sandproof
