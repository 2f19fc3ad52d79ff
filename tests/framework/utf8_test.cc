// SPDX-License-Identifier: Apache-2.0
// UTF-8 decoding against a slow decoder that is table 3-7 of Unicode 15 written down, against
// Unicode's own examples of maximal subparts, and at every way to cut the bytes into chunks.
#include "utf8.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof {
namespace {

using namespace std::string_literals;

const std::string kBad = "\xEF\xBF\xBD";

std::string bad(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += kBad;
  return text;
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<std::uint8_t>(c);
    text += {kDigits[byte >> 4U], kDigits[byte & 15U], ' '};
  }
  return text;
}

// Equal, or both in hexadecimal.
testing::AssertionResult same(std::string_view actual, std::string_view expected) {
  if (actual == expected) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "actual " << hex(actual) << ", expected " << hex(expected);
}

// ---- The reference -------------------------------------------------------------------------

struct Range {
  std::uint8_t first;
  std::uint8_t last;
};

// Unicode 15, table 3-7, "Well-Formed UTF-8 Byte Sequences", row by row.
const std::vector<std::vector<Range>> kTable37 = {
    {{0x00, 0x7F}},
    {{0xC2, 0xDF}, {0x80, 0xBF}},
    {{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}},
    {{0xE1, 0xEC}, {0x80, 0xBF}, {0x80, 0xBF}},
    {{0xED, 0xED}, {0x80, 0x9F}, {0x80, 0xBF}},
    {{0xEE, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}},
    {{0xF0, 0xF0}, {0x90, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}},
    {{0xF1, 0xF3}, {0x80, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}},
    {{0xF4, 0xF4}, {0x80, 0x8F}, {0x80, 0xBF}, {0x80, 0xBF}},
};

struct Reference {
  std::string text;
  std::size_t code_points = 0;
  bool valid = true;
};

Reference reference_decode(std::string_view bytes) {
  Reference result;
  for (std::size_t at = 0; at < bytes.size();) {
    // The longest beginning of any row that is found here; whole if it is all of that row.
    std::size_t longest = 0;
    bool whole = false;
    for (const std::vector<Range>& row : kTable37) {
      std::size_t matched = 0;
      while (matched < row.size() && at + matched < bytes.size()) {
        const auto byte = static_cast<std::uint8_t>(bytes[at + matched]);
        if (byte < row[matched].first || byte > row[matched].last) break;
        ++matched;
      }
      if (matched > longest) {
        longest = matched;
        whole = matched == row.size();
      }
    }
    if (longest == 0) longest = 1;
    result.text += whole ? std::string(bytes.substr(at, longest)) : kBad;
    result.valid = result.valid && whole;
    ++result.code_points;
    at += longest;
  }
  return result;
}

// ---- Helpers -------------------------------------------------------------------------------

// Decodes `bytes` cut at the given ascending offsets.
std::string decode_cut(std::string_view bytes, const std::vector<std::size_t>& cuts) {
  Utf8Decoder decoder;
  std::string text;
  std::size_t begin = 0;
  for (const std::size_t cut : cuts) {
    decoder.decode(bytes.substr(begin, cut - begin), text);
    begin = cut;
  }
  decoder.decode(bytes.substr(begin), text);
  decoder.finish(text);
  return text;
}

// Everything in the header agrees on `bytes`: the text, its validity, its length.
void expect_all_agree(std::string_view bytes, const Reference& expected) {
  ASSERT_TRUE(same(sanitize(bytes), expected.text)) << hex(bytes);
  ASSERT_EQ(is_valid_utf8(bytes), expected.valid) << hex(bytes);
  ASSERT_TRUE(is_valid_utf8(expected.text)) << hex(bytes);
  ASSERT_EQ(count_code_points(expected.text), expected.code_points) << hex(bytes);
  ASSERT_TRUE(same(decode_cut(bytes, {}), expected.text)) << hex(bytes);
}

