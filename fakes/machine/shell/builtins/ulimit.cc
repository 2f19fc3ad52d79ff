// SPDX-License-Identifier: Apache-2.0
// `ulimit`. The machine limits open files; the other limits are what they are.
#include <array>
#include <charconv>

#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {
// Not unnamed: frames of coroutines have members of these types, and frames have linkage.
namespace ulimit_detail {

struct LimitRow {
  char letter;
  std::string_view text;   // As -a shows it, with its unit.
  std::string_view value;  // Empty: of the process.
};

}  // namespace ulimit_detail

namespace {

using ulimit_detail::LimitRow;

constexpr std::array kLimitRows = {
    LimitRow{'t', "time(seconds)", "unlimited"},
    LimitRow{'f', "file(blocks)", "unlimited"},
    LimitRow{'d', "data(kbytes)", "unlimited"},
    LimitRow{'s', "stack(kbytes)", "8192"},
    LimitRow{'c', "coredump(blocks)", "0"},
    LimitRow{'m', "memory(kbytes)", "unlimited"},
    LimitRow{'l', "locked memory(kbytes)", "64"},
    LimitRow{'p', "process", "unlimited"},
    LimitRow{'n', "nofiles", ""},
    LimitRow{'v', "vmemory(kbytes)", "unlimited"},
    LimitRow{'w', "locks", "unlimited"},
    LimitRow{'r', "rtprio", "0"},
};

std::string value_of(Shell& shell, const LimitRow& row) {
  return row.value.empty() ? std::to_string(shell.process.file_limit()) : std::string(row.value);
}

Task<int> set_limit(Shell& shell, const LimitRow& row, std::string text) {
  // What a limit is already, it may be set to.
  if (text == value_of(shell, row)) co_return 0;
  if (text == "unlimited" && !row.value.empty()) {
    co_await shell.fail("error setting limit (Operation not permitted)");
  }
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) {
    co_await shell.fail("bad number");
  }
  if (!row.value.empty()) {
    co_await shell.fail(std::string("the machine does not limit -") + row.letter +
                        "; only -n can be set");
  }
  const Result<void> set = shell.process.set_file_limit(number);
  if (!set) {
    co_await shell.fail("error setting limit (" + std::string(text_of(set.error())) + ")");
  }
  co_return 0;
}

}  // namespace

Task<int> ulimit_builtin(Shell& shell, Strings words) {
  OptionReader options(words, "HSatfdscmlpnvwr");
  bool all = false;
  char wanted = 'f';
  while (const char letter = co_await options.next(shell)) {
    if (letter == 'H' || letter == 'S') continue;
    all = all || letter == 'a';
    if (letter != 'a') wanted = letter;
  }
  const std::size_t at = options.operand();
  if (all) {
    constexpr std::size_t kTextWidth = 20;
    std::string text;
    for (const LimitRow& row : kLimitRows) {
      std::string name(row.text);
      name.resize(std::max(kTextWidth, name.size()), ' ');
      text += name + " " + value_of(shell, row) + "\n";
    }
    co_await shell.put(std::move(text));
    co_return 0;
  }
  if (at + 1 < words.size()) co_await shell.fail("too many arguments");
  for (const LimitRow& row : kLimitRows) {
    if (row.letter != wanted) continue;
    if (at < words.size()) co_return co_await set_limit(shell, row, words[at]);
    co_await shell.put(value_of(shell, row) + "\n");
  }
  co_return 0;
}

}  // namespace sandproof::machine::shell
