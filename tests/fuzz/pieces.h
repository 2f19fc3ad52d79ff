// SPDX-License-Identifier: Apache-2.0
// The text of an input, and places to cut it at, for targets that take a stream in pieces. Pure.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sandproof::fuzz {

/// A stream, and how long each piece of it is; what no length covers is one last piece.
///
/// In a file of the corpus the text comes first, then the lengths (one byte each, the first one
/// last), then how many they are (one byte); FuzzedDataProvider takes numbers from the end.
struct CutText {
  std::string text;
  std::vector<std::size_t> lengths;
};

inline CutText take_cut_text(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMostCuts = 32;
  FuzzedDataProvider provider(data, size);
  CutText cut;
  cut.lengths.resize(provider.ConsumeIntegralInRange<std::size_t>(0, kMostCuts));
  for (std::size_t& length : cut.lengths) length = provider.ConsumeIntegral<std::uint8_t>();
  cut.text = provider.ConsumeRemainingBytesAsString();
  return cut;
}

/// The pieces of `text`; views of it. Some may be empty.
inline std::vector<std::string_view> pieces_of(std::string_view text,
                                               const std::vector<std::size_t>& lengths) {
  std::vector<std::string_view> pieces;
  for (const std::size_t length : lengths) {
    pieces.push_back(text.substr(0, length));
    text.remove_prefix(pieces.back().size());
  }
  pieces.push_back(text);
  return pieces;
}

/// Every byte a piece of its own.
inline std::vector<std::string_view> bytes_of(std::string_view text) {
  return pieces_of(text, std::vector<std::size_t>(text.size(), 1));
}

/// The lines of `text`, each with its newline but maybe the last.
inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

}  // namespace sandproof::fuzz
