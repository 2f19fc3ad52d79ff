// SPDX-License-Identifier: Apache-2.0
// The cap of collect: of any lines and any cap, the lines that are kept are the longest prefix of
// whole lines that fits, in code points or in bytes, and the early refusal never refuses more.
#include "text_cap.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sandproof/errors.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/require.h"
#include "utf8.h"

namespace sandproof::fuzz {
namespace {

std::size_t slow_code_points(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) count += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U ? 1 : 0;
  return count;
}

/// How many of the sizes fit, one after the other, into `cap`.
std::size_t fitting(const std::vector<std::size_t>& sizes, std::int64_t cap) {
  auto left = static_cast<std::size_t>(cap);
  std::size_t count = 0;
  for (; count < sizes.size() && sizes[count] <= left; ++count) left -= sizes[count];
  return count;
}

void check_limits(std::int64_t cap) {
  bool refused = false;
  try {
    const TextCap made(cap);
  } catch (const InvalidArgumentError&) {
    refused = true;
  }
  require(refused == (cap < 0 || cap > kLargestMaxChars), "a cap is refused outside its range");
}

void check_text(const std::vector<std::string>& raw_lines, std::int64_t cap, bool ask_early) {
  std::vector<std::size_t> sizes;
  for (const std::string& raw : raw_lines) sizes.push_back(slow_code_points(sanitize(raw)));
  const std::size_t expected = fitting(sizes, cap);

  TextCap lines(cap);
  for (std::size_t index = 0; index < raw_lines.size(); ++index) {
    const std::string& raw = raw_lines[index];
    // As the collector asks: for the beginnings of a line that is not complete, too.
    bool possible = !ask_early || (lines.may_admit(raw.size() / 2) && lines.may_admit(raw.size()));
    require(possible || index >= expected, "what fits is not refused early");
    const bool admitted = possible && lines.admit(sanitize(raw));
    require(admitted == (index < expected),
            "the lines before the first that does not fit are kept");
    require(lines.truncated() == (index >= expected),
            "the flag is set by the first that is refused");
    require(lines.full() == lines.truncated(), "a cap that has cut off is full");
  }
}

void check_raw(const std::vector<std::string>& raw_lines, std::int64_t cap) {
  std::vector<std::size_t> sizes;
  for (const std::string& raw : raw_lines) sizes.push_back(raw.size());
  const std::size_t expected = fitting(sizes, cap);
  TextCap lines(cap);
  for (std::size_t index = 0; index < raw_lines.size(); ++index) {
    require(lines.admit_raw(raw_lines[index]) == (index < expected), "raw output counts bytes");
  }
  require(lines.truncated() == (expected < raw_lines.size()), "the flag of raw output");
}

}  // namespace
}  // namespace sandproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sandproof::fuzz;
  FuzzedDataProvider provider(data, size);
  check_limits(provider.ConsumeIntegral<std::int64_t>());
  const auto cap = provider.ConsumeIntegralInRange<std::int64_t>(0, 1000);
  const bool ask_early = provider.ConsumeBool();
  const std::vector<std::string> lines = lines_of(provider.ConsumeRemainingBytesAsString());
  check_text(lines, cap, ask_early);
  check_raw(lines, cap);
  return 0;
}