std::string encode(char32_t c) {
  const auto low = [c](unsigned shift) {
    return static_cast<char>(0x80U | ((static_cast<std::uint32_t>(c) >> shift) & 0x3FU));
  };
  const auto high = [c](std::uint32_t mark, unsigned shift) {
    return static_cast<char>(mark | (static_cast<std::uint32_t>(c) >> shift));
  };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {high(0xC0, 6), low(0)};
  if (c < 0x10000) return {high(0xE0, 12), low(6), low(0)};
  return {high(0xF0, 18), low(12), low(6), low(0)};
}

// ---- Samples -------------------------------------------------------------------------------

struct Utf8Sample {
  std::string name;
  std::string bytes;
  std::string text;
};

std::vector<Utf8Sample> make_utf8_samples() {
  return {
      {"empty", "", ""},
      {"ascii", "plain text\r\n", "plain text\r\n"},
      {"NUL and controls are kept", "a\0b\x01\x1B[0m\x7F\v\f\r\n"s, "a\0b\x01\x1B[0m\x7F\v\f\r\n"s},
      {"NEL and U+2028 are kept", "\xC2\x85|\xE2\x80\xA8\n", "\xC2\x85|\xE2\x80\xA8\n"},
      {"byte order mark is kept", "\xEF\xBB\xBFx", "\xEF\xBB\xBFx"},
      {"U+FFFD itself is valid", kBad, kBad},
      {"noncharacters are valid", "\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xB7\x90",
       "\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xB7\x90"},
      {"two, three, four bytes", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80",
       "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"},
      {"first and last of each length",
       "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF",
       "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"},
      {"around the surrogates", "\xED\x9F\xBF\xEE\x80\x80", "\xED\x9F\xBF\xEE\x80\x80"},
      // Unicode 15, section 3.9, tables 3-8 to 3-11, in this order.
      {"table 3-8: non-shortest forms", "\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", bad(8) + "A"},
      {"table 3-9: surrogates", "\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", bad(8) + "A"},
      {"table 3-10: other ill-formed", "\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42",
       bad(5) + "A" + bad(2) + "B"},
      {"table 3-11: truncated", "\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", bad(4) + "A"},
      // The example of Unicode 6 to 15 for the practice as a whole.
      {"the example of the practice", "\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64",
       "a" + bad(3) + "b" + bad(1) + "c" + bad(2) + "d"},
      {"overlong newline does not become one", "\xC0\x8A\xE0\x80\x8A", bad(5)},
      {"over U+10FFFF", "\xF4\x90\x80\x80\xF5\x80\x80\x80", bad(8)},
      {"lone continuations", "\x80\xBF\x80", bad(3)},
      {"bytes that are never used", "\xC0\xC1\xF5\xF8\xFC\xFE\xFF", bad(7)},
      {"a newline ends a subpart", "\xE2\x82\n\xF0\x9F\x98\n\xC3\n",
       kBad + "\n" + kBad + "\n" + kBad + "\n"},
      {"a NUL ends a subpart", "\xE2\x82\0\xC3\0"s, kBad + "\0"s + kBad + "\0"s},
      {"a character after each broken one", "\xE2\x82\xE2\x82\xAC\xF0\x9F\xC3\xA9\xC3\xC3\xA9",
       kBad + "\xE2\x82\xAC" + kBad + "\xC3\xA9" + kBad + "\xC3\xA9"},
      {"cut after 1 of 2", "a\xC3", "a" + kBad},
      {"cut after 1 of 3", "a\xE2", "a" + kBad},
      // BUGS.md TXT #38: a command that ends in the middle of a character.
      {"cut after 2 of 3", "ab\xE2\x82", "ab" + kBad},
      {"cut after 1 of 4", "a\xF0", "a" + kBad},
      {"cut after 2 of 4", "a\xF0\x9F", "a" + kBad},
      {"cut after 3 of 4", "a\xF0\x9F\x98", "a" + kBad},
      {"cut after what cannot be 2 of 3", "a\xE0\x80", "a" + bad(2)},
      {"longer than a block",
       "0123456789abcdef0123456789abcdef0123456789abcdef\xC3\xA9"
       "0123456789abcdef0123456789abcdef01\xFF"
       "23456789abcdef",
       "0123456789abcdef0123456789abcdef0123456789abcdef\xC3\xA9"
       "0123456789abcdef0123456789abcdef01" +
           kBad + "23456789abcdef"},
  };
}

