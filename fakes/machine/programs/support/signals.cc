// SPDX-License-Identifier: Apache-2.0
// Signals by name.
#include "fakes/machine/programs/support/signals.h"

#include <algorithm>
#include <cctype>

#include "fakes/machine/printed.h"
#include "fakes/machine/programs/support/numbers.h"

namespace sandproof::machine::programs {

std::optional<int> signal_number(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  if (upper == "0" || upper == "EXIT") return 0;
  const std::optional<Signal> signal = signal_named(upper);
  if (!signal) return std::nullopt;
  return static_cast<int>(*signal);
}

void take_signal_option(Strings& words, int& number, std::string& wrong) {
  if (words.empty()) return;
  std::string name;
  if (words.front() == "--") {
    words.erase(words.begin());
    return;
  }
  if (words.front() == "-s" && words.size() > 1) {
    name = words[1];
    words.erase(words.begin(), words.begin() + 2);
  } else if (words.front().starts_with('-')) {
    name = words.front().substr(1);
    words.erase(words.begin());
  } else {
    return;
  }
  const std::optional<int> found = signal_number(name);
  if (!found) wrong = "bad signal name '" + name + "'";
  number = found.value_or(number);
  if (!words.empty() && words.front() == "--") words.erase(words.begin());
}

Task<int> list_signals(Tool& tool, Strings words) {
  for (const std::string& word : words) {
    std::string line;
    if (const std::optional<std::int64_t> number = read_integer(word)) {
      // A status of a shell has 128 above the signal.
      const int signal = static_cast<int>(*number & 0x7f);
      line = is_signal(signal) ? name_of(static_cast<Signal>(signal)) : std::to_string(signal);
    } else if (const std::optional<int> known = signal_number(word)) {
      line = std::to_string(*known);
    } else {
      const std::string why = "unknown signal '" + word + "'";
      co_await tool.fail(why);
      continue;
    }
    (void)co_await tool.out.put(line + "\n");
  }
  if (words.empty()) {
    for (int number = 1; number < 32; ++number) {
      // busybox has another of its names.
      const std::string name = number == 29 ? "POLL" : name_of(static_cast<Signal>(number));
      (void)co_await tool.out.put(printed("%2d) %s\n", number, name.c_str()));
    }
  }
  co_return co_await tool.finish();
}

}  // namespace sandproof::machine::programs
