// SPDX-License-Identifier: Apache-2.0
// cmp: where two files differ.
#include <algorithm>
#include <array>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/files.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kCmpUsage = {.text = "[-ls] [-n NUM] FILE1 [FILE2 [SKIP1 [SKIP2]]]",
                             .letters = "lsn:",
                             .least = 1,
                             .most = 4};
constexpr int kCmpTrouble = 2;

struct Compared {
  std::string name;
  std::string text;
};

Task<void> compare_texts(Tool& tool, const Options& options, const Compared& one,
                         const Compared& two, std::uint64_t most) {
  const bool silent = options.has('s');
  const bool each = options.has('l');
  std::uint64_t line = 1;
  std::size_t at = 0;
  for (; at < one.text.size() && at < two.text.size() && at < most; ++at) {
    if (at % 4096 == 0) co_await tool.self.yield_point();
    const auto a = static_cast<unsigned char>(one.text[at]);
    const auto b = static_cast<unsigned char>(two.text[at]);
    if (a != b) {
      tool.status = 1;
      if (silent) co_return;
      std::string text = printed("%s %s differ: char %zu, line %llu\n", one.name.c_str(),
                                 two.name.c_str(), at + 1, static_cast<unsigned long long>(line));
      if (each) text = printed("%zu %3o %3o\n", at + 1, a, b);
      (void)co_await tool.out.put(text);
      if (!each) co_return;
    }
    if (a == '\n') ++line;
  }
  if (at == most || one.text.size() == two.text.size()) co_return;
  tool.status = 1;
  if (silent) co_return;
  const std::string why = "EOF on " + (one.text.size() < two.text.size() ? one : two).name;
  co_await tool.say(why);
}

Task<int> run_cmp(Process& self) {
  Tool tool(self, kCmpUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const Strings& words = options->operands;
  std::uint64_t most = UINT64_MAX;
  std::array<std::uint64_t, 2> skips = {0, 0};
  std::vector<std::pair<std::string, std::uint64_t*>> numbers;
  if (const auto text = options->value('n')) numbers.emplace_back(*text, &most);
  if (words.size() > 2) numbers.emplace_back(words[2], &skips[0]);
  if (words.size() > 3) numbers.emplace_back(words[3], &skips[1]);
  for (const auto& [text, number] : numbers) {
    const auto value = read_size(text);
    if (!value) {
      const std::string why = "invalid number '" + text + "'";
      co_await tool.fail(why);
      co_return tool.status;
    }
    *number = *value;
  }
  std::array<Compared, 2> both;
  for (std::size_t i = 0; i < 2; ++i) {
    both[i].name = i < words.size() ? words[i] : "-";
    const Result<OwnedFd> input = co_await open_input(self, both[i].name);
    if (!input) {
      co_await tool.fail(both[i].name, input.error());
      co_return kCmpTrouble;
    }
    Result<std::string> text = co_await read_all(self, input->get());
    if (!text) {
      co_await tool.fail(both[i].name, text.error());
      co_return kCmpTrouble;
    }
    both[i].text = text->substr(std::min<std::uint64_t>(skips[i], text->size()));
  }
  co_await compare_texts(tool, *options, both[0], both[1], most);
  co_return co_await tool.finish();
}

}  // namespace

Task<int> cmp_main(Process& self) { return run_cmp(self); }

}  // namespace sandproof::machine::programs
