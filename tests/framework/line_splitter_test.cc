// SPDX-License-Identifier: Apache-2.0
// Lines out of bytes, at every way to cut the bytes into chunks.
#include "line_splitter.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof {
namespace {

using namespace std::string_literals;

// The lines of `bytes`, fed in chunks cut at the given ascending offsets.
std::vector<std::string> split_cut(std::string_view bytes, const std::vector<std::size_t>& cuts) {
  LineSplitter splitter;
  std::vector<std::string> lines;
  std::string line;
  const auto feed = [&](std::string_view chunk) {
    while (splitter.next(chunk, line)) lines.push_back(line);
    EXPECT_TRUE(chunk.empty()) << "false means that the chunk is used up";
  };
  std::size_t begin = 0;
  for (const std::size_t cut : cuts) {
    feed(bytes.substr(begin, cut - begin));
    begin = cut;
  }
  feed(bytes.substr(begin));
  if (splitter.finish(line)) lines.push_back(line);
  EXPECT_EQ(splitter.pending(), 0U);
  return lines;
}

// Straight from the rule: a line ends after each '\n' and nowhere else.
std::vector<std::string> reference_split(std::string_view bytes) {
  std::vector<std::string> lines;
  std::string line;
  for (const char c : bytes) {
    line += c;
    if (c != '\n') continue;
    lines.push_back(line);
    line.clear();
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

struct Sample {
  std::string name;
  std::string bytes;
  std::vector<std::string> lines;
};

std::vector<Sample> make_samples() {
  return {
      // BUGS.md TXT #40: the last line without a newline; a lone newline; nothing; an empty line.
      {"last line has no newline", "line1\nline2", {"line1\n", "line2"}},
      {"one newline", "\n", {"\n"}},
      {"nothing", "", {}},
      {"empty line inside", "a\n\nb", {"a\n", "\n", "b"}},
      {"last line has one", "line1\nline2\n", {"line1\n", "line2\n"}},
      {"newlines only", "\n\n\n", {"\n", "\n", "\n"}},
      {"begins with a newline", "\nx", {"\n", "x"}},
      {"no newline", "prompt> ", {"prompt> "}},
      // STREAM-004: nothing else ends a line.
      {"CRLF", "a\r\nb\r\n", {"a\r\n", "b\r\n"}},
      {"CR alone", "10%\r20%\r\n", {"10%\r20%\r\n"}},
      {"VT, FF, NEL, U+2028, FS",
       "a\vb\fc\xC2\x85"
       "d\xE2\x80\xA8"
       "e\x1C\n",
       {"a\vb\fc\xC2\x85"
        "d\xE2\x80\xA8"
        "e\x1C\n"}},
      {"NUL", "a\0b\0\n\0"s, {"a\0b\0\n"s, "\0"s}},
      {"bytes that are no text", "\xFF\xFE\n\x80", {"\xFF\xFE\n", "\x80"}},
      {"bytes that hold 0A in their low bits", "\x8A\x4A\n\xCA", {"\x8A\x4A\n", "\xCA"}},
  };
}

TEST(LineSplitter, SamplesSplitAsWritten) {
  for (const Sample& sample : make_samples()) {
    SCOPED_TRACE(sample.name);
    EXPECT_EQ(split_cut(sample.bytes, {}), sample.lines);
    EXPECT_EQ(reference_split(sample.bytes), sample.lines);
  }
}

TEST(LineSplitter, SamplesSplitTheSameAtEveryOneAndTwoCuts) {
  for (const Sample& sample : make_samples()) {
    SCOPED_TRACE(sample.name);
    for (std::size_t first = 0; first <= sample.bytes.size(); ++first) {
      ASSERT_EQ(split_cut(sample.bytes, {first}), sample.lines) << "cut at " << first;
      for (std::size_t second = first; second <= sample.bytes.size(); ++second) {
        ASSERT_EQ(split_cut(sample.bytes, {first, second}), sample.lines)
            << "cut at " << first << " and " << second;
      }
    }
  }
}

TEST(LineSplitter, RandomBytesInRandomChunksSplitAsTheReference) {
  constexpr std::uint32_t kSeed = 7;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes;
    for (std::size_t size = random() % 60; size > 0; --size) bytes += "a\n\r\0\xC3"[random() % 5];
    std::vector<std::size_t> cuts;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      if (random() % 5 == 0) cuts.push_back(at);
    }
    ASSERT_EQ(split_cut(bytes, cuts), reference_split(bytes)) << "round " << round;
  }
}

TEST(LineSplitter, NextTakesOneLineAndLeavesTheRestOfTheChunk) {
  LineSplitter splitter;
  std::string_view chunk = "one\ntwo\nthr";
  std::string line;
  ASSERT_TRUE(splitter.next(chunk, line));
  EXPECT_EQ(line, "one\n");
  EXPECT_EQ(chunk, "two\nthr");
  EXPECT_EQ(splitter.pending(), 0U);
  ASSERT_TRUE(splitter.next(chunk, line));
  EXPECT_EQ(line, "two\n");
  EXPECT_EQ(chunk, "thr");
  ASSERT_FALSE(splitter.next(chunk, line));
  EXPECT_EQ(line, "two\n") << "untouched when there is no line";
  EXPECT_EQ(chunk, "");
  EXPECT_EQ(splitter.pending(), 3U);
}

TEST(LineSplitter, PendingCountsTheUnfinishedLineOverChunks) {
  LineSplitter splitter;
  std::string line;
  for (std::string_view chunk : {"ab", "", "cde"}) ASSERT_FALSE(splitter.next(chunk, line));
  EXPECT_EQ(splitter.pending(), 5U);
  std::string_view chunk = "\nx";
  ASSERT_TRUE(splitter.next(chunk, line));
  EXPECT_EQ(line, "abcde\n");
  EXPECT_EQ(chunk, "x");
  EXPECT_EQ(splitter.pending(), 0U);
}

TEST(LineSplitter, FinishHandsOutTheRestOnceAndBeginsAnew) {
  LineSplitter splitter;
  std::string line = "old";
  EXPECT_FALSE(splitter.finish(line));
  EXPECT_EQ(line, "old") << "untouched when there is no rest";
  std::string_view chunk = "rest";
  ASSERT_FALSE(splitter.next(chunk, line));
  ASSERT_TRUE(splitter.finish(line));
  EXPECT_EQ(line, "rest");
  EXPECT_FALSE(splitter.finish(line));
  chunk = "next\n";
  ASSERT_TRUE(splitter.next(chunk, line));
  EXPECT_EQ(line, "next\n") << "nothing of the rest is left";
}

TEST(LineSplitter, LineBufferIsReusedForLinesWithinAChunk) {
  LineSplitter splitter;
  std::string line;
  line.reserve(200);
  const char* const buffer = line.data();
  const std::string bytes = std::string(79, 'x') + "\n" + std::string(150, 'y') + "\n";
  std::string_view chunk = bytes;
  while (splitter.next(chunk, line)) EXPECT_EQ(line.data(), buffer);
  EXPECT_EQ(line.size(), 151U);
}

// Two buffers go to and fro between the caller and the splitter: lines that straddle chunks
// allocate nothing once both have grown.
TEST(LineSplitter, BuffersAreReusedForLinesOverTwoChunks) {
  LineSplitter splitter;
  std::string line;
  const std::string half(500, 'x');
  std::vector<const char*> buffers;
  for (int i = 0; i < 6; ++i) {
    std::string_view chunk = half;
    ASSERT_FALSE(splitter.next(chunk, line));
    chunk = "\n";
    ASSERT_TRUE(splitter.next(chunk, line));
    EXPECT_EQ(line.size(), 501U);
    buffers.push_back(line.data());
  }
  for (std::size_t i = 2; i + 2 < buffers.size(); ++i) EXPECT_EQ(buffers[i], buffers[i + 2]);
  EXPECT_NE(buffers[2], buffers[3]) << "exchanged, not copied";
}

// STREAM-006, and linear: 8 MiB in chunks of 16 bytes are half a million calls. If each began from
// the front, or copied the line to grow it, they would move two terabytes, and the time limit that
// every test has would end this one.
TEST(LineSplitter, LongLineInSmallChunksComesAsOneLine) {
  constexpr std::size_t kLine = std::size_t{8} << 20;
  constexpr std::size_t kChunk = 16;
  LineSplitter splitter;
  std::string line;
  const std::string piece(kChunk, 'x');
  for (std::size_t fed = 0; fed < kLine; fed += kChunk) {
    std::string_view chunk = piece;
    ASSERT_FALSE(splitter.next(chunk, line));
  }
  EXPECT_EQ(splitter.pending(), kLine);
  std::string_view end = "\n";
  ASSERT_TRUE(splitter.next(end, line));
  EXPECT_TRUE(line == std::string(kLine, 'x') + "\n");  // Not EXPECT_EQ: it would print both.
}

}  // namespace
}  // namespace sandproof
