// SPDX-License-Identifier: Apache-2.0
// What was read from one output stream of a process and not handed out yet: chunks in memory, and
// beyond kMemoryLimit a spill file, up to the spill limit. A byte queue: everything in memory is
// older than everything in the file.
//
// Guarded by the process's mutex, except where a method says otherwise. The pump's leader puts,
// the holder of the stream's reader lock takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "sandproof/output.h"
#include "spill_file.h"

namespace sandproof {

/// One read of the pump. 64 KiB is what a pipe holds.
inline constexpr std::size_t kChunkBytes = 64 * 1024;

/// A piece of a stream, owned by whoever holds it. Has no memory until provide().
class Chunk {
 public:
  /// Makes sure that there is memory.
  void provide() {
    if (!data_) data_.reset(new std::byte[kChunkBytes]);  // NOLINT: left uninitialised.
  }
  std::span<std::byte> space() { return {data_.get() + end_, data_ ? kChunkBytes - end_ : 0}; }
  void added(std::size_t count) { end_ += count; }
  std::string_view text() const {
    return {reinterpret_cast<const char*>(data_.get()) + begin_, end_ - begin_};
  }
  std::span<const std::byte> bytes() const { return {data_.get() + begin_, end_ - begin_}; }
  void taken(std::size_t count) { begin_ += count; }
  void cut(std::size_t size) { end_ = begin_ + size; }
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  void clear() { begin_ = end_ = 0; }

 private:
  std::unique_ptr<std::byte[]> data_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

class StreamBuffer {
 public:
  /// 256 KiB per stream: four reads. 64 commands with both streams unread hold 32 MiB.
  static constexpr std::size_t kMemoryLimit = 256 * 1024;

  StreamBuffer(std::string spill_dir, std::uint64_t spill_limit)
      : spill_dir_(std::move(spill_dir)), spill_limit_(spill_limit) {}

  // The leader's side.

  /// How many bytes may be read now; 0: the stream is full and must not be polled.
  std::size_t room() const;
  enum class Destination { kMemory, kFile, kNowhere };
  /// Where the bytes of the next read go.
  Destination destination() const;
  /// Takes the bytes of `chunk` into memory; leaves it empty, maybe without memory.
  void put(Chunk& chunk);
  /// Counts bytes that nobody wants.
  void put_nowhere(std::size_t count) { received_ += count; }
  /// Not under the mutex. Writes the chunk behind the file's tail.
  std::error_code write_to_file(std::span<const std::byte> bytes);
  /// After write_to_file() succeeded.
  void filed(std::size_t count);
  /// After it failed: keeps the chunk behind what the file holds. Nothing more is filed, and the
  /// stream is full until all of it was read.
  void hold(Chunk& chunk);

  /// The file could not be made or could not grow: nothing more is filed.
  bool file_broken() const { return file_broken_; }

  /// Nothing that comes from now on is kept; what is there is dropped. True when there is a file to
  /// be emptied.
  [[nodiscard]] bool discard();
  bool discarding() const { return discarding_; }
  /// Not under the mutex. After discard() said so: gives the file's space back.
  void empty_file() { file_->release_all(); }

  // The consumer's side.

  bool empty() const { return chunks_.empty() && tail_ == head_ && !held_; }
  /// The oldest chunk that is in memory and not behind the file; empty if there is none.
  std::optional<Chunk> take();

  /// A stretch of the file, at most one chunk long.
  struct FilePart {
    std::uint64_t offset = 0;
    std::size_t count = 0;
  };
  /// The oldest unread bytes of the file; count 0 when there are none.
  FilePart file_part() const;
  /// Not under the mutex, but with the reader lock. Also gives back the space before `part`.
  std::error_code read_from_file(const FilePart& part, Chunk& chunk);
  /// After read_from_file(), unless discard() came between.
  void unfiled(const FilePart& part) { head_ = part.offset + part.count; }

  std::uint64_t received() const { return received_; }
  std::uint64_t unread() const {
    return in_memory_ + (tail_ - head_) + (held_ ? held_->size() : 0);
  }

 private:
  std::deque<Chunk> chunks_;
  std::size_t in_memory_ = 0;
  const std::string spill_dir_;
  const std::uint64_t spill_limit_;
  /// Made by the leader outside the mutex; others use it only after they saw, under the mutex, a
  /// tail that was moved after it was made.
  std::unique_ptr<SpillFile> file_;
  std::uint64_t head_ = 0;
  std::uint64_t tail_ = 0;  ///< Moved by the leader alone.
  std::optional<Chunk> held_;
  bool file_broken_ = false;
  bool discarding_ = false;
  std::uint64_t received_ = 0;
};

}  // namespace sandproof
