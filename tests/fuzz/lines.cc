// SPDX-License-Identifier: Apache-2.0
// The line splitter: however the bytes come in, they are the same lines, and nothing is lost.
#include <string>
#include <string_view>
#include <vector>

#include "line_splitter.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/require.h"

namespace sandproof::fuzz {
namespace {

/// What a splitter makes of the pieces. Its line is one buffer for all, as in the framework.
std::vector<std::string> split(LineSplitter& splitter,
                               const std::vector<std::string_view>& pieces) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t unfinished = 0;
  for (std::string_view piece : pieces) {
    unfinished += piece.size();
    while (splitter.next(piece, line)) {
      require(line.find('\n') == line.size() - 1, "a line has one newline, at its end");
      require(splitter.pending() == 0, "after a whole line nothing is pending");
      unfinished = piece.size();
      lines.push_back(line);
    }
    require(piece.empty(), "a piece is used up");
    require(splitter.pending() == unfinished, "what is pending is what has no newline yet");
  }
  if (splitter.finish(line)) {
    require(!line.empty(), "an unterminated rest is not empty");
    lines.push_back(line);
  }
  require(splitter.pending() == 0, "a finished splitter is as new");
  return lines;
}

}  // namespace
}  // namespace sandproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sandproof::fuzz;
  const CutText input = take_cut_text(data, size);
  const std::vector<std::string> expected = lines_of(input.text);

  sandproof::LineSplitter splitter;
  require(split(splitter, pieces_of(input.text, input.lengths)) == expected,
          "the lines of the pieces are those of the whole");
  require(split(splitter, bytes_of(input.text)) == expected,
          "the lines of single bytes are those of the whole");
  require(split(splitter, {input.text}) == expected, "the lines of the whole are right");
  return 0;
}