// ---- Tests ---------------------------------------------------------------------------------

TEST(Utf8, SamplesDecodeAsWritten) {
  for (const Utf8Sample& sample : make_utf8_samples()) {
    SCOPED_TRACE(sample.name);
    EXPECT_TRUE(same(sanitize(sample.bytes), sample.text));
    EXPECT_EQ(is_valid_utf8(sample.bytes), sample.bytes == sample.text);
  }
}

TEST(Utf8, ReferenceDecoderAgreesWithTheSamples) {
  for (const Utf8Sample& sample : make_utf8_samples()) {
    SCOPED_TRACE(sample.name);
    EXPECT_TRUE(same(reference_decode(sample.bytes).text, sample.text));
  }
}

TEST(Utf8, SamplesDecodeTheSameAtEveryOneAndTwoCuts) {
  for (const Utf8Sample& sample : make_utf8_samples()) {
    SCOPED_TRACE(sample.name);
    for (std::size_t first = 0; first <= sample.bytes.size(); ++first) {
      ASSERT_TRUE(same(decode_cut(sample.bytes, {first}), sample.text)) << "cut at " << first;
      for (std::size_t second = first; second <= sample.bytes.size(); ++second) {
        ASSERT_TRUE(same(decode_cut(sample.bytes, {first, second}), sample.text))
            << "cut at " << first << " and " << second;
      }
    }
  }
}

TEST(Utf8, SamplesDecodeTheSameByteByByte) {
  for (const Utf8Sample& sample : make_utf8_samples()) {
    SCOPED_TRACE(sample.name);
    std::vector<std::size_t> cuts;
    for (std::size_t at = 1; at < sample.bytes.size(); ++at) cuts.push_back(at);
    EXPECT_TRUE(same(decode_cut(sample.bytes, cuts), sample.text));
  }
}

// BUGS.md TXT #37: E2, 89, A4, 0A one at a time, on two streams that take turns.
TEST(Utf8, TwoStreamsKeepTheirOwnState) {
  constexpr std::string_view kBytes = "\xE2\x89\xA4\n";
  Utf8Decoder out_decoder;
  Utf8Decoder err_decoder;
  std::string out;
  std::string err;
  for (std::size_t i = 0; i < kBytes.size(); ++i) {
    out_decoder.decode(kBytes.substr(i, 1), out);
    if (i == 0) continue;  // The other one is a byte behind.
    err_decoder.decode(kBytes.substr(i - 1, 1), err);
  }
  err_decoder.decode(kBytes.substr(3), err);
  out_decoder.finish(out);
  err_decoder.finish(err);
  EXPECT_EQ(out, "\xE2\x89\xA4\n");
  EXPECT_EQ(err, "\xE2\x89\xA4\n");
}

// BUGS.md TXT #38: the tail that a decoder holds back is flushed, not lost; only once, and the
// decoder then begins anew.
TEST(Utf8, FinishFlushesAnIncompleteTailOnce) {
  Utf8Decoder decoder;
  std::string text;
  decoder.decode("ab\xE2\x82"s, text);
  EXPECT_EQ(text, "ab") << "what may still become a character is held back";
  decoder.finish(text);
  EXPECT_EQ(text, "ab" + kBad);
  decoder.finish(text);
  EXPECT_EQ(text, "ab" + kBad);
  decoder.decode("\xAC"s, text);
  EXPECT_EQ(text, "ab" + bad(2)) << "nothing of the tail is left";
}

