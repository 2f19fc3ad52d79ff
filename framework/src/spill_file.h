// SPDX-License-Identifier: Apache-2.0
// An unlinked file that holds what a stream's memory buffer cannot: a byte queue on disk.
//
// One appender (the pump's leader) and one consumer (the holder of the stream's reader lock) may
// work at once: the appender only moves the tail, the consumer only the head. Both offsets are
// read and written under the process's mutex by their callers, who pass them in; this class holds
// the descriptor alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <system_error>

namespace sandproof {

class SpillFile {
 public:
  /// In `directory`; O_TMPFILE, or made and unlinked at once where the file system has none.
  /// Sets `error` and leaves the object unusable when it cannot be made.
  SpillFile(const std::string& directory, std::error_code& error);
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  /// Writes all bytes at `offset`, or reports why not (ENOSPC …); a partial write is not undone,
  /// since the tail does not move over it.
  std::error_code write_at(std::uint64_t offset, std::span<const std::byte> bytes) noexcept;
  /// Reads exactly buffer.size() bytes.
  std::error_code read_at(std::uint64_t offset, std::span<std::byte> buffer) noexcept;
  /// Gives the space before `offset` back to the file system, in steps of kPunchStep.
  void release_before(std::uint64_t offset) noexcept;
  /// Gives everything back. A write or read that is under way beside it finds a file with holes.
  void release_all() noexcept;

 private:
  /// Holes are punched a megabyte at a time: a call per chunk would cost more than it frees.
  static constexpr std::uint64_t kPunchStep = 1 << 20;
  int fd_ = -1;
  std::uint64_t punched_ = 0;
};

}  // namespace sandproof
