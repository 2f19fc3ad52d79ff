// SPDX-License-Identifier: Apache-2.0
// Pipes: bounded, with back-pressure, end of file when the last writer goes, EPIPE when the last
// reader does. Unlike Linux's, which are made of pages, one holds exactly its capacity, however it
// was filled, and is writable as soon as a write of kPipeBuf (or of the capacity, if that is less)
// fits. One thread per machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "fakes/machine/descriptor.h"

namespace sandproof::machine {

/// A write of up to so many bytes is not mixed with another's. Linux's PIPE_BUF.
constexpr std::size_t kPipeBuf = 4096;
/// Linux's default: 16 pages.
constexpr std::size_t kPipeCapacity = 65536;

/// The buffer between the ends; a FIFO of the file system holds one too.
class Pipe : public std::enable_shared_from_this<Pipe> {
 public:
  /// `capacity` in bytes, at least 1. `id` is what /proc shows: pipe:[id].
  static std::shared_ptr<Pipe> make(std::size_t capacity, std::uint64_t id);

  /// One more end; kBoth is a FIFO that was opened for reading and writing.
  FilePtr open(Access access);

  std::size_t readers() const { return readers_; }
  std::size_t writers() const { return writers_; }
  /// How often an end was opened so far.
  std::uint64_t reader_opens() const { return reader_opens_; }
  std::uint64_t writer_opens() const { return writer_opens_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  std::uint64_t id() const { return id_; }

 private:
  friend class PipeEnd;
  Pipe(std::size_t capacity, std::uint64_t id) : capacity_(capacity), id_(id) {}
  Result<std::size_t> read(std::span<std::byte> into);
  Result<std::size_t> write(std::span<const std::byte> from);
  std::size_t room() const { return capacity_ - size_; }
  std::size_t atomic() const { return capacity_ < kPipeBuf ? capacity_ : kPipeBuf; }

  std::size_t capacity_;
  std::uint64_t id_;
  std::unique_ptr<std::byte[]> buffer_;  // A ring, from the first write on.
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
  std::size_t readers_ = 0;
  std::size_t writers_ = 0;
  std::uint64_t reader_opens_ = 0;
  std::uint64_t writer_opens_ = 0;
  WaitQueue readable_;
  WaitQueue writable_;
};

/// The two ends of a new pipe: where to read and where to write.
std::pair<FilePtr, FilePtr> make_pipe(std::size_t capacity = kPipeCapacity, std::uint64_t id = 0);

}  // namespace sandproof::machine
