// SPDX-License-Identifier: Apache-2.0
// A bounded queue of bytes. Its memory is taken at the first use. No locks: its owner has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>

namespace sandproof::machine {

class ByteRing {
 public:
  explicit ByteRing(std::size_t capacity) : capacity_(capacity) {}

  std::size_t size() const { return size_; }
  std::size_t room() const { return capacity_ - size_; }
  std::size_t capacity() const { return capacity_; }

  /// Free space in one piece; empty only where there is none. Then commit() what was put into it.
  std::span<std::byte> space() {
    if (!bytes_) bytes_ = std::make_unique_for_overwrite<std::byte[]>(capacity_);
    const std::size_t end = (begin_ + size_) % capacity_;
    return {bytes_.get() + end, std::min(room(), capacity_ - end)};
  }
  void commit(std::size_t count) { size_ += count; }

  /// What is in it, in one piece; empty only where nothing is. Then consume() what was taken.
  std::span<const std::byte> data() const {
    return {bytes_.get() + begin_, std::min(size_, capacity_ - begin_)};
  }
  void consume(std::size_t count) {
    size_ -= count;
    // An empty one begins anew: what passes through one in small pieces touches little memory.
    begin_ = size_ == 0 ? 0 : (begin_ + count) % capacity_;
  }
  void clear() { consume(size_); }

  /// How many fitted.
  std::size_t push(std::span<const std::byte> from) {
    std::size_t done = 0;
    while (done < from.size() && room() > 0) {
      const std::span<std::byte> into = space();
      const std::size_t count = std::min(into.size(), from.size() - done);
      std::memcpy(into.data(), from.data() + done, count);
      commit(count);
      done += count;
    }
    return done;
  }
  /// How many there were.
  std::size_t pop(std::span<std::byte> into) {
    std::size_t done = 0;
    while (done < into.size() && size_ > 0) {
      const std::span<const std::byte> from = data();
      const std::size_t count = std::min(from.size(), into.size() - done);
      std::memcpy(into.data() + done, from.data(), count);
      consume(count);
      done += count;
    }
    return done;
  }

 private:
  std::size_t capacity_;
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
};

}  // namespace sandproof::machine
