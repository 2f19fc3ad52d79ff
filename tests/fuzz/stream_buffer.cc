// SPDX-License-Identifier: Apache-2.0
// The buffer of a stream: whatever was put into memory, written to the spill file or held back
// comes out once, in order, within the limits, until it is discarded.
#include "stream_buffer.h"

#include <fuzzer/FuzzedDataProvider.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tests/fuzz/require.h"

namespace sandproof::fuzz {
namespace {

constexpr std::uint64_t kSpillLimit = 3 * kChunkBytes + 1;

/// For as long as it lives, no file of this process grows beyond `bytes`.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = std::min(bytes, before_.rlim_max);
    ::setrlimit(RLIMIT_FSIZE, &limit);
    // A fault is told of while the limit holds: its text may get lost, its input must not.
    std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FileLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_{};
};

/// A pump's leader and a consumer, who follow the calls of ProcessCore, and a string that says what
/// must be in the buffer.
class World {
 public:
  explicit World(bool file_can_be_made)
      : buffer_(file_can_be_made ? "/tmp" : "/tmp/no such directory", kSpillLimit) {}

  /// The leader reads `wanted` bytes, or as many as there is room for.
  void read(std::size_t wanted) {
    const std::size_t size = std::min(wanted, buffer_.room());
    if (size == 0) return;
    Chunk chunk = filled(size);
    const std::string text(chunk.text());
    switch (buffer_.destination()) {
      case StreamBuffer::Destination::kNowhere:
        buffer_.put_nowhere(size);
        received_ += size;
        return;
      case StreamBuffer::Destination::kMemory:
        buffer_.put(chunk);
        break;
      case StreamBuffer::Destination::kFile:
        if (buffer_.write_to_file(chunk.bytes())) {
          buffer_.hold(chunk);
          require(buffer_.room() == 0, "a stream that cannot grow is full");
        } else {
          buffer_.filed(size);
        }
        break;
    }
    received_ += size;
    expected_ += text;
  }

  /// The consumer takes the oldest piece there is.
  void take() {
    if (std::optional<Chunk> chunk = buffer_.take()) {
      consume(chunk->text());
      return;
    }
    const StreamBuffer::FilePart part = buffer_.file_part();
    if (part.count == 0) return;
    Chunk chunk;
    require(!buffer_.read_from_file(part, chunk), "the file can be read");
    buffer_.unfiled(part);
    consume(chunk.text());
  }

  void discard() {
    if (buffer_.discard()) buffer_.empty_file();
    expected_.clear();
  }

  void check() const {
    require(buffer_.received() == received_, "what was received is counted");
    require(buffer_.unread() == expected_.size(), "what is unread is counted");
    require(buffer_.empty() == expected_.empty(), "empty is when nothing is unread");
    require(expected_.size() <= StreamBuffer::kMemoryLimit + 2 * kChunkBytes + kSpillLimit,
            "the limits hold");
  }

  bool empty() const { return buffer_.empty(); }

 private:
  Chunk filled(std::size_t size) {
    Chunk chunk;
    chunk.provide();
    for (std::byte& byte : chunk.space().first(size)) byte = static_cast<std::byte>(next_++);
    chunk.added(size);
    return chunk;
  }

  void consume(std::string_view piece) {
    require(!piece.empty(), "a piece that is taken is not empty");
    require(std::string_view(expected_).starts_with(piece), "bytes come out as they went in");
    expected_.erase(0, piece.size());
  }

  StreamBuffer buffer_;
  std::string expected_;
  std::uint64_t received_ = 0;
  std::uint32_t next_ = 0;
};

}  // namespace
}  // namespace sandproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sandproof;
  using namespace sandproof::fuzz;
  // As many as fill memory and file twice.
  constexpr int kMostSteps = 64;
  FuzzedDataProvider provider(data, size);
  World world(provider.ConsumeBool());
  const FileLimit limit(provider.ConsumeBool() ? RLIM_INFINITY : 2 * kChunkBytes);
  for (int step = 0; step < kMostSteps && provider.remaining_bytes() > 0; ++step) {
    // A file of the corpus is read from its end.
    switch (provider.ConsumeIntegral<char>()) {
      case 'r':
        world.read(provider.ConsumeIntegralInRange<std::size_t>(1, 255));
        break;
      case 't':
        world.take();
        break;
      case 'd':
        world.discard();
        break;
      default:
        world.read(kChunkBytes);
    }
    world.check();
  }
  while (!world.empty()) world.take();
  world.check();
  return 0;
}