TEST(Utf8, DecodeHandsOutWhatIsCertainAtOnce) {
  Utf8Decoder decoder;
  std::string text;
  decoder.decode("a\xC3\xA9"s, text);
  EXPECT_EQ(text, "a\xC3\xA9");
  decoder.decode("\xF0\x9F"s, text);
  EXPECT_EQ(text, "a\xC3\xA9");
  decoder.decode("\xF0"s, text);  // Breaks the one before it off.
  EXPECT_EQ(text, "a\xC3\xA9" + kBad);
}

TEST(Utf8, AppendKeepsWhatIsThere) {
  std::string text = "before ";
  append_sanitized("\xFF after", text);
  append_sanitized("", text);
  append_sanitized("!", text);
  EXPECT_EQ(text, "before " + kBad + " after!");
}

TEST(Utf8, EveryScalarValueIsValidAndCountsAsOne) {
  std::string all;
  std::size_t count = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string one = encode(c);
    ASSERT_TRUE(is_valid_utf8(one)) << hex(one);
    ASSERT_EQ(count_code_points(one), 1U) << hex(one);
    all += one;
    ++count;
  }
  ASSERT_EQ(count, 1'112'064U);
  EXPECT_TRUE(is_valid_utf8(all));
  EXPECT_EQ(count_code_points(all), count);
  EXPECT_TRUE(sanitize(all) == all);
}

TEST(Utf8, EverySurrogateIsThreeInvalidBytes) {
  for (char32_t c = 0xD800; c <= 0xDFFF; ++c) {
    ASSERT_EQ(sanitize(encode(c)), bad(3)) << hex(encode(c));
  }
}

TEST(Utf8, EveryPairOfBytesMatchesTheTable) {
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      const std::string bytes{static_cast<char>(first), static_cast<char>(second)};
      ASSERT_NO_FATAL_FAILURE(expect_all_agree(bytes, reference_decode(bytes)));
    }
  }
}

// The bytes on both sides of every bound in table 3-7, in every sequence of four.
TEST(Utf8, EveryFourBoundaryBytesMatchTheTable) {
  constexpr std::array<std::uint8_t, 22> kBounds = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF,
                                                    0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
                                                    0xEE, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5};
  constexpr std::size_t kAll = kBounds.size() * kBounds.size() * kBounds.size() * kBounds.size();
  for (std::size_t n = 0; n < kAll; ++n) {
    std::string bytes;
    for (std::size_t rest = n, i = 0; i < 4; ++i, rest /= kBounds.size()) {
      bytes += static_cast<char>(kBounds[rest % kBounds.size()]);
    }
    const Reference expected = reference_decode(bytes);
    if (sanitize(bytes) != expected.text || is_valid_utf8(bytes) != expected.valid) {
      ASSERT_NO_FATAL_FAILURE(expect_all_agree(bytes, expected));
    }
  }
}

// The fast path must look at every byte, wherever a block begins.
TEST(Utf8, OneByteAnywhereInLongAsciiIsSeen) {
  const std::string ascii(96, 'x');
  for (std::size_t begin = 0; begin < 33; ++begin) {
    for (std::size_t at = begin; at < ascii.size(); ++at) {
      for (const char byte : {'\x80', '\xFF'}) {
        std::string bytes = ascii;
        bytes[at] = byte;
        const std::string_view view = std::string_view(bytes).substr(begin);
        ASSERT_FALSE(is_valid_utf8(view)) << begin << ' ' << at;
        const std::string expected = ascii.substr(begin, at - begin) + kBad + ascii.substr(at + 1);
        ASSERT_EQ(sanitize(view), expected) << begin << ' ' << at;
      }
    }
  }
}

