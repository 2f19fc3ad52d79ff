// SPDX-License-Identifier: Apache-2.0
// The bytes of a regular file. They lie in chunks that copies share until one of them writes; what
// was never written is a hole, reads as zeroes and costs nothing, whatever the size. One thread per
// machine: that a chunk has a single owner is seen by its count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fakes/machine/vfs/attributes.h"

namespace sandproof::machine {

/// The largest size of a file, bytes: that of an offset of lseek(2).
inline constexpr std::uint64_t kFileSizeMax = INT64_MAX;

class Contents {
 public:
  std::uint64_t size() const { return size_; }
  /// Space taken, in units of kBlockBytes.
  std::uint64_t blocks() const { return blocks_; }

  /// The count that was read, less than asked for at the end.
  std::size_t read(std::uint64_t offset, std::span<std::byte> into) const;
  /// Takes at most `free_blocks` more; the count that was written. `offset` plus the length is at
  /// most kFileSizeMax.
  std::size_t write(std::uint64_t offset, std::span<const std::byte> from,
                    std::uint64_t free_blocks);
  /// Growing makes a hole; shrinking gives space back.
  void resize(std::uint64_t size);
  /// What is not a hole, in order; neighbours are joined. Holes are kept in units of kBlockBytes,
  /// and between two writes into the same 64 KiB there is none.
  std::vector<DataRange> data() const;

 private:
  // Large enough that a file of 1 GiB has few of them, small enough to copy at the first write.
  static constexpr std::uint64_t kChunkBytes = 64 * 1024;

  // Bytes [begin, begin + bytes.size()) of its chunk; zeroes around them. begin is a whole block.
  struct Chunk {
    std::uint64_t begin = 0;
    std::string bytes;

    std::uint64_t end() const { return begin + bytes.size(); }
    std::uint64_t blocks() const;
  };

  std::size_t write_in_chunk(std::uint64_t offset, std::span<const std::byte> from,
                             std::uint64_t free_blocks);
  Chunk& unshared(std::uint64_t index);

  std::map<std::uint64_t, std::shared_ptr<Chunk>> chunks_;
  std::uint64_t size_ = 0;
  std::uint64_t blocks_ = 0;
};

}  // namespace sandproof::machine
