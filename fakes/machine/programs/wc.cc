// SPDX-License-Identifier: Apache-2.0
// wc: lines, words, bytes, and the length of the longest line. Characters are bytes, as in the C
// locale.
#include <algorithm>
#include <array>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kWcUsage = {.text = "[-cmlwL] [FILE]...", .letters = "lwmcL"};

/// In the order of the letters above.
using WcCounts = std::array<std::uint64_t, 5>;

class WordCount {
 public:
  void add(std::string_view bytes) {
    for (const char letter : bytes) one(static_cast<unsigned char>(letter));
    counts_[2] += bytes.size();
    counts_[3] += bytes.size();
  }
  WcCounts end() {
    end_word();
    counts_[4] = std::max(counts_[4], column_);
    return counts_;
  }

 private:
  void end_word() {
    if (in_word_) ++counts_[1];
    in_word_ = false;
  }
  void one(unsigned char byte) {
    if (byte > ' ' && byte < 127) {
      in_word_ = true;
      ++column_;
      return;
    }
    if (byte == ' ') {
      ++column_;
    } else if (byte == '\t') {
      column_ = (column_ | 7U) + 1;
    } else if (byte == '\n') {
      ++counts_[0];
    } else if (byte < '\t' || byte > '\r') {
      return;
    }
    end_word();
    if (byte == '\n' || byte == '\f' || byte == '\r') {
      counts_[4] = std::max(counts_[4], column_);
      column_ = 0;
    }
  }

  WcCounts counts_{};
  std::uint64_t column_ = 0;
  bool in_word_ = false;
};

/// A figure alone stands without blanks before it, unless others will stand below it.
std::string wc_line(const std::string& chosen, bool several, const WcCounts& counts,
                    std::string_view name) {
  std::string text;
  for (const char letter : chosen) {
    const auto count = static_cast<unsigned long long>(counts[kWcUsage.letters.find(letter)]);
    if (chosen.size() == 1 && !several) {
      text += std::to_string(count);
    } else {
      text += printed(text.empty() ? "%9llu" : " %9llu", count);
    }
  }
  if (!name.empty()) text += " ";
  return text.append(name) + "\n";
}

Task<int> run_wc(Process& self) {
  Tool tool(self, kWcUsage);
  std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  std::string chosen;
  for (const char letter : kWcUsage.letters) {
    if (options->has(letter)) chosen += letter;
  }
  if (chosen.empty()) chosen = "lwc";
  const bool named = !options->operands.empty();
  if (!named) options->operands.emplace_back("-");
  const bool several = options->operands.size() > 1;
  WcCounts total{};
  for (const std::string& path : options->operands) {
    const Result<OwnedFd> input = co_await open_input(self, path);
    if (!input) {
      co_await tool.fail(path, input.error());
      continue;
    }
    WordCount words;
    std::array<std::byte, 4096> chunk;
    for (;;) {
      const Result<std::size_t> count = co_await self.read(input->get(), chunk);
      if (count.error() == Errno::kIntr) continue;
      if (!count) co_await tool.fail(path, count.error());
      if (count.value_or(0) == 0) break;
      words.add({reinterpret_cast<const char*>(chunk.data()), *count});
    }
    const WcCounts counts = words.end();
    for (std::size_t i = 0; i < 4; ++i) total[i] += counts[i];
    total[4] = std::max(total[4], counts[4]);
    const std::string line = wc_line(chosen, several, counts, named ? std::string_view(path) : "");
    if (!co_await tool.out.put(line)) break;
  }
  if (several) (void)co_await tool.out.put(wc_line(chosen, several, total, "total"));
  co_return co_await tool.finish();
}

}  // namespace

Task<int> wc_main(Process& self) { return run_wc(self); }

}  // namespace sandproof::machine::programs
