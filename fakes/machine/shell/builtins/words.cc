// SPDX-License-Identifier: Apache-2.0
// What builtins share: options, numbers, quotes, names of signals.
#include <charconv>
#include <limits>

#include "fakes/machine/shell/builtins/builtin.h"

namespace sandproof::machine::shell {

Task<char> OptionReader::next(Shell& shell) {
  if (in_word_ == 0) {
    if (at_ >= words_.size()) co_return '\0';
    const std::string& word = words_[at_];
    if (word.size() < 2 || word.front() != '-') co_return '\0';
    if (word == "--") {
      ++at_;
      co_return '\0';
    }
    in_word_ = 1;
  }
  const std::string& word = words_[at_];
  const char letter = word[in_word_++];
  const std::size_t known = letter == ':' ? std::string_view::npos : letters_.find(letter);
  if (known == std::string_view::npos) {
    co_await shell.fail(std::string("Illegal option -") + letter);
  }
  const bool takes_argument = known + 1 < letters_.size() && letters_[known + 1] == ':';
  if (takes_argument) {
    if (in_word_ < word.size()) {
      argument_ = word.substr(in_word_);
    } else if (++at_ < words_.size()) {
      argument_ = words_[at_];
    } else {
      co_await shell.fail(std::string("No arg for -") + letter + " option");
    }
    in_word_ = word.size();
  }
  if (takes_argument || in_word_ >= word.size()) {
    ++at_;
    in_word_ = 0;
  }
  co_return letter;
}

Task<int> number_of(Shell& shell, std::string text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool good = error == std::errc() && end == text.data() + text.size() && number >= 0 &&
                    text.front() != '-';
  if (!good) co_await shell.fail("Illegal number: " + text);
  co_return number;
}

std::string shell_quoted(std::string_view text) {
  std::string quoted;
  do {
    const std::size_t quote = std::min(text.find('\''), text.size());
    quoted.append("'").append(text.substr(0, quote)).append("'");
    text.remove_prefix(quote);
    const std::size_t after = std::min(text.find_first_not_of('\''), text.size());
    if (after > 0) quoted.append("\"").append(text.substr(0, after)).append("\"");
    text.remove_prefix(after);
  } while (!text.empty());
  return quoted;
}

std::optional<int> trap_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) {
    if (number < 0 || number > kLastSignal) return std::nullopt;
    return number;
  }
  std::string name;
  for (const char c : text) {
    name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  if (name == "EXIT") return 0;
  if (const std::optional<Signal> signal = signal_named(name)) return static_cast<int>(*signal);
  return std::nullopt;
}

}  // namespace sandproof::machine::shell
