// SPDX-License-Identifier: Apache-2.0
// The ring between the ends of a pipe.
#include "fakes/machine/pipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace sandproof::machine {

class PipeEnd final : public OpenFile {
 public:
  PipeEnd(std::shared_ptr<Pipe> pipe, Access access) : OpenFile(access), pipe_(std::move(pipe)) {
    if (may_read()) {
      ++pipe_->readers_;
      ++pipe_->reader_opens_;
    }
    if (may_write()) {
      ++pipe_->writers_;
      ++pipe_->writer_opens_;
    }
    // Who waits for the other side to open (a FIFO's open does) looks again.
    wake_both();
  }
  ~PipeEnd() override {
    if (may_read()) --pipe_->readers_;
    if (may_write()) --pipe_->writers_;
    wake_both();
  }

  Result<std::size_t> try_read(std::span<std::byte> into) override {
    if (!may_read()) return Errno::kBadf;
    return pipe_->read(into);
  }
  Result<std::size_t> try_write(std::span<const std::byte> from) override {
    if (!may_write()) return Errno::kBadf;
    return pipe_->write(from);
  }
  Readiness readiness() const override {
    Readiness now;
    if (may_read()) {
      now.readable = pipe_->size_ > 0;
      now.hangup = pipe_->writers_ == 0;
    }
    if (may_write()) {
      now.writable = pipe_->room() >= pipe_->atomic();
      now.error = pipe_->readers_ == 0;
    }
    return now;
  }
  WaitQueue* queue_for(Access what) override {
    return what == Access::kRead ? &pipe_->readable_ : &pipe_->writable_;
  }
  std::string describe() const override { return fmt::format("pipe:[{}]", pipe_->id_); }
  Attributes attributes() const override {
    Attributes attributes = OpenFile::attributes();
    attributes.type = FileType::kFifo;
    attributes.mode = 0600;
    attributes.ino = pipe_->id_;
    return attributes;
  }
  Result<FilePtr> reopen(Access access) override { return pipe_->open(access); }

 private:
  void wake_both() {
    pipe_->readable_.wake_all();
    pipe_->writable_.wake_all();
  }

  std::shared_ptr<Pipe> pipe_;
};

std::shared_ptr<Pipe> Pipe::make(std::size_t capacity, std::uint64_t id) {
  if (capacity == 0) throw std::invalid_argument("a pipe's capacity must be at least 1 byte");
  return std::shared_ptr<Pipe>(new Pipe(capacity, id));
}

FilePtr Pipe::open(Access access) { return std::make_shared<PipeEnd>(shared_from_this(), access); }

Result<std::size_t> Pipe::read(std::span<std::byte> into) {
  if (into.empty()) return std::size_t{0};
  if (size_ == 0) {
    if (writers_ == 0) return std::size_t{0};
    return Errno::kAgain;
  }
  const std::size_t count = std::min(into.size(), size_);
  const std::size_t straight = std::min(count, capacity_ - begin_);
  std::memcpy(into.data(), buffer_.get() + begin_, straight);
  if (count > straight) std::memcpy(into.data() + straight, buffer_.get(), count - straight);
  size_ -= count;
  // An empty one begins anew, so that a pipe with little in it touches little memory.
  begin_ = size_ == 0 ? 0 : (begin_ + count) % capacity_;
  writable_.wake_all();
  return count;
}

Result<std::size_t> Pipe::write(std::span<const std::byte> from) {
  if (from.empty()) return std::size_t{0};
  if (readers_ == 0) return Errno::kPipe;
  const bool whole = from.size() <= atomic();
  if (room() == 0 || (whole && room() < from.size())) return Errno::kAgain;
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<std::byte[]>(capacity_);
  const std::size_t count = std::min(from.size(), room());
  const std::size_t end = (begin_ + size_) % capacity_;
  const std::size_t straight = std::min(count, capacity_ - end);
  std::memcpy(buffer_.get() + end, from.data(), straight);
  if (count > straight) std::memcpy(buffer_.get(), from.data() + straight, count - straight);
  size_ += count;
  readable_.wake_all();
  return count;
}

std::pair<FilePtr, FilePtr> make_pipe(std::size_t capacity, std::uint64_t id) {
  const std::shared_ptr<Pipe> pipe = Pipe::make(capacity, id);
  return {pipe->open(Access::kRead), pipe->open(Access::kWrite)};
}

}  // namespace sandproof::machine
