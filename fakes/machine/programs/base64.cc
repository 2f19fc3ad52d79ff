// SPDX-License-Identifier: Apache-2.0
// base64: bytes as text, and back. Text that is none is passed over in reading, as in busybox.
#include <algorithm>

#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kBase64Usage = {.text = "[-d] [-w COL] [FILE]", .letters = "dw:", .most = 1};
constexpr std::string_view kBase64Letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string encoded(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    unsigned group = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i > count ? '=' : kBase64Letters[group >> (18 - 6 * i) & 63U];
    }
  }
  return text;
}

/// `truncated`: it ends within a group.
std::string decoded(std::string_view text, bool& truncated) {
  std::string bytes;
  unsigned group = 0;
  int count = 0;
  const auto flush = [&] {
    for (int i = 0; i + 1 < count; ++i) bytes += static_cast<char>(group >> (16 - 8 * i) & 0xffU);
    group = 0;
    count = 0;
  };
  for (const char letter : text) {
    if (letter == '=') {
      group <<= 6 * (4 - count);
      flush();
      continue;
    }
    const std::size_t value = kBase64Letters.find(letter);
    if (value == kBase64Letters.npos) continue;
    group = group << 6 | static_cast<unsigned>(value);
    if (++count == 4) flush();
  }
  truncated = count > 0;
  return bytes;
}

Task<int> run_base64(Process& self) {
  Tool tool(self, kBase64Usage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const std::string width_text = options->value('w').value_or("76");
  const auto width = read_unsigned(width_text);
  if (!width) {
    const std::string why = "invalid number '" + width_text + "'";
    co_await tool.fail(why);
    co_return tool.status;
  }
  const std::string path = options->operands.empty() ? "-" : options->operands.front();
  const Result<OwnedFd> input = co_await open_input(self, path);
  Result<std::string> bytes = std::string();
  if (!input) bytes = input.error();
  if (input) bytes = co_await read_all(self, input->get());
  if (!bytes) {
    co_await tool.fail(path, bytes.error());
    co_return tool.status;
  }
  if (options->has('d')) {
    bool truncated = false;
    (void)co_await tool.out.put(decoded(*bytes, truncated));
    if (truncated) co_await tool.fail("truncated input");
    co_return co_await tool.finish();
  }
  const std::string text = encoded(*bytes);
  const std::size_t step = *width == 0 ? std::max<std::size_t>(text.size(), 1) : *width;
  for (std::size_t at = 0; at < text.size(); at += step) {
    const std::string line = text.substr(at, step) + (*width == 0 ? "" : "\n");
    if (!co_await tool.out.put(line)) break;
  }
  co_return co_await tool.finish();
}

}  // namespace

Task<int> base64_main(Process& self) { return run_base64(self); }

}  // namespace sandproof::machine::programs
