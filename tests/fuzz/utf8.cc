// SPDX-License-Identifier: Apache-2.0
// UTF-8: any bytes, cut anywhere, give the text that a second decoder gives, which is written from
// Unicode's table 3-7 row by row and knows no fast path.
#include "utf8.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/pieces.h"
#include "tests/fuzz/require.h"

namespace sandproof::fuzz {
namespace {

struct ByteRange {
  unsigned char least;
  unsigned char most;
};

constexpr ByteRange kTail = {0x80, 0xBF};

/// A row of the table: which bytes a character may have, one after the other.
struct Row {
  std::size_t length;
  std::array<ByteRange, 4> bytes;
};

constexpr std::array<Row, 9> kTable = {{{1, {{{0x00, 0x7F}}}},
                                        {2, {{{0xC2, 0xDF}, kTail}}},
                                        {3, {{{0xE0, 0xE0}, {0xA0, 0xBF}, kTail}}},
                                        {3, {{{0xE1, 0xEC}, kTail, kTail}}},
                                        {3, {{{0xED, 0xED}, {0x80, 0x9F}, kTail}}},
                                        {3, {{{0xEE, 0xEF}, kTail, kTail}}},
                                        {4, {{{0xF0, 0xF0}, {0x90, 0xBF}, kTail, kTail}}},
                                        {4, {{{0xF1, 0xF3}, kTail, kTail, kTail}}},
                                        {4, {{{0xF4, 0xF4}, {0x80, 0x8F}, kTail, kTail}}}}};

/// How many bytes of `text` fit the row, from its first.
std::size_t matched(const Row& row, std::string_view text) {
  std::size_t count = 0;
  while (count < row.length && count < text.size()) {
    const auto byte = static_cast<unsigned char>(text[count]);
    if (byte < row.bytes[count].least || byte > row.bytes[count].most) break;
    ++count;
  }
  return count;
}

struct Reference {
  std::string text;
  std::size_t code_points = 0;
  bool valid = true;
};

Reference decode(std::string_view bytes) {
  Reference result;
  while (!bytes.empty()) {
    std::size_t longest = 1;  // A byte that begins no character is a subpart of its own.
    bool whole = false;
    for (const Row& row : kTable) {
      const std::size_t count = matched(row, bytes);
      whole = whole || count == row.length;
      longest = std::max(longest, count);
    }
    result.text += whole ? bytes.substr(0, longest) : std::string_view("\xEF\xBF\xBD");
    result.valid = result.valid && whole;
    ++result.code_points;
    bytes.remove_prefix(longest);
  }
  return result;
}

std::string decoded(Utf8Decoder& decoder, const std::vector<std::string_view>& pieces) {
  std::string text;
  for (const std::string_view piece : pieces) decoder.decode(piece, text);
  decoder.finish(text);
  return text;
}

}  // namespace
}  // namespace sandproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sandproof;
  using namespace sandproof::fuzz;
  const CutText input = take_cut_text(data, size);
  const Reference expected = decode(input.text);

  const std::string text = sanitize(input.text);
  require(text == expected.text, "the text is the reference's");
  require(is_valid_utf8(input.text) == expected.valid, "the bytes are valid where they are");
  require(is_valid_utf8(text), "the text is valid");
  require(count_code_points(text) == expected.code_points, "the code points are counted");
  require(text.size() <= 3 * input.text.size(), "the text is at most three times as long");

  Utf8Decoder decoder;
  require(decoded(decoder, pieces_of(input.text, input.lengths)) == text,
          "the text of the pieces is that of the whole");
  require(decoded(decoder, bytes_of(input.text)) == text,
          "the text of single bytes is that of the whole");

  std::string by_line = "before";
  for (const std::string& line : lines_of(input.text)) append_sanitized(line, by_line);
  require(by_line == "before" + text, "the text of the lines is that of the whole");
  return 0;
}
