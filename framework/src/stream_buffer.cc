// SPDX-License-Identifier: Apache-2.0
// See stream_buffer.h.
#include "stream_buffer.h"

#include <algorithm>
#include <utility>

namespace sandproof {

std::size_t StreamBuffer::room() const {
  if (discarding_) return kChunkBytes;
  if (held_) return 0;
  if (tail_ == head_ && in_memory_ < kMemoryLimit) return kChunkBytes;
  const std::uint64_t unread = tail_ - head_;
  if (file_broken_ || unread >= spill_limit_) return 0;
  return static_cast<std::size_t>(std::min<std::uint64_t>(kChunkBytes, spill_limit_ - unread));
}

StreamBuffer::Destination StreamBuffer::destination() const {
  if (discarding_) return Destination::kNowhere;
  return tail_ == head_ && in_memory_ < kMemoryLimit ? Destination::kMemory : Destination::kFile;
}

void StreamBuffer::put(Chunk& chunk) {
  received_ += chunk.size();
  in_memory_ += chunk.size();
  // Many small reads share a chunk: a command that writes byte by byte would else hold 64 KiB for
  // each.
  if (!chunks_.empty() && chunks_.back().space().size() >= chunk.size()) {
    std::ranges::copy(chunk.bytes(), chunks_.back().space().begin());
    chunks_.back().added(chunk.size());
    chunk.clear();
    return;
  }
  chunks_.push_back(std::exchange(chunk, Chunk()));
}

std::error_code StreamBuffer::write_to_file(std::span<const std::byte> bytes) {
  if (file_ == nullptr) {
    std::error_code error;
    auto file = std::make_unique<SpillFile>(spill_dir_, error);
    if (error) return error;
    file_ = std::move(file);
  }
  return file_->write_at(tail_, bytes);
}

void StreamBuffer::filed(std::size_t count) {
  received_ += count;
  tail_ += count;
}

void StreamBuffer::hold(Chunk& chunk) {
  received_ += chunk.size();
  file_broken_ = true;
  held_ = std::exchange(chunk, Chunk());
}

bool StreamBuffer::discard() {
  discarding_ = true;
  chunks_.clear();
  in_memory_ = 0;
  head_ = tail_;
  held_.reset();
  // A tail that moved says that the leader has made the file.
  return tail_ > 0;
}

std::optional<Chunk> StreamBuffer::take() {
  if (!chunks_.empty()) {
    Chunk chunk = std::move(chunks_.front());
    chunks_.pop_front();
    in_memory_ -= chunk.size();
    return chunk;
  }
  return tail_ == head_ ? std::exchange(held_, std::nullopt) : std::nullopt;
}

StreamBuffer::FilePart StreamBuffer::file_part() const {
  return {head_, static_cast<std::size_t>(std::min<std::uint64_t>(tail_ - head_, kChunkBytes))};
}

std::error_code StreamBuffer::read_from_file(const FilePart& part, Chunk& chunk) {
  chunk.clear();
  chunk.provide();
  file_->release_before(part.offset);
  const std::error_code error = file_->read_at(part.offset, chunk.space().first(part.count));
  if (!error) chunk.added(part.count);
  return error;
}

}  // namespace sandproof
