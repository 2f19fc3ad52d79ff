// SPDX-License-Identifier: Apache-2.0
// The byte queue of one stream: order, room, the file behind the memory, and what is thrown away.
#include "stream_buffer.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace sandproof {
namespace {

constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 40;

void fill(Chunk& chunk, std::string_view bytes) {
  chunk.provide();
  bytes.copy(reinterpret_cast<char*>(chunk.space().data()), bytes.size());
  chunk.added(bytes.size());
}

/// What the leader does with what it read.
void feed(StreamBuffer& buffer, std::string_view bytes) {
  Chunk chunk;
  fill(chunk, bytes);
  switch (buffer.destination()) {
    case StreamBuffer::Destination::kMemory:
      buffer.put(chunk);
      break;
    case StreamBuffer::Destination::kNowhere:
      buffer.put_nowhere(bytes.size());
      break;
    case StreamBuffer::Destination::kFile:
      if (buffer.write_to_file(chunk.bytes())) {
        buffer.hold(chunk);
      } else {
        buffer.filed(bytes.size());
      }
      break;
  }
}

/// What a consumer takes at a time; empty if there is nothing.
std::string take(StreamBuffer& buffer) {
  if (const auto chunk = buffer.take()) return std::string(chunk->text());
  const StreamBuffer::FilePart part = buffer.file_part();
  if (part.count == 0) return {};
  Chunk chunk;
  EXPECT_FALSE(buffer.read_from_file(part, chunk));
  buffer.unfiled(part);
  return std::string(chunk.text());
}

std::string some_bytes(std::mt19937& random, std::size_t count) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

TEST(StreamBufferTest, KeepsTheOrderThroughMemoryAndFile) {
  std::mt19937 random(11);
  StreamBuffer buffer("/tmp", kNoLimit);
  std::string expected;
  std::string got;
  for (int step = 0; step < 4000; ++step) {
    // Phases in which it fills up, and phases in which it empties.
    if (random() % 8 < ((step / 500) % 2 == 0 ? 6u : 2u)) {
      const std::size_t most = random() % 3 == 0 ? kChunkBytes : 300;
      const std::string bytes = some_bytes(random, 1 + random() % most);
      expected += bytes;
      feed(buffer, bytes);
    } else {
      got += take(buffer);
    }
    ASSERT_EQ(buffer.unread(), expected.size() - got.size());
    ASSERT_EQ(buffer.received(), expected.size());
    ASSERT_EQ(buffer.empty(), expected.size() == got.size());
  }
  while (!buffer.empty()) got += take(buffer);
  EXPECT_TRUE(got == expected);
}

TEST(StreamBufferTest, SmallReadsShareChunks) {
  StreamBuffer buffer("/tmp", kNoLimit);
  for (int i = 0; i < 1000; ++i) feed(buffer, "x");
  EXPECT_EQ(take(buffer), std::string(1000, 'x'));
  EXPECT_TRUE(buffer.empty());
}

TEST(StreamBufferTest, HasRoomUpToTheSpillLimit) {
  constexpr std::uint64_t kLimit = 100'000;
  StreamBuffer buffer("/tmp", kLimit);
  std::uint64_t total = 0;
  while (const std::size_t room = buffer.room()) {
    feed(buffer, std::string(room, 'x'));
    total += room;
  }
  EXPECT_EQ(total, StreamBuffer::kMemoryLimit + kLimit);
  take(buffer);  // Out of memory: the file is as full as it was.
  EXPECT_EQ(buffer.room(), 0u);
  while (buffer.room() == 0) take(buffer);
  EXPECT_GT(buffer.unread(), 0u);
}

TEST(StreamBufferTest, WithoutALimitForTheFileOnlyMemoryIsUsed) {
  StreamBuffer buffer("/proc/nowhere", 0);
  while (const std::size_t room = buffer.room()) {
    EXPECT_EQ(buffer.destination(), StreamBuffer::Destination::kMemory);
    feed(buffer, std::string(room, 'x'));
  }
  EXPECT_EQ(buffer.unread(), StreamBuffer::kMemoryLimit);
  EXPECT_FALSE(buffer.file_broken());
}

TEST(StreamBufferTest, AFileThatCannotBeMadeHoldsTheStreamBackAndLosesNothing) {
  StreamBuffer buffer("/dev/null", kNoLimit);
  std::mt19937 random(5);
  std::string expected;
  std::string got;
  for (int round = 0; round < 3; ++round) {
    while (const std::size_t room = buffer.room()) {
      const std::string bytes = some_bytes(random, room);
      expected += bytes;
      feed(buffer, bytes);
    }
    EXPECT_TRUE(buffer.file_broken());
    EXPECT_LE(buffer.unread(), StreamBuffer::kMemoryLimit + kChunkBytes);
    while (!buffer.empty()) got += take(buffer);
    EXPECT_GT(buffer.room(), 0u);
  }
  EXPECT_TRUE(got == expected);
}

TEST(StreamBufferTest, DiscardDropsWhatIsThereAndWhatComes) {
  StreamBuffer buffer("/tmp", kNoLimit);
  feed(buffer, "kept in memory");
  EXPECT_FALSE(buffer.discard());  // There is no file.
  EXPECT_TRUE(buffer.empty());
  feed(buffer, std::string(1000, 'x'));
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.unread(), 0u);
  EXPECT_EQ(buffer.received(), 1014u);
  EXPECT_EQ(buffer.room(), kChunkBytes);
}

TEST(StreamBufferTest, DiscardTellsOfTheFile) {
  StreamBuffer buffer("/tmp", kNoLimit);
  while (buffer.destination() == StreamBuffer::Destination::kMemory) {
    feed(buffer, std::string(kChunkBytes, 'x'));
  }
  feed(buffer, "in the file");
  EXPECT_TRUE(buffer.discard());
  buffer.empty_file();
  EXPECT_TRUE(buffer.empty());
}

}  // namespace
}  // namespace sandproof
