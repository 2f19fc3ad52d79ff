// SPDX-License-Identifier: Apache-2.0
// Reading, writing and cutting chunks; see contents.h.
#include "fakes/machine/vfs/contents.h"

#include <algorithm>
#include <cstring>

namespace sandproof::machine {
namespace {

std::uint64_t whole_blocks_below(std::uint64_t bytes) { return bytes / kBlockBytes; }

std::uint64_t blocks_for(std::uint64_t bytes) { return (bytes + kBlockBytes - 1) / kBlockBytes; }

}  // namespace

std::uint64_t Contents::Chunk::blocks() const {
  return bytes.empty() ? 0 : blocks_for(end()) - whole_blocks_below(begin);
}

std::size_t Contents::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (offset >= size_) return 0;
  const std::size_t count = std::min<std::uint64_t>(into.size(), size_ - offset);
  std::memset(into.data(), 0, count);
  const std::uint64_t end = offset + count;
  for (auto it = chunks_.lower_bound(offset / kChunkBytes); it != chunks_.end(); ++it) {
    const std::uint64_t base = it->first * kChunkBytes;
    if (base >= end) break;
    const Chunk& chunk = *it->second;
    const std::uint64_t from = std::max(offset, base + chunk.begin);
    const std::uint64_t to = std::min(end, base + chunk.end());
    if (from >= to) continue;
    std::memcpy(into.data() + (from - offset), chunk.bytes.data() + (from - base - chunk.begin),
                to - from);
  }
  return count;
}

std::size_t Contents::write(std::uint64_t offset, std::span<const std::byte> from,
                            std::uint64_t free_blocks) {
  std::size_t done = 0;
  while (done < from.size()) {
    const std::uint64_t at = offset + done;
    const std::uint64_t room = kChunkBytes - at % kChunkBytes;
    const std::size_t wanted = std::min<std::uint64_t>(room, from.size() - done);
    const std::uint64_t before = blocks_;
    const std::size_t written = write_in_chunk(at, from.subspan(done, wanted), free_blocks);
    free_blocks -= blocks_ - before;
    done += written;
    if (written < wanted) break;
  }
  if (done > 0) size_ = std::max(size_, offset + done);
  return done;
}

std::size_t Contents::write_in_chunk(std::uint64_t offset, std::span<const std::byte> from,
                                     std::uint64_t free_blocks) {
  const std::uint64_t index = offset / kChunkBytes;
  const std::uint64_t low = offset % kChunkBytes;
  const std::uint64_t first = low / kBlockBytes * kBlockBytes;
  const auto found = chunks_.find(index);
  const bool fresh = found == chunks_.end();
  const std::uint64_t begin = fresh ? first : std::min(first, found->second->begin);
  const std::uint64_t old_end = fresh ? begin : found->second->end();
  const std::uint64_t old_blocks = fresh ? 0 : found->second->blocks();
  std::uint64_t end = std::max(old_end, low + from.size());
  const std::uint64_t allowed = old_blocks + free_blocks;
  if (blocks_for(end) - whole_blocks_below(begin) > allowed) end = begin + allowed * kBlockBytes;
  if (end <= low || end < old_end) return 0;
  const std::size_t count = std::min<std::uint64_t>(from.size(), end - low);

  Chunk& chunk = unshared(index);
  if (fresh) chunk.begin = begin;
  if (begin < chunk.begin) {
    chunk.bytes.insert(0, chunk.begin - begin, '\0');
    chunk.begin = begin;
  }
  if (chunk.end() < low + count) chunk.bytes.resize(low + count - chunk.begin);
  std::memcpy(chunk.bytes.data() + (low - chunk.begin), from.data(), count);
  blocks_ += chunk.blocks() - old_blocks;
  return count;
}

Contents::Chunk& Contents::unshared(std::uint64_t index) {
  std::shared_ptr<Chunk>& chunk = chunks_[index];
  if (!chunk) {
    chunk = std::make_shared<Chunk>();
  } else if (chunk.use_count() > 1) {
    chunk = std::make_shared<Chunk>(*chunk);
  }
  return *chunk;
}

void Contents::resize(std::uint64_t size) {
  if (size < size_) {
    const std::uint64_t index = size / kChunkBytes;
    const std::uint64_t keep = size % kChunkBytes;
    for (auto it = chunks_.lower_bound(keep > 0 ? index + 1 : index); it != chunks_.end();) {
      blocks_ -= it->second->blocks();
      it = chunks_.erase(it);
    }
    const auto last = chunks_.find(index);
    if (last != chunks_.end() && last->second->end() > keep) {
      blocks_ -= last->second->blocks();
      if (last->second->begin >= keep) {
        chunks_.erase(last);
      } else {
        Chunk& chunk = unshared(index);
        chunk.bytes.resize(keep - chunk.begin);
        blocks_ += chunk.blocks();
      }
    }
  }
  size_ = size;
}

std::vector<DataRange> Contents::data() const {
  std::vector<DataRange> ranges;
  for (const auto& [index, chunk] : chunks_) {
    const std::uint64_t begin = index * kChunkBytes + chunk->begin;
    const std::uint64_t end = std::min(size_, begin + chunk->blocks() * kBlockBytes);
    if (!ranges.empty() && ranges.back().offset + ranges.back().bytes == begin) {
      ranges.back().bytes += end - begin;
    } else {
      ranges.push_back({begin, end - begin});
    }
  }
  return ranges;
}

}  // namespace sandproof::machine
