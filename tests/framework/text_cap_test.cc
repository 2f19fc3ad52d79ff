// SPDX-License-Identifier: Apache-2.0
// The cap of `collect`, rule by rule (COLLECT-003 to COLLECT-007).
#include "text_cap.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sandproof/errors.h"
#include "utf8.h"

namespace sandproof {
namespace {

struct Kept {
  std::string text;
  bool truncated;
};

Kept keep(std::int64_t max_chars, const std::vector<std::string>& lines) {
  TextCap cap(max_chars);
  std::string text;
  for (const std::string& line : lines) {
    if (cap.admit(line)) text += line;
    EXPECT_EQ(cap.full(), cap.truncated());
  }
  return {text, cap.truncated()};
}

struct Row {
  std::string name;
  std::int64_t max_chars;
  std::vector<std::string> lines;
  std::string text;
  bool truncated;
};

std::vector<Row> make_rows() {
  return {
      {"nothing, cap 0", 0, {}, "", false},
      {"a newline, cap 0", 0, {"\n"}, "", true},
      {"a line, cap 0", 0, {"a\n"}, "", true},
      {"exactly the cap", 4, {"a\n", "b\n"}, "a\nb\n", false},
      {"exactly the cap, then one newline", 4, {"a\n", "b\n", "\n"}, "a\nb\n", true},
      {"one over: the terminator counts", 3, {"a\n", "b\n"}, "a\n", true},
      {"unterminated last line fits", 3, {"a\n", "b"}, "a\nb", false},
      {"first line too long", 3, {"abcd\n", "a\n"}, "", true},
      {"a later line that would fit is dropped", 5, {"a\n", "bcdef\n", "c\n"}, "a\n", true},
      {"two-byte characters count once", 3, {"\xC3\xA9\xC3\xA9\n"}, "\xC3\xA9\xC3\xA9\n", false},
      {"four-byte characters count once", 2, {"\xF0\x9F\x98\x80\n"}, "\xF0\x9F\x98\x80\n", false},
      {"four-byte characters, one over", 1, {"\xF0\x9F\x98\x80\n"}, "", true},
      {"U+FFFD counts once", 2, {"\xEF\xBF\xBD\n"}, "\xEF\xBF\xBD\n", false},
      {"combining marks count as code points", 2, {"e\xCC\x81\n"}, "", true},
      {"NUL and CR count", 3, {std::string("\0\r\n", 3)}, std::string("\0\r\n", 3), false},
      // BUGS.md TXT #45: `hello world` with a cap of 5, of exactly 11, and of 0. Ours keeps whole
      // lines, so that 5 keeps none of it; a line before it stays.
      {"#45, cap 5", 5, {"hello world"}, "", true},
      {"#45, cap 5, a line before", 5, {"ok\n", "hello world"}, "ok\n", true},
      {"#45, cap 11", 11, {"hello world"}, "hello world", false},
      {"#45, cap 10", 10, {"hello world"}, "", true},
      {"#45, cap 0", 0, {"hello world"}, "", true},
      {"largest cap", kLargestMaxChars, {"a\n"}, "a\n", false},
  };
}

TEST(TextCap, RowsKeepAsWritten) {
  for (const Row& row : make_rows()) {
    SCOPED_TRACE(row.name);
    const Kept kept = keep(row.max_chars, row.lines);
    EXPECT_EQ(kept.text, row.text);
    EXPECT_EQ(kept.truncated, row.truncated);
  }
}

TEST(TextCap, ReachingTheCapIsNotFullYet) {
  TextCap cap(2);
  EXPECT_TRUE(cap.admit("a\n"));
  EXPECT_FALSE(cap.full());
  EXPECT_FALSE(cap.truncated());
  EXPECT_FALSE(cap.admit("\n"));
  EXPECT_TRUE(cap.full());
  EXPECT_TRUE(cap.truncated());
}

TEST(TextCap, TwoCapsAreIndependent) {
  TextCap out(2);
  TextCap err(2);
  EXPECT_FALSE(out.admit("abc\n"));
  EXPECT_TRUE(err.admit("x\n"));
  EXPECT_TRUE(out.truncated());
  EXPECT_FALSE(err.truncated());
}

// The result is the longest prefix of whole lines that is within the cap, for every cap.
TEST(TextCap, KeepsTheLongestPrefixOfWholeLinesForEveryCap) {
  constexpr std::uint32_t kSeed = 3;
  std::mt19937 random(kSeed);
  const std::vector<std::string> characters = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> lines;
    std::int64_t total = 0;
    for (std::size_t count = random() % 6; count > 0; --count) {
      std::string line;
      for (std::size_t size = random() % 5; size > 0; --size) {
        line += characters[random() % characters.size()];
      }
      lines.push_back(line + "\n");
      total += static_cast<std::int64_t>(count_code_points(lines.back()));
    }
    for (std::int64_t max_chars = 0; max_chars <= total + 1; ++max_chars) {
      std::string expected;
      std::size_t kept_lines = 0;
      while (kept_lines < lines.size() && count_code_points(expected + lines[kept_lines]) <=
                                              static_cast<std::size_t>(max_chars)) {
        expected += lines[kept_lines++];
      }
      const Kept kept = keep(max_chars, lines);
      ASSERT_EQ(kept.text, expected) << "round " << round << ", cap " << max_chars;
      ASSERT_EQ(kept.truncated, kept_lines < lines.size())
          << "round " << round << ", cap " << max_chars;
    }
  }
}

TEST(TextCap, RawLinesCountBytes) {
  TextCap cap(5);
  EXPECT_TRUE(cap.admit_raw("\xC3\xA9\xFF\n"));
  EXPECT_FALSE(cap.admit_raw("\xC3\xA9"));
  EXPECT_TRUE(cap.truncated());
  EXPECT_FALSE(cap.admit_raw("\n")) << "later lines are dropped, even shorter ones";
  TextCap exact(4);
  EXPECT_TRUE(exact.admit_raw("\xC3\xA9\xFF\n"));
  EXPECT_FALSE(exact.truncated());
}

TEST(TextCap, MayAdmitRefusesOnlyWhatCannotFitWhateverItIs) {
  // 4 * 3 + 3 bytes may be three characters of 4 bytes and one that is cut: that is 4 code points,
  // but 12 bytes may be 3. So up to 15 the answer waits for the text; 16 bytes are never 3.
  for (std::size_t bytes = 0; bytes < 16; ++bytes) {
    TextCap cap(3);
    EXPECT_TRUE(cap.may_admit(bytes)) << bytes;
    EXPECT_FALSE(cap.truncated()) << "asking changes nothing";
  }
  TextCap cap(3);
  EXPECT_FALSE(cap.may_admit(16));
  EXPECT_TRUE(cap.truncated());
  EXPECT_TRUE(cap.full());
  EXPECT_FALSE(cap.admit("a\n")) << "later lines are dropped too";
  EXPECT_FALSE(cap.may_admit(0));
}

TEST(TextCap, MayAdmitCountsWhatIsLeft) {
  TextCap cap(5);
  ASSERT_TRUE(cap.admit("abc\n"));
  EXPECT_TRUE(cap.may_admit(7));
  EXPECT_FALSE(cap.may_admit(8));
}

// may_admit never refuses a line that admit would keep, also before it is decoded: the bytes that
// make one U+FFFD are fewer than four.
TEST(TextCap, MayAdmitNeverRefusesWhatFits) {
  const std::vector<std::string> raw_lines = {
      "a\n",
      "\xF0\x9F\x98\x80\n",
      "\xF0\x9F\x98\n",
      "\xF0\x9F\x98\xF0\x9F\x98\n",
      "\xFF\xFF\n",
      "\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80"};
  for (const std::string& raw : raw_lines) {
    const std::string line = sanitize(raw);
    TextCap cap(static_cast<std::int64_t>(count_code_points(line)));
    EXPECT_TRUE(cap.may_admit(raw.size()));
    EXPECT_TRUE(cap.admit(line));
    EXPECT_FALSE(cap.truncated());
  }
}

TEST(TextCap, CapsOutOfRangeAreRefusedByNameAndRange) {
  for (const std::int64_t wrong :
       {std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(), kLargestMaxChars + 1,
        std::numeric_limits<std::int64_t>::max()}) {
    try {
      check_max_chars(wrong);
      ADD_FAILURE() << wrong << " was accepted";
    } catch (const InvalidArgumentError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("max_chars = " + std::to_string(wrong)), std::string::npos) << message;
      EXPECT_NE(message.find("1073741824"), std::string::npos) << message;
    }
    EXPECT_THROW(TextCap{wrong}, InvalidArgumentError);
  }
  for (const std::int64_t right : {std::int64_t{0}, std::int64_t{1'048'576}, kLargestMaxChars}) {
    EXPECT_NO_THROW(check_max_chars(right));
  }
}

}  // namespace
}  // namespace sandproof