TEST(Utf8, CountIsRightAtEveryLengthAndAlignment) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
  const std::string long_text = "a" + text;
  for (std::size_t begin = 0; begin <= 1; ++begin) {
    std::size_t expected = 0;
    for (std::size_t end = begin; end <= long_text.size(); ++end) {
      const bool boundary = end == long_text.size() || (long_text[end] & '\xC0') != '\x80';
      if (!boundary) continue;
      const auto view = std::string_view(long_text).substr(begin, end - begin);
      ASSERT_EQ(count_code_points(view), expected) << begin << ' ' << end;
      ++expected;
    }
  }
}

// A view need not be followed by a NUL. Under AddressSanitizer a read past its end is an error.
TEST(Utf8, ViewsAreNotReadPastTheirEnd) {
  for (const Utf8Sample& sample : make_utf8_samples()) {
    for (std::size_t size = 0; size <= sample.bytes.size(); ++size) {
      const std::vector<char> exact(sample.bytes.data(), sample.bytes.data() + size);
      const std::string_view view(exact.data(), exact.size());
      ASSERT_NO_FATAL_FAILURE(expect_all_agree(view, reference_decode(view))) << sample.name;
    }
  }
}

TEST(Utf8, EmptyInputIsValidAndGivesNothing) {
  EXPECT_TRUE(is_valid_utf8({}));
  EXPECT_EQ(count_code_points({}), 0U);
  EXPECT_EQ(sanitize({}), "");
  Utf8Decoder decoder;
  std::string text;
  decoder.decode({}, text);
  decoder.finish(text);
  EXPECT_EQ(text, "");
}

// Bytes that are nearly UTF-8: random ones mostly fail at once and would test little.
std::string random_bytes(std::mt19937& random) {
  constexpr std::string_view kPieces =
      "\x7F\x80\x8F\x90\x9F\xA0\xBF\xC1\xC2\xDF\xE0\xED\xEF\xF0\xF4\xF5";
  const auto below = [&random](std::size_t bound) { return random() % bound; };
  std::string bytes;
  for (std::size_t parts = below(14); parts > 0; --parts) {
    switch (below(6)) {
      case 0:
        bytes += static_cast<char>(below(256));
        break;
      case 1:
        bytes += kPieces[below(kPieces.size())];
        break;
      case 2:
        bytes.append(below(3) == 0 ? below(70) : 1, 'a');
        break;
      case 3:
        bytes += '\n';
        break;
      default: {
        const std::string whole = encode(static_cast<char32_t>(below(0x110000)));
        bytes += below(3) == 0 ? whole.substr(0, 1 + below(whole.size())) : whole;
      }
    }
  }
  return bytes;
}

// Decodes line by line with the one-shot function, as the framework does.
std::string decode_lines(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    const std::size_t length = newline == std::string_view::npos ? bytes.size() : newline + 1;
    append_sanitized(bytes.substr(0, length), text);
    bytes.remove_prefix(length);
  }
  return text;
}

TEST(Utf8, OneShotStreamLinesAndReferenceAgreeOnRandomBytes) {
  constexpr std::uint32_t kSeed = 20240607;
  constexpr int kRounds = 200'000;
  std::mt19937 random(kSeed);
  int valid = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::string bytes = random_bytes(random);
    std::vector<std::size_t> cuts;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      if (random() % 4 == 0) cuts.push_back(at);
    }
    const Reference expected = reference_decode(bytes);
    valid += expected.valid ? 1 : 0;
    ASSERT_NO_FATAL_FAILURE(expect_all_agree(bytes, expected)) << "round " << round;
    ASSERT_TRUE(same(decode_cut(bytes, cuts), expected.text)) << hex(bytes) << "round " << round;
    ASSERT_TRUE(same(decode_lines(bytes), expected.text)) << hex(bytes) << "round " << round;
  }
  EXPECT_GT(valid, kRounds / 50) << "the generator must give both kinds";
  EXPECT_LT(valid, kRounds / 2) << "the generator must give both kinds";
}

}  // namespace
}  // namespace sandproof
