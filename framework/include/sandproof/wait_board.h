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

#include <array>
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

/// Text of at most N bytes; what is longer is cut. Written by one thread at a time, readable from
/// another process meanwhile. Words and not characters, so that neither side is a data race.
template <std::size_t N>
class BoardText {
 public:
  void set(std::string_view text) noexcept;
  /// Up to the first NUL. May mix two texts that were set one after the other.
  std::string get() const;

 private:
  static_assert(N % sizeof(std::uint64_t) == 0);
  std::atomic<std::uint64_t> words_[N / sizeof(std::uint64_t)];
};

/// The low two bits of `state`: 0 free, 1 being written, 2 open. Above them a counter that every
/// claim increments, so that a reader sees that a slot changed under it.
struct WaitSlot {
  std::atomic<std::uint32_t> state;
  std::atomic<std::uint32_t> thread;   ///< The kernel's id.
  std::atomic<std::int64_t> since_ns;  ///< CLOCK_MONOTONIC.
  std::atomic<std::uint32_t> line;
  BoardText<24> verb;
  BoardText<80> object;
  BoardText<120> file;  ///< The end of it where it is longer.
};

struct ObjectSlot {
  std::atomic<std::uint32_t> state;
  std::atomic<std::int64_t> progress_ns;  ///< When bytes last arrived; 0: none yet.
  BoardText<80> object;
  BoardText<kLastBytes> last_bytes;  ///< NUL bytes are left out.
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
  WaitBoard* board_ = nullptr;
  ObjectSlot* slot_ = nullptr;
  /// What the board shows, kept here because several short reads make up the last bytes.
  std::array<char, kLastBytes> tail_{};
  std::size_t tail_size_ = 0;
};

/// What a reader gets out of a board: copies, bounded and made printable.
struct WaitRecord {
  std::string verb;
  std::string object;
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t thread = 0;
  std::int64_t since_ns = 0;
  /// Of the WaitObject of the same name; empty and 0 where there is none.
  std::string last_bytes;
  std::int64_t progress_ns = 0;
};
/// The open records, oldest first. A record that changes while it is read is left out: its verb is
/// not the one that hangs.
std::vector<WaitRecord> read_wait_board(const WaitBoard& board);

}  // namespace sandproof
