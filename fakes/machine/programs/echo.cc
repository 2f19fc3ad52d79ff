// SPDX-License-Identifier: Apache-2.0
// echo: its words. Letters of n, e and E together are options; anything else is a word.
#include "fakes/machine/programs/mains.h"
#include "fakes/machine/programs/support/escapes.h"
#include "fakes/machine/programs/support/tool.h"

namespace sandproof::machine::programs {
namespace {

constexpr Usage kEchoUsage = {.text = ""};

Task<int> run_echo(Process& self) {
  Tool tool(self, kEchoUsage);
  const Strings& words = self.argv();
  bool newline = true;
  bool escapes = false;
  std::size_t at = 1;
  for (; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (word.size() < 2 || word[0] != '-' || word.find_first_not_of("neE", 1) != word.npos) break;
    for (const char letter : word.substr(1)) {
      if (letter == 'n') newline = false;
      if (letter == 'e') escapes = true;
    }
  }
  std::string text;
  for (const std::size_t first = at; at < words.size(); ++at) {
    if (at > first) text += ' ';
    if (!escapes) {
      text += words[at];
      continue;
    }
    const Unescaped read = unescape(words[at], OctalEscape::kAlsoZero, true);
    text += read.text;
    if (read.stopped) {
      newline = false;
      break;
    }
  }
  if (newline) text += '\n';
  const Errno error = co_await write_all(self, 1, text);
  if (error != Errno::kOk) co_await tool.fail("write error", error);
  co_return tool.status;
}

}  // namespace

Task<int> echo_main(Process& self) { return run_echo(self); }

}  // namespace sandproof::machine::programs
