// SPDX-License-Identifier: Apache-2.0
// seq: numbers from one to another.
#include <algorithm>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/numbers.h"
#include "fakes/machine/programs/support/options.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kSeqUsage = {
    .text = "[-w] [-s SEP] [FIRST [INC]] LAST", .letters = "+ws:", .least = 1, .most = 3};

std::size_t fraction_digits(const std::string& text) {
  const std::size_t dot = text.find('.');
  return dot == text.npos ? 0 : text.size() - dot - 1;
}

std::size_t whole_digits(const std::string& text) { return std::min(text.find('.'), text.size()); }

Task<int> run_seq(Process& self) {
  Tool tool(self, kSeqUsage);
  const std::optional<Options> options = co_await read_options(tool);
  if (!options) co_return tool.status;
  const Strings& words = options->operands;
  const std::string first_text = words.size() > 1 ? words.front() : "1";
  const std::string step_text = words.size() > 2 ? words[1] : "1";
  const auto first = read_decimal(first_text);
  const auto step = read_decimal(step_text);
  const auto last = read_decimal(words.back());
  if (!first || !step || !last) co_return co_await tool.misuse();
  const std::size_t fraction = std::max(fraction_digits(first_text), fraction_digits(step_text));
  std::size_t width = 0;
  if (options->has('w')) {
    width = std::max(whole_digits(first_text), whole_digits(words.back()));
    if (fraction > 0) width += fraction + 1;
  }
  const std::string separator = options->value('s').value_or("\n");
  double value = *first;
  std::uint64_t count = 0;
  while (*step >= 0 ? value <= *last : value >= *last) {
    std::string text = count > 0 ? separator : "";
    text += printed("%0*.*f", static_cast<int>(width), static_cast<int>(fraction), value);
    if (!co_await tool.out.put(text)) break;
    value = *first + *step * static_cast<double>(++count);
  }
  if (count > 0) (void)co_await tool.out.put("\n");
  co_return co_await tool.finish();
}

}  // namespace

Task<int> seq_main(Process& self) { return run_seq(self); }

}  // namespace sandproof::machine::programs
