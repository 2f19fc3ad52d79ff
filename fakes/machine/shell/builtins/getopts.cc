// SPDX-License-Identifier: Apache-2.0
// `getopts`.
#include <utility>

#include "fakes/machine/shell/builtins/builtin.h"
#include "fakes/machine/shell/lex/token.h"

namespace sandproof::machine::shell {
// Not unnamed: frames of coroutines have members of these types, and frames have linkage.
namespace getopts_detail {

// What one call finds.
struct Option {
  std::string letter = "?";
  std::optional<std::string> argument = {};
  std::string message = {};
  bool ended = false;
};

}  // namespace getopts_detail

namespace {

using getopts_detail::Option;

// `next` is the word to look at next, from 0: the one after the word that is looked at, whose place
// `at` is, 0 where there is none.
Option next_option(std::string_view letters, const Strings& arguments, std::size_t& next,
                   std::size_t& at) {
  Option option;
  if (at == 0 || next == 0 || next > arguments.size() || at >= arguments[next - 1].size()) {
    at = 0;
    const bool more =
        next < arguments.size() && arguments[next].size() > 1 && arguments[next].front() == '-';
    option.ended = !more || arguments[next] == "--";
    if (more) ++next;
    if (option.ended) return option;
    at = 1;
  }
  const std::string& text = arguments[next - 1];
  const char letter = text[at++];
  const bool silent = letters.starts_with(':');
  const std::size_t known = letter == ':' ? std::string_view::npos : letters.find(letter);
  const bool rest = at < text.size();
  if (!rest) at = 0;
  if (known == std::string_view::npos) {
    if (silent) {
      option.argument = std::string(1, letter);
    } else {
      option.message = std::string("Illegal option -") + letter;
    }
    return option;
  }
  option.letter = std::string(1, letter);
  if (known + 1 >= letters.size() || letters[known + 1] != ':') return option;
  if (rest) {
    option.argument = text.substr(std::exchange(at, 0));
  } else if (next < arguments.size()) {
    option.argument = arguments[next++];
  } else {
    option.letter = silent ? ":" : "?";
    if (silent) {
      option.argument = std::string(1, letter);
    } else {
      option.message = std::string("No arg for -") + letter + " option";
    }
  }
  return option;
}

}  // namespace

Task<int> getopts_builtin(Shell& shell, Strings words) {
  if (words.size() < 3) co_await shell.fail("Usage: getopts optstring var [arg]");
  const Strings arguments =
      words.size() > 3 ? Strings(words.begin() + 3, words.end()) : shell.state.positional;
  GetoptsPlace& place = shell.getopts_place();
  if (place.next > arguments.size() + 1) place = {};
  std::size_t next = place.next - 1;
  const Option option = next_option(words[1], arguments, next, place.at);
  place.next = next + 1;
  if (!option.message.empty()) co_await shell.put_error(option.message + "\n");
  co_await shell.assign("OPTIND", std::to_string(next + 1));
  (void)shell.state.variables.take_optind_change();
  if (!option.message.empty()) {
    (void)shell.state.variables.unset("OPTARG");
  } else if (!option.ended) {
    co_await shell.assign("OPTARG", option.argument.value_or(""));
  }
  if (!is_name(words[2])) co_await shell.fail(words[2] + ": bad variable name");
  co_await shell.assign(words[2], option.letter);
  co_return option.ended ? 1 : 0;
}

}  // namespace sandproof::machine::shell
