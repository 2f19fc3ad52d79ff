// SPDX-License-Identifier: Apache-2.0
// The bytes of a file are those that were written, holes read as zeroes and cost nothing, and
// copies do not see each other's changes.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "fakes/machine/vfs/contents.h"

namespace sandproof::machine {
namespace {

constexpr std::uint64_t kNoLimit = UINT64_MAX / kBlockBytes;

std::string all_of(const Contents& contents) {
  std::string bytes(contents.size(), '?');
  EXPECT_EQ(contents.read(0, std::as_writable_bytes(std::span(bytes))), bytes.size());
  return bytes;
}

TEST(VfsContents, AreThoseOfAStringUnderRandomWritesAndCuts) {
  std::mt19937 random(7);
  Contents contents;
  std::string expected;
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t offset = random() % 300'000;
    if (random() % 4 == 0) {
      contents.resize(offset);
      expected.resize(offset, '\0');
    } else {
      const std::string bytes(random() % 100'000, static_cast<char>('a' + random() % 26));
      const std::size_t written = contents.write(offset, std::as_bytes(std::span(bytes)), kNoLimit);
      ASSERT_EQ(written, bytes.size());
      if (!bytes.empty() && expected.size() < offset + bytes.size()) {
        expected.resize(offset + bytes.size(), '\0');
      }
      if (!bytes.empty()) expected.replace(offset, bytes.size(), bytes);
    }
    ASSERT_EQ(contents.size(), expected.size()) << "after step " << i;
    if (i % 10 == 0) {
      ASSERT_TRUE(all_of(contents) == expected) << "after step " << i;
    }
    std::uint64_t data = 0;
    for (const DataRange& range : contents.data()) data += range.bytes;
    ASSERT_LE(data, contents.blocks() * kBlockBytes);
  }
  contents.resize(0);
  EXPECT_EQ(contents.blocks(), 0U);
}

TEST(VfsContents, HolesCostNothing) {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
  Contents contents;
  ASSERT_EQ(contents.write(kGiB, std::as_bytes(std::span("x", 1)), kNoLimit), 1U);
  EXPECT_EQ(contents.size(), kGiB + 1);
  EXPECT_EQ(contents.blocks(), 1U);
  char byte = '?';
  ASSERT_EQ(contents.read(kGiB - 1, std::as_writable_bytes(std::span(&byte, 1))), 1U);
  EXPECT_EQ(byte, '\0');
  ASSERT_EQ(contents.data().size(), 1U);
  EXPECT_EQ(contents.data()[0].offset, kGiB);
  contents.resize(kGiB * 1024);
  EXPECT_EQ(contents.blocks(), 1U);
}

TEST(VfsContents, ACopyDoesNotSeeWritesOrCuts) {
  Contents original;
  const std::string bytes(200'000, 'o');
  original.write(0, std::as_bytes(std::span(bytes)), kNoLimit);
  Contents copy = original;
  copy.write(100, std::as_bytes(std::span("copy", 4)), kNoLimit);
  copy.resize(70'000);
  EXPECT_TRUE(all_of(original) == bytes);
  EXPECT_EQ(all_of(copy).substr(98, 8), "oocopyoo");
  EXPECT_EQ(original.blocks(), 49U);
}

TEST(VfsContents, AWriteEndsWhereSpaceEnds) {
  Contents contents;
  const std::string bytes(20'000, 'b');
  EXPECT_EQ(contents.write(10, std::as_bytes(std::span(bytes)), 2), 2 * kBlockBytes - 10);
  EXPECT_EQ(contents.blocks(), 2U);
  EXPECT_EQ(contents.write(contents.size(), std::as_bytes(std::span(bytes)), 0), 0U);
  // What is there may be written over without more.
  EXPECT_EQ(contents.write(0, std::as_bytes(std::span(bytes)).first(5000), 0), 5000U);
}

}  // namespace
}  // namespace sandproof::machine
